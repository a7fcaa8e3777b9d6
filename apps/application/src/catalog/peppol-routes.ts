import type { Request } from 'express';
import type { Customer } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import type { Recipient } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import { validationError } from '@invoicing/errors';
import { endpointOf, isParticipant, participantOf } from '@invoicing/rules';
import { plain, type Cell, type NoticeBlock, type SectionBlock } from '../pages/blocks';
import { unlessAway } from '../pages/error-page';
import { moment } from '../pages/format';
import { submit } from '../pages/form-request';
import { idOf } from '../pages/list-request';
import type { Texts } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';

/** Whether a customer receives e-invoices over Peppol is asked of the network; the answer is kept. */
export const peppolRoutes =
  ({ peppol, customers }: Peers): AddPart =>
  (part) =>
    part.post(
      '/customers/:id/peppol',
      (place, request, response) => {
        const { t, at, organizationId } = place;
        const customerId = idOf(request.params['id']);
        const back = at(`customers/${customerId}`);
        return submit(
          place,
          response,
          async () => {
            const participant = participantOfCustomer(
              await customers.getCustomer({ organizationId, customerId }, place.call()),
            );
            if (participant === undefined) throw validationError([{ path: '', message: 'has no address on Peppol' }]);
            const asked = { organizationId, participant, refresh: true, onlyKnown: false };
            const found = await peppol.lookupRecipient(asked, place.call()).catch(unlessAway);
            return `${back}?${found ? 'done=yes' : 'peppol=away'}`;
          },
          ({ notice }) => {
            const page = { title: t.peppol, back: { label: t.customer, href: back }, isNarrow: true, sections: [] };
            show(response, place, { ...page, notice }, response.statusCode);
          },
        );
      },
      'customers.write',
    );

/** As the network finds a customer: by the register number or the VAT id; undefined when neither is known. */
function participantOfCustomer({ details }: Customer): string | undefined {
  const { countryCode = '', kvkNumber = '', btwId = '' } = details ?? {};
  const address = endpointOf({ countryCode, kvkNumber, btwId });
  const participant = address ? participantOf(address) : '';
  return isParticipant(participant) ? participant : undefined;
}

/** What the network last said of a customer; undefined when nothing is known, or cannot be asked just now. */
export async function knownRecipient(
  { peppol }: Peers,
  place: Workplace,
  customer: Customer,
): Promise<Recipient | undefined> {
  const participant = participantOfCustomer(customer);
  if (participant === undefined) return undefined;
  const { organizationId } = place;
  const asked = { organizationId, participant, refresh: false, onlyKnown: true };
  const known = await peppol.lookupRecipient(asked, place.call()).catch(unlessAway);
  return known?.lookedUpAt && known;
}

/** After the access point gave no answer: that nothing is known. */
export const peppolNotice = (t: Texts, request: Request): NoticeBlock | undefined =>
  request.query['peppol'] === 'away' ? { tone: 'warning', title: t.peppolAway, text: t.peppolAwayText } : undefined;

/** What the network said, and the button that asks it; none where it could not find the customer. */
export function peppolSections(
  { t, at, language, timeZone }: Workplace,
  customer: Customer,
  known: Recipient | undefined,
): SectionBlock[] {
  const participant = participantOfCustomer(customer);
  if (participant === undefined) return [];
  const receives: Cell = known?.receives
    ? { text: t.peppolReceives, tone: 'good' }
    : { text: t.peppolReceivesNot, tone: 'warning' };
  return [
    {
      title: t.peppol,
      text: t.peppolText,
      facts: [
        [t.peppolParticipant, plain(participant)],
        ...(known
          ? ([
              [t.state, receives],
              [t.viesWhen, plain(moment(known.lookedUpAt, language, timeZone))],
            ] as const)
          : []),
      ],
      forms: [{ action: at(`customers/${customer.id}/peppol`), submit: t.peppolAsk, tone: '' }],
    },
  ];
}
