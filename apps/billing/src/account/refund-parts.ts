import { validationError } from '@invoicing/errors';
import type { Account } from './account';
import { effectiveEntries, receivedCents } from './open-amount';
import { BY_HAND, TRANSFER, type Entry, type PaymentEntry, type RefundEntry } from './entry';

export interface RefundAsk {
  /** Absent: all that was received. */
  readonly amountCents?: number | undefined;
  /** '': through the providers that it came from; bank or cash: it went back already. */
  readonly through: string;
  /** Only what is surplus. */
  readonly surplusOnly: boolean;
  /** The payment to give back; absent: the newest that has enough. */
  readonly entryId?: string | undefined;
}

/** What is given back of one payment; null: by hand, of no one payment. */
export interface RefundPart {
  readonly payment: PaymentEntry | null;
  readonly amountCents: number;
}

/**
 * What of a refund is still to be recorded, after the parts that are; undefined when nothing is. Throws `validation` when so much cannot go
 * back that way.
 */
export function nextPart(account: Account, recorded: readonly RefundEntry[], ask: RefundAsk): RefundPart | undefined {
  // One that was refused: whether it goes back another way is for a person to say.
  const standing = effectiveEntries(account.entries);
  if (recorded.some((part) => !standing.includes(part))) return undefined;
  const received = receivedCents(account.now);
  const available = ask.surplusOnly ? Math.min(account.now.surplusCents, received) : received;
  const done = recorded.reduce((sum, { amountCents }) => sum + amountCents, 0);
  const wanted = (ask.amountCents ?? done + Math.max(0, available)) - done;
  const rest = ask.surplusOnly ? Math.min(wanted, available) : wanted;
  if (rest <= 0 && (recorded.length > 0 || ask.surplusOnly)) return undefined;
  if (rest <= 0) throw tooMuch('nothing that was received is left to give back');
  if (rest > available) throw tooMuch(`at most ${Math.max(0, available)} of what was received is left to give back`);
  if (BY_HAND.includes(ask.through)) return { payment: null, amountCents: rest };
  return partThroughProvider(account.entries, rest, ask);
}

function partThroughProvider(
  entries: readonly Entry[],
  wanted: number,
  { entryId, surplusOnly }: RefundAsk,
): RefundPart | undefined {
  const payments = refundablePayments(entries).filter(
    ({ payment }) => entryId === undefined || payment._id === entryId,
  );
  const total = payments.reduce((sum, { amountCents }) => sum + amountCents, 0);
  // What was too much and has gone back meanwhile is not too much any more.
  const rest = surplusOnly ? Math.min(wanted, total) : wanted;
  if (rest === 0) return undefined;
  if (rest > total) {
    const where = entryId === undefined ? 'through a provider' : 'of this payment through its provider';
    throw tooMuch(`at most ${total} can go back ${where}; what went back by bank or in cash is recorded as such`);
  }
  const { payment, amountCents } = payments.find((each) => each.amountCents >= rest) ?? payments[0]!;
  return { payment, amountCents: Math.min(rest, amountCents) };
}

/** Payments of providers with what is left of each, the newest first. */
function refundablePayments(entries: readonly Entry[]): { payment: PaymentEntry; amountCents: number }[] {
  const effective = effectiveEntries(entries);
  return effective
    .filter((entry): entry is PaymentEntry => entry.type === 'payment' && isOfProvider(entry))
    .map((payment) => ({ payment, amountCents: payment.amountCents - goneOf(payment, effective) }))
    .filter(({ amountCents }) => amountCents > 0)
    .reverse();
}

const goneOf = ({ _id }: PaymentEntry, entries: readonly Entry[]): number =>
  entries.reduce(
    (sum, entry) =>
      (entry.type === 'refund' || entry.type === 'chargeback') && entry.of === _id ? sum + entry.amountCents : sum,
    0,
  );

/** Whether a payment provider has it, who says what becomes of it. */
const isOfProvider = ({ provider }: { readonly provider: string }): boolean =>
  provider !== TRANSFER && !BY_HAND.includes(provider);

const tooMuch = (message: string): Error => validationError([{ path: '/amountCents', message }]);
