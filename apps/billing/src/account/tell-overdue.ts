import { AppError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import type { AccountPorts } from '../billing-ports';
import { addDays, businessDate } from '../invoices/business-date';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { startOfDay } from '../subscriptions/recurrence';
import { appendEntry } from './append-entry';
import { followingEntryId } from './entry';

const BILLING: Actor = { kind: 'service', id: 'billing' };

/**
 * Records that an invoice is overdue: its due date has passed in the organisation's zone and something is open. Once in its life: the entry
 * has one id, and takes its place on the account, so that a payment that comes meanwhile is seen.
 * @returns when to look again, if its due date is still to pass.
 */
export async function tellOverdue(
  ports: Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'>,
  issued: IssuedInvoice,
): Promise<Date | undefined> {
  const organization = await ports.organizations.find(issued.organizationId);
  if (!organization) throw new AppError('absent', 'organization_gone', 'the organisation does not exist');
  const { timezone } = organization.details;
  const date = businessDate(ports.now(issued.organizationId), timezone);
  if (date <= issued.dueDate) return startOfDay(addDays(issued.dueDate, 1), timezone);
  const _id = followingEntryId('overdue', issued._id);
  await appendEntry(ports, issued, ({ now, entries }) =>
    now.openCents === 0 || entries.some((entry) => entry._id === _id)
      ? undefined
      : { entry: { type: 'overdue', _id, amountCents: now.openCents, date, by: BILLING, operationId: _id } },
  );
  return undefined;
}
