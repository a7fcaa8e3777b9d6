import {
  AccountState,
  EntryProgress,
  EntryType,
  type AccountChange,
  type AccountEntry,
  type InvoiceAccount,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import { CURRENCY } from '../organizations/organization';
import type { Account } from './account';
import type { CreditApplied, Entry } from './entry';
import { listEntries, progressOf, type ListedEntry } from './list-entries';

export const ACCOUNT_STATES = {
  sent: AccountState.SENT,
  partly_paid: AccountState.PARTLY_PAID,
  paid: AccountState.PAID,
  overpaid: AccountState.OVERPAID,
  credited: AccountState.CREDITED,
} as const;

const TYPES = {
  payment: EntryType.PAYMENT,
  refund: EntryType.REFUND,
  chargeback: EntryType.CHARGEBACK,
  write_off: EntryType.WRITE_OFF,
  reversal: EntryType.REVERSAL,
} as const;

const PROGRESS = {
  done: EntryProgress.DONE,
  pending: EntryProgress.PENDING,
  reversed: EntryProgress.REVERSED,
} as const;

export const toAccount = (invoiceId: string, { now: { state, ...sums } }: Account): InvoiceAccount => ({
  invoiceId,
  state: ACCOUNT_STATES[state],
  currency: CURRENCY,
  ...sums,
});

export const toEntries = (account: Account): AccountEntry[] =>
  listEntries(account).map((each) => ('credit' in each ? toCredit(each.credit) : toEntry(each)));

/** What an operation recorded, and where the account stands now. */
export const toChange = (
  invoiceId: string,
  account: Account,
  entries: readonly Entry[],
  surplusCents = 0,
): AccountChange => ({
  entries: entries.flatMap((entry) =>
    entry.type === 'settlement' || entry.type === 'overdue'
      ? []
      : [toEntry({ entry, progress: progressOf(entry, account.entries) })],
  ),
  account: toAccount(invoiceId, account),
  surplusCents,
});

function toEntry({ entry, progress }: ListedEntry): AccountEntry {
  const { _id: id, type, amountCents, date, by, at } = entry;
  const isMoney = type === 'payment' || type === 'refund' || type === 'chargeback';
  return {
    id,
    type: TYPES[type],
    amountCents,
    date,
    by: by.label ?? by.id,
    at,
    progress: PROGRESS[progress],
    provider: isMoney ? entry.provider : '',
    method: isMoney ? entry.method : '',
    providerId: type === 'payment' ? entry.paymentId : isMoney ? entry.providerId : '',
    entryId: 'of' in entry ? (entry.of ?? undefined) : undefined,
    reference: isMoney ? entry.reference : '',
    reason: 'reason' in entry ? entry.reason : '',
    note: 'note' in entry ? entry.note : '',
    number: undefined,
    otherInvoiceId: 'otherInvoiceId' in entry ? entry.otherInvoiceId : undefined,
  };
}

const toCredit = ({ noteId, amountCents, date, at, reason, number }: CreditApplied): AccountEntry => ({
  id: noteId,
  type: EntryType.CREDIT,
  amountCents,
  date,
  by: '',
  at,
  progress: EntryProgress.DONE,
  provider: '',
  method: '',
  providerId: '',
  entryId: undefined,
  reference: '',
  reason,
  note: '',
  number,
  otherInvoiceId: undefined,
});
