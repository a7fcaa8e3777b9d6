import { notFoundError, validationError } from '@invoicing/errors';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { AccountPorts } from '../billing-ports';
import { effectiveEntries, openAmount, type AccountFacts, type OpenAmount } from './open-amount';
import type { CreditApplied, Entry, PaymentEntry } from './entry';

/** The account of an invoice as it is now. */
export interface Account {
  readonly entries: readonly Entry[];
  readonly credits: readonly CreditApplied[];
  readonly now: OpenAmount;
}

type Reads = Pick<AccountPorts, 'accounts' | 'invoices'>;

/** What became of an issued invoice's amount: its entries, the credit notes of it, and what they add up to. */
export async function readAccount({ accounts, invoices }: Reads, invoice: IssuedInvoice): Promise<Account> {
  const entries = await accounts.entriesOf(invoice);
  // After the entries, never beside them: so whoever takes the next place has seen every credit note that the one before saw.
  const credits = await invoices.creditsOf(invoice.organizationId, [invoice._id]);
  return { entries, credits, now: openAmount(factsOf(invoice, credits, entries)) };
}

export const factsOf = (
  invoice: Pick<IssuedInvoice, 'kind' | 'totals' | 'prepayment'>,
  credits: AccountFacts['credits'],
  entries: AccountFacts['entries'],
): AccountFacts => ({
  // What a credit note gives back is on the account of its invoice; nobody pays it.
  totalCents: invoice.kind === 'invoice' ? invoice.totals.inclCents : 0,
  prepayment: invoice.prepayment,
  credits,
  entries,
});

/** Paid: nothing is open and money was received. */
export const isPaid = ({ state }: Pick<OpenAmount, 'state'>): boolean => state === 'paid' || state === 'overpaid';

/** The payment that a paid invoice is said to be paid by: the one that settled it, else the last. */
export function settledBy({ entries, now }: Account): PaymentEntry | null {
  if (!isPaid(now)) return null;
  const payments = effectiveEntries(entries).filter((entry): entry is PaymentEntry => entry.type === 'payment');
  return payments.find(({ settles }) => settles) ?? payments.at(-1) ?? null;
}

/** The issued invoice that an account belongs to. Throws `not_found`, or `validation` for a credit note. */
export async function accountInvoice(
  { invoices }: Pick<AccountPorts, 'invoices'>,
  organizationId: string,
  invoiceId: string,
): Promise<IssuedInvoice> {
  const issued = await invoices.find(organizationId, invoiceId);
  if (!issued) throw notFoundError('the invoice');
  if (issued.kind !== 'invoice') throw validationError([{ path: '/invoiceId', message: 'is a credit note' }]);
  return issued;
}
