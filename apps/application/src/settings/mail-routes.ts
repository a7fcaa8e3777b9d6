import { randomUUID } from 'node:crypto';
import type { GetSenderResponse } from '@invoicing/contracts/invoicing/notification/v1/sender';
import { plain, type Cell, type PageBlock } from '../pages/blocks';
import { noFaults, operationOf, submit, type Faults } from '../pages/form-request';
import { doneNotice } from '../pages/list-request';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** Where mail comes from, what the domain should say of it, and a mail to try. */
export const mailRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.get('/settings/mail', async (place, request, response) => {
      const { organizationId, t } = place;
      const sender = await peers.sender.getSender({ organizationId }, place.call());
      const page = mailPage(place, sender, randomUUID(), noFaults);
      show(response, place, { ...page, notice: doneNotice(request, t) && { tone: 'good', text: t.testMailSent } });
    });

    part.post(
      '/settings/mail/test',
      async (place, request, response) => {
        const { organizationId, at, user, language } = place;
        const operation = operationOf(request);
        const sender = await peers.sender.getSender({ organizationId }, place.call());
        return submit(
          place,
          response,
          async () => {
            // To whoever asks, and to nobody else.
            await peers.sender.sendTestMail({ organizationId, to: user.email, language }, place.call(operation));
            return `${at('settings/mail')}?done=yes`;
          },
          (faults) => show(response, place, mailPage(place, sender, operation, faults), response.statusCode),
        );
      },
      'settings.write',
    );
  };

function mailPage(place: Workplace, sender: GetSenderResponse, operation: string, faults: Faults): PageBlock {
  const { t, at, may, user, organization } = place;
  const domain = sender.address.split('@').at(-1) ?? '';
  const facts: [string, Cell][] = [
    [t.sender, plain(sender.address)],
    [t.replyTo, plain(organization.details?.email || t.none)],
    [t.mailServer, plain(sender.leaves ? sender.server : t.mailStays)],
  ];
  return {
    title: t.mailSender,
    intro: t.mailSenderIntro,
    back: { label: t.settings, href: at('settings') },
    notice: faults.fields['to'] ? { tone: 'bad', text: faults.fields['to'] } : faults.notice,
    sections: [
      {
        facts,
        forms: may('settings.write')
          ? [
              {
                action: at('settings/mail/test'),
                submit: fill(t.sendTestMail, { email: user.email }),
                tone: '',
                hidden: { operation },
              },
            ]
          : [],
      },
      {
        title: 'SPF, DKIM, DMARC',
        text: sender.leaves ? t.dkimText : t.dkimStays,
        copies: sender.dkimRecord
          ? [
              { label: fill(t.dnsName, { kind: 'DKIM (TXT)' }), value: sender.dkimRecord },
              { label: fill(t.dnsValue, { kind: 'DKIM' }), value: sender.dkimValue },
              { label: fill(t.dnsName, { kind: 'DMARC (TXT)' }), value: `_dmarc.${domain}` },
              { label: fill(t.dnsValue, { kind: 'DMARC' }), value: 'v=DMARC1; p=quarantine; adkim=s' },
            ]
          : [],
      },
    ],
  };
}
