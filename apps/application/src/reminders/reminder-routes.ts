import { ExceptFromRemindersRequest } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import type { PageBlock } from '../pages/blocks';
import { faultList, fieldOf, filledFields, noFaults, submit, type Faults } from '../pages/form-request';
import { cursorOf, doneNotice, idOf } from '../pages/list-request';
import { fill } from '../pages/texts';
import { show, type Workplace } from '../pages/visit';
import type { AddPart, Part } from '../pages/workplace-routes';
import type { Peers } from '../peers-client';
import { customerNames } from '../invoices/invoice-table';
import { remindersPage } from './reminder-pages';

const LISTED = 50;

/** Reminders that were sent, and who is not reminded. */
export const reminderRoutes =
  (peers: Peers): AddPart =>
  (part) => {
    part.get(
      '/reminders',
      async (place, request, response) => {
        const { organizationId } = place;
        const asked = { organizationId, limit: LISTED, cursor: cursorOf(request), invoiceId: undefined };
        const [{ reminders, cursor }, { exceptions }, plan] = await Promise.all([
          peers.reminders.listReminders(asked, place.call()),
          peers.reminders.listReminderExceptions({ organizationId }, place.call()),
          peers.reminders.getReminderPlan({ organizationId, profileId: undefined }, place.call()),
        ]);
        const customers = exceptions.filter(({ kind }) => kind === 'customer').map(({ id }) => ({ customerId: id }));
        const names = await customerNames(peers, place, customers);
        const notice = doneNotice(request, place.t);
        show(response, place, remindersPage(place, { reminders, cursor, exceptions, names, plan, notice }));
      },
      'invoices.read',
    );
    except(peers, part);
  };

/** A customer or an invoice is reminded no more, or again. */
function except({ reminders }: Peers, part: Part): void {
  part.get(
    '/reminders/except',
    (place, { query }, response) => {
      const said = whomOf({ customer: query['customer'], invoice: query['invoice'] });
      show(response, place, exceptPage(place, said, noFaults));
    },
    'payments.record',
  );

  part.post(
    '/reminders/except',
    (place, request, response) => {
      const { organizationId, at, call } = place;
      const remove = fieldOf(request, 'remove') === 'yes';
      const whom = whomOf(filledFields(request, ['customer', 'invoice']));
      return submit(
        place,
        response,
        async () => {
          const said = { customerId: whom.customer, invoiceId: whom.invoice, reason: fieldOf(request, 'reason') };
          await reminders.exceptFromReminders(
            ExceptFromRemindersRequest.fromPartial({ organizationId, ...said, remove }),
            call(),
          );
          return `${at('reminders')}?done=yes`;
        },
        (faults) => show(response, place, exceptPage(place, whom, faults), response.statusCode),
      );
    },
    'payments.record',
  );
}

interface Whom {
  readonly customer?: string;
  readonly invoice?: string;
}

/** Throws `not_found` for what names neither. */
const whomOf = ({ customer, invoice }: { readonly customer?: unknown; readonly invoice?: unknown }): Whom =>
  invoice === undefined ? { customer: idOf(customer) } : { invoice: idOf(invoice) };

function exceptPage({ t, at }: Workplace, whom: Whom, faults: Faults): PageBlock {
  const back = at(whom.invoice === undefined ? `customers/${whom.customer ?? ''}` : `invoices/${whom.invoice}`);
  return {
    title: t.remindNoMore,
    intro: fill(t.remindNoMoreText, { what: whom.invoice === undefined ? t.customer : t.invoice }),
    back: { label: whom.invoice === undefined ? t.customer : t.invoice, href: back },
    notice: faults.notice,
    faults: faultList(faults),
    isNarrow: true,
    sections: [
      {
        forms: [
          {
            ...{ action: at('reminders/except'), submit: t.remindNoMore, cancel: back, hidden: { ...whom } },
            fields: [
              {
                ...{ name: 'reason', label: t.reason, value: '', required: true, maxLength: 500 },
                fault: faults.fields['reason'],
              },
            ],
          },
        ],
      },
    ],
  };
}
