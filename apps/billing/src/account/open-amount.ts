import type { CreditApplied, Entry, PaymentEntry } from './entry';

/** Everything that the state of an account follows from. */
export interface AccountFacts {
  /** Of the document, including VAT. */
  readonly totalCents: number;
  /** Frozen on a document that was paid before it was issued; counts until the entry of that payment is there. */
  readonly prepayment?: { readonly provider: string; readonly id: string; readonly amountCents: number } | undefined;
  readonly credits: readonly Pick<CreditApplied, 'noteId' | 'amountCents'>[];
  readonly entries: readonly EntryFact[];
}

/** What the fold reads of an entry. */
export type EntryFact = Pick<Entry, '_id' | 'type' | 'amountCents'> &
  Partial<Pick<PaymentEntry, 'provider' | 'paymentId'>> & { readonly of?: string | null };

export type AccountState = 'sent' | 'partly_paid' | 'paid' | 'overpaid' | 'credited';

/** What is owed, in cents; none below 0. */
export interface OpenAmount {
  readonly totalCents: number;
  /** Still to be paid. */
  readonly openCents: number;
  /** Money that came in, before refunds and chargebacks. */
  readonly paidCents: number;
  readonly creditedCents: number;
  readonly refundedCents: number;
  readonly chargedBackCents: number;
  readonly writtenOffCents: number;
  /** Received and not owed: to be given back or moved. */
  readonly surplusCents: number;
  readonly state: AccountState;
}

/** Money that is here: received and neither given back nor taken back. */
export const receivedCents = ({ paidCents, refundedCents, chargedBackCents }: OpenAmount): number =>
  paidCents - refundedCents - chargedBackCents;

/**
 * The one fold over an account. It is a sum over a set: neither the order of the entries nor a repeat of one changes it. What was
 * given up (credited, written off) lowers what is owed, what came in and stayed covers it; more than is owed is surplus.
 */
export function openAmount(facts: AccountFacts): OpenAmount {
  const { totalCents, prepayment } = facts;
  // Of most invoices in a list nothing is known yet.
  if (facts.entries.length === 0 && facts.credits.length === 0 && !prepayment) return untouched(totalCents);
  const entries = effectiveEntries(facts.entries);
  const sumOf = (type: Entry['type']): number =>
    entries.reduce((sum, entry) => (entry.type === type ? sum + entry.amountCents : sum), 0);
  const creditedCents = sumOfCredits(facts.credits);
  const isTold = facts.entries.some(
    ({ type, provider, paymentId }) =>
      type === 'payment' && provider === prepayment?.provider && paymentId === prepayment?.id,
  );
  const paidCents = sumOf('payment') + (prepayment && !isTold ? prepayment.amountCents : 0);
  const [refundedCents, chargedBackCents, writtenOffCents] = [sumOf('refund'), sumOf('chargeback'), sumOf('write_off')];
  const owed = Math.max(0, totalCents - creditedCents - writtenOffCents);
  const received = paidCents - refundedCents - chargedBackCents;
  const sums = {
    totalCents,
    openCents: Math.max(0, owed - received),
    paidCents,
    creditedCents,
    refundedCents,
    chargedBackCents,
    writtenOffCents,
    surplusCents: Math.max(0, received - owed),
  };
  return { ...sums, state: stateOf(sums, received) };
}

const untouched = (totalCents: number): OpenAmount => ({
  totalCents,
  openCents: Math.max(0, totalCents),
  paidCents: 0,
  creditedCents: 0,
  refundedCents: 0,
  chargedBackCents: 0,
  writtenOffCents: 0,
  surplusCents: 0,
  state: 'sent',
});

function sumOfCredits(credits: AccountFacts['credits']): number {
  if (credits.length === 0) return 0;
  const byNote = new Map(credits.map(({ noteId, amountCents }) => [noteId, amountCents]));
  return [...byNote.values()].reduce((sum, cents) => sum + cents, 0);
}

function stateOf(
  { openCents, surplusCents, creditedCents }: Omit<OpenAmount, 'state'>,
  received: number,
): AccountState {
  if (surplusCents > 0) return 'overpaid';
  if (openCents > 0) return received > 0 ? 'partly_paid' : 'sent';
  if (received > 0) return 'paid';
  return creditedCents > 0 ? 'credited' : 'sent';
}

/** Each entry once, without those that a reversal took back. */
export function effectiveEntries<E extends EntryFact>(entries: readonly E[]): E[] {
  // One alone takes nothing back: most accounts have one entry at most, and a list folds a hundred of them.
  if (entries.length < 2) return [...entries];
  const byId = new Map(entries.map((entry) => [entry._id, entry]));
  const reversed = new Set([...byId.values()].flatMap(({ type, of }) => (type === 'reversal' && of ? [of] : [])));
  return [...byId.values()].filter(({ _id }) => !reversed.has(_id));
}
