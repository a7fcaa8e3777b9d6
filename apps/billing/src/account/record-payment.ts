import { AppError, validationError, type Violation } from '@invoicing/errors';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { accountInvoice, readAccount, type Account } from './account';
import type { AccountPorts } from '../billing-ports';
import { afterwards, appendEntry, operationInUse, type Operation } from './append-entry';
import { BY_HAND, providerEntryId, type PaymentEntry } from './entry';
import { amountFault, moneyDate, textFaults } from './entry-input';

export interface PaymentInput {
  readonly amountCents: number;
  readonly provider: string;
  readonly method: string;
  /** Empty by hand: there the operation names it. */
  readonly paymentId: string;
  /** Of a provider. */
  readonly paidAt?: Date | undefined;
  /** YYYY-MM-DD, by hand. */
  readonly date?: string | undefined;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  readonly checkoutId?: string | null | undefined;
  readonly otherInvoiceId?: string | undefined;
}

export interface PaymentRecorded {
  readonly issued: IssuedInvoice;
  readonly entry: PaymentEntry;
  readonly account: Account;
}

type Reads = Pick<AccountPorts, 'accounts' | 'invoices' | 'organizations' | 'now'>;

/**
 * Records money that came in, whatever is open; what is too much is surplus, and the entry says so. A provider's payment is recorded once,
 * however often and by whomever it is told. `exact`: refuse what is not the whole sum of an invoice that has no payment yet;
 * `onlyIfOpen`: what is not exactly open when it takes its place. Throws `not_found`, `validation`, `already_paid` (the provider's
 * payment stands on another invoice's account; or by `exact`), or `conflict` (by `onlyIfOpen`).
 */
export async function recordPayment(
  ports: Reads,
  organizationId: string,
  invoiceId: string,
  input: PaymentInput,
  operation: Operation,
  options: { readonly exact?: boolean; readonly onlyIfOpen?: boolean } = {},
): Promise<PaymentRecorded> {
  const issued = await accountInvoice(ports, organizationId, invoiceId);
  const asked = await checkPayment(ports, issued, input, operation, options.exact === true);
  let entry: PaymentEntry | undefined;
  const appended = await appendEntry(ports, issued, async (account) => {
    entry = account.entries.find((each): each is PaymentEntry => isSamePayment(each, asked));
    if (entry?.operationId === operation.id && entry.amountCents !== asked.amountCents) throw operationInUse();
    if (entry) return undefined;
    const paid = await ports.accounts.find(organizationId, asked._id);
    if (paid && paid.invoiceId !== invoiceId) throw alreadyPaid('the payment paid another invoice');
    if (options.onlyIfOpen && account.now.openCents !== asked.amountCents)
      throw new AppError('conflict', 'conflict', `${account.now.openCents} is open, not ${asked.amountCents}`);
    const after = afterwards(issued, account, asked);
    if (options.exact && after.surplusCents > account.now.surplusCents)
      throw alreadyPaid('the invoice is paid by another payment');
    return { entry: { ...asked, ...consequencesOf(issued, account, asked, after) } };
  });
  return {
    issued,
    entry: (appended ?? entry) as PaymentEntry,
    account: await readAccount(ports, issued),
  };
}

type Asked = Omit<
  PaymentEntry,
  'organizationId' | 'invoiceId' | 'ordinal' | 'creditsSeen' | 'at' | 'surplusCents' | 'settles'
>;

async function checkPayment(
  { organizations, now }: Reads,
  issued: IssuedInvoice,
  input: PaymentInput,
  { id, by }: Operation,
  exact: boolean,
): Promise<Asked> {
  const organization = await organizations.find(issued.organizationId);
  const violations: Violation[] = textFaults(input);
  const { provider, amountCents } = input;
  if (provider === '') violations.push({ path: '/payment/id', message: 'provider and id are required' });
  const isByHand = BY_HAND.includes(provider) && input.paymentId === '';
  if (!isByHand && (input.paymentId === '' || !input.paidAt) && provider !== '')
    violations.push({ path: '/payment/id', message: 'provider and id are required' });
  const isWrong = exact ? amountCents !== issued.totals.inclCents : amountFault(amountCents) !== undefined;
  if (isWrong) {
    const message = exact ? `must be ${issued.totals.inclCents}` : (amountFault(amountCents) ?? '');
    violations.push({ path: exact ? '/payment/amountCents' : '/amountCents', message });
  }
  const date = moneyDate(
    input.paidAt ?? input.date,
    now(issued.organizationId),
    organization?.details.timezone,
    violations,
  );
  if (violations.length > 0) throw validationError(violations);
  const paymentId = isByHand ? id : input.paymentId;
  return {
    type: 'payment',
    _id: isByHand ? id : providerEntryId('payment', provider, paymentId),
    amountCents,
    date,
    by,
    operationId: id,
    provider,
    method: input.method || (provider === 'bank' ? 'banktransfer' : provider),
    paymentId,
    paidAt: input.paidAt ?? new Date(`${date}T00:00:00Z`),
    checkoutId: input.checkoutId ?? null,
    reference: input.reference ?? '',
    note: input.note ?? '',
    ...(input.otherInvoiceId !== undefined && { otherInvoiceId: input.otherInvoiceId }),
  };
}

/** What this payment does to the account, fixed by the place that it takes. */
function consequencesOf(
  { prepayment }: IssuedInvoice,
  { now, entries }: Account,
  { provider, paymentId }: Asked,
  after: Account['now'],
): Pick<PaymentEntry, 'surplusCents' | 'settles'> {
  // The document was issued as paid by it: nothing was open, because this was to come.
  const isPrepayment = prepayment?.provider === provider && prepayment.id === paymentId;
  const wasOpen = now.openCents > 0 || isPrepayment;
  const isFirst = !entries.some((entry) => entry.type === 'payment' && entry.settles);
  return {
    surplusCents: after.surplusCents - now.surplusCents,
    settles: isFirst && wasOpen && after.openCents === 0,
  };
}

const isSamePayment = (entry: Account['entries'][number], { provider, paymentId }: Asked): boolean =>
  entry.type === 'payment' && entry.provider === provider && entry.paymentId === paymentId;

const alreadyPaid = (message: string): AppError => new AppError('exists', 'already_paid', message);
