import {
  openCollection,
  personalPage,
  type Connection,
  type Erasure,
  type Held,
  type History,
  type PersonalSource,
} from '@invoicing/mongo';
import { openEntries } from './account/account-store';
import { openBankLines } from './bank-statements/bank-store';
import { draftCollection } from './invoices/draft-store';
import { openInvoices } from './invoices/invoice-store';
import { openSubscriptions, waitingCollection } from './subscriptions/subscription-store';

const PAGE = 200;
const idsOf = (documents: readonly Held[]): string[] => documents.map(({ _id }) => _id);

/** In what billing may name a customer. Issued documents, their accounts and bank statements stay: the law asks for them. */
export async function openPersonalData(
  connection: Connection,
  history: Pick<History, 'copyNow'>,
): Promise<PersonalSource[]> {
  const drafts = await openCollection(connection, draftCollection);
  const invoices = await openInvoices(connection);
  const entries = await openEntries(connection);
  const subscriptions = await openSubscriptions(connection);
  const bankLines = await openBankLines(connection);
  const waiting = await openCollection(connection, waitingCollection);
  return [
    {
      data: 'billing.subscriptions',
      page: ({ organizationId, customerId }, cursor) =>
        personalPage(subscriptions, { organizationId, customerId }, cursor, ['lease', 'leaseUntil']),
      erase: async ({ organizationId }, documents) => {
        const ids = { $in: idsOf(documents) };
        await history.copyNow(organizationId);
        await waiting.deleteMany({ organizationId, subscriptionId: ids });
        return erased(documents, (await subscriptions.deleteMany({ organizationId, _id: ids })).deletedCount);
      },
    },
    {
      data: 'billing.drafts',
      page: ({ organizationId, customerId }, cursor) => personalPage(drafts, { organizationId, customerId }, cursor),
      erase: async ({ organizationId }, documents) => {
        const those = { organizationId, _id: { $in: idsOf(documents) } };
        await drafts.updateMany({ ...those, state: 'draft' }, { $set: { state: 'deleted', open: false } });
        // One that is being issued is an invoice in a moment.
        return erased(
          documents,
          (await drafts.updateMany({ ...those, open: false }, { $set: { lines: [] } })).matchedCount,
        );
      },
    },
    {
      data: 'billing.invoices',
      page: ({ organizationId, customerId }, cursor) =>
        personalPage(invoices, { organizationId, customerId }, cursor, ['outbox', 'dueAt']),
    },
    {
      data: 'billing.account_entries',
      page: async ({ organizationId, subjectIds }, cursor = '0') => {
        const items = await entries
          .find({ organizationId, invoiceId: { $in: [...subjectIds] } }, { outbox: 0, dueAt: 0 })
          .sort({ organizationId: 1, invoiceId: 1, ordinal: 1 })
          .skip(Number(cursor) || 0)
          .limit(PAGE)
          .lean<Held[]>()
          .exec();
        return { items, ...(items.length === PAGE && { next: String(Number(cursor) + PAGE) }) };
      },
    },
    {
      data: 'billing.bank_lines',
      page: ({ organizationId, customerId }, cursor) =>
        personalPage(bankLines, { organizationId, 'bookings.customerId': customerId }, cursor, ['dueAt']),
    },
  ];
}

const erased = (documents: readonly Held[], count: number): Erasure => ({
  erased: count,
  postponed: documents.length - count,
});
