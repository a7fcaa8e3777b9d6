import type { Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { linked, plain, type Cell, type SectionBlock } from '../pages/blocks';
import { unlessAway } from '../pages/error-page';
import { day } from '../pages/format';
import { doneNotice } from '../pages/list-request';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { accessPointSection } from './access-point-routes';
import { providerSection } from './provider-routes';

/** Everything that an organisation sets once, with the way to each of it. */
export const settingsRoutes =
  (peers: Peers): AddPart =>
  (part) =>
    part.get('/settings', async (place, request, response) => {
      const { t, organizationId } = place;
      const call = { organizationId };
      const [{ accounts }, accessPoints, credits] = await Promise.all([
        peers.providers.listProviders(call, place.call()),
        peers.peppol.listAccessPoints(call, place.call()).catch(unlessAway),
        place.may('credits.read') ? peers.credits.getCreditBalance(call, place.call()) : undefined,
      ]);
      show(response, place, {
        title: t.settings,
        notice: doneNotice(request, t),
        sections: [
          organizationSection(place),
          profilesSection(place),
          periodSection(place),
          providerSection(place, accounts[0]),
          accessPointSection(place, accessPoints && (accessPoints.accounts[0] ?? null)),
          {
            title: t.mailSender,
            text: t.mailSenderIntro,
            actions: [{ label: t.look, href: place.at('settings/mail') }],
          },
          ...(credits
            ? [
                {
                  title: t.mailCredits,
                  text: t.mailCreditsText,
                  actions: [{ label: t.ledger, href: place.at('settings/credits') }],
                  facts: [
                    [t.creditsFree, plain(String(credits.balance))],
                    [t.creditsReserved, plain(String(credits.reserved))],
                  ] as [string, Cell][],
                },
              ]
            : []),
        ],
      });
    });

const edit = ({ t, at, may }: Workplace, path: string, label = t.edit): Pick<SectionBlock, 'actions'> =>
  may('settings.write') ? { actions: [{ label, href: at(path) }] } : {};

export const addressOf = ({ details }: Organization): string =>
  [details?.addressLine1, details?.postalCode, details?.city, details?.countryCode].filter(Boolean).join(', ');

function organizationSection(place: Workplace): SectionBlock {
  const { t, organization } = place;
  const { details } = organization;
  const value = (text: string | undefined) => plain(text || t.none);
  return {
    title: t.organization,
    facts: [
      [t.name, value(details?.name)],
      [t.address, value(addressOf(organization))],
      [t.kvkNumber, value(details?.kvkNumber)],
      [t.btwId, value(details?.btwId)],
      [t.iban, value(details?.iban)],
      [t.email, value(details?.email)],
      [t.phone, value(details?.phone)],
      [t.timezone, value(details?.timezone)],
    ],
    ...edit(place, 'settings/organization'),
  };
}

function profilesSection(place: Workplace): SectionBlock {
  const { t, at, may, organization } = place;
  return {
    title: t.profiles,
    text: t.profilesText,
    table: {
      caption: t.profiles,
      columns: [{ label: t.name }, { label: t.numberFormat }],
      rows: organization.profiles.map(({ id, name, numberFormat }) => [
        may('settings.write') ? linked(name, at(`settings/profiles/${id}`)) : plain(name),
        plain(numberFormat || t.none),
      ]),
      empty: t.none,
    },
    ...edit(place, 'settings/profiles/new', t.newProfile),
  };
}

function periodSection(place: Workplace): SectionBlock {
  const { t, language, organization } = place;
  const { issuePolicy } = organization;
  return {
    title: t.closedPeriod,
    text: t.closedPeriodText,
    facts: [
      [t.closedUntil, plain(day(issuePolicy?.closedUntil ?? '', language) || t.none)],
      [t.daysBack, plain(String(issuePolicy?.daysBack ?? ''))],
      [t.daysAhead, plain(String(issuePolicy?.daysAhead ?? ''))],
    ],
    ...edit(place, 'settings/period'),
  };
}
