import { randomUUID } from 'node:crypto';
import { Mode } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import type { ProviderAccount } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { plain, type PageBlock, type SectionBlock } from '../pages/blocks';
import { moment } from '../pages/format';
import { faultList, fieldOf, noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { fill, type Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** The payment provider: connected by its key, which is never shown again, and tried out. */
export const providerRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.get(
      '/settings/provider',
      (place, _request, response) =>
        show(response, place, connectPage(place, usual(place), noFaults, { operation: randomUUID() })),
      'providers.connect',
    );

    part.post('/settings/provider/test', async (place, _request, response) => {
      const { t, at, organizationId } = place;
      const { methods, error } = await peers.providers.testProvider({ organizationId }, place.call());
      const said = PROVIDER_ERRORS[error] ?? 'providerFailed';
      show(response, place, {
        title: t.testProvider,
        back: { label: t.settings, href: at('settings') },
        notice:
          error === ''
            ? { tone: 'good', text: fill(t.providerWorks, { methods: methods.join(', ') || t.none }) }
            : { tone: 'bad', text: fill(t[said], { code: error }) },
        sections: [],
        isNarrow: true,
      });
    });

    part.post(
      '/settings/provider',
      (place, request, response) => {
        const { organizationId, at } = place;
        const operation = operationOf(request);
        const provider = fieldOf(request, 'provider');
        return submit(
          place,
          response,
          async () => {
            const apiKey = provider === 'sandbox' ? undefined : fieldOf(request, 'apiKey');
            await peers.providers.connectProvider(
              { organizationId, provider, apiKey, baseUrl: undefined },
              place.call(operation),
            );
            return `${at('settings')}?done=yes`;
          },
          // The key is not shown again: it would stand in the page.
          (faults) => show(response, place, connectPage(place, provider, faults, { operation }), response.statusCode),
        );
      },
      'providers.connect',
    );
  };

const PROVIDER_ERRORS: Readonly<Record<string, keyof Texts>> = {
  unauthorized: 'providerRefused',
  unavailable: 'providerUnavailable',
};

const isTest = ({ organization }: Workplace): boolean => organization.mode === Mode.TEST;
const usual = (place: Workplace): string => (isTest(place) ? 'sandbox' : 'mollie');
const NAMES: Readonly<Record<string, string>> = { mollie: 'Mollie' };
const nameOf = ({ t }: Workplace, provider: string): string =>
  NAMES[provider] ?? (provider === 'sandbox' ? t.sandbox : provider);

/** How the organisation gets paid online. */
export function providerSection(place: Workplace, account: ProviderAccount | undefined): SectionBlock {
  const { t, at, may, language, timeZone } = place;
  const actions = may('providers.connect')
    ? { actions: [{ label: account ? t.connectOther : t.connectProvider, href: at('settings/provider') }] }
    : {};
  if (!account) return { title: t.provider, text: t.noProvider, ...actions };
  return {
    title: t.provider,
    facts: [
      [t.provider, plain(nameOf(place, account.provider))],
      [t.state, { text: t.stateConnected, tone: 'good' }],
      [t.since, plain(moment(account.connectedAt, language, timeZone))],
    ],
    forms: [{ action: at('settings/provider/test'), submit: t.testProvider, tone: '' }],
    ...actions,
  };
}

function connectPage(
  place: Workplace,
  provider: string,
  faults: Faults,
  hidden: Readonly<Record<string, string>>,
): PageBlock {
  const { t, at } = place;
  const choices = isTest(place) ? ['sandbox', 'mollie'] : ['mollie'];
  return {
    title: t.connectProvider,
    intro: fill(t.connectIntro, { mode: isTest(place) ? 'test_…' : 'live_…' }),
    back: { label: t.settings, href: at('settings') },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            action: at('settings/provider'),
            submit: t.connect,
            cancel: at('settings'),
            hidden,
            fields: [
              {
                name: 'provider',
                label: t.provider,
                value: provider,
                required: true,
                options: choices.map((value) => ({ value, label: nameOf(place, value) })),
                fault: faults.fields['provider'],
              },
              {
                name: 'apiKey',
                label: t.providerKey,
                type: 'password',
                value: '',
                autocomplete: 'off',
                maxLength: 200,
                hint: t.providerKeyHint,
                fault: faults.fields['apiKey'],
              },
            ],
          },
        ],
      },
    ],
  };
}
