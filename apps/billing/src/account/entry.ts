import { v5 as uuidv5 } from 'uuid';
import type { Actor } from '@invoicing/rules';

/** What every entry on an invoice's account says. It is inserted once and never changed; a mistake is reversed. */
interface Recorded {
  /** UUID: the operation's, or derived from the provider's id. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  /** Its place on the account, from 1 without gaps: two writers never take the same. */
  readonly ordinal: number;
  /** How many credit notes of the invoice were there when it took its place. */
  readonly creditsSeen: number;
  /** Cents, above 0; the type says which way it goes. */
  readonly amountCents: number;
  /** YYYY-MM-DD: when the money moved. */
  readonly date: string;
  /** When it was recorded. */
  readonly at: Date;
  /** Who recorded it. */
  readonly by: Actor;
  /** What one call recorded; a refund out of several payments is several entries. */
  readonly operationId: string;
}

/** Where money came from or went: a provider by its name, or one of these. */
export const BY_HAND: readonly string[] = ['bank', 'cash'];
/** Surplus of one invoice that pays another of the same customer. */
export const TRANSFER = 'transfer';

interface Money {
  /** bank, cash, transfer, or the name of a payment provider. */
  readonly provider: string;
  /** The provider's method id, e.g. ideal. */
  readonly method: string;
  /** The provider's id of the payment; of a payment by hand or a transfer an id of ours. */
  readonly paymentId: string;
  /** What the statement says. */
  readonly reference: string;
  readonly note: string;
}

export interface PaymentEntry extends Recorded, Money {
  readonly type: 'payment';
  readonly paidAt: Date;
  readonly checkoutId: string | null;
  /** How much more surplus there was after it. */
  readonly surplusCents: number;
  /** It first brought the open amount to zero, and carries `invoice.paid`. At most one on an account does. */
  readonly settles: boolean;
  /** Of a transfer: the invoice that it came from. */
  readonly otherInvoiceId?: string;
}

/** Money that goes back. It counts from when it is recorded, so that it cannot go back twice. */
export interface RefundEntry extends Recorded, Money {
  readonly type: 'refund';
  /** The payment that it gives back; null when it went back by hand. */
  readonly of: string | null;
  readonly reason: string;
  /** How much of it no credit covered when it was recorded: so much is credited with it. */
  readonly creditCents: number;
  /** False while a provider is yet to do it: a settlement or a reversal follows. */
  readonly done: boolean;
  /** The provider's id of a refund that was made there. */
  readonly providerId: string;
  /** Of a transfer: the invoice that it goes to. */
  readonly otherInvoiceId?: string;
}

/** The provider took a refund over: it moves no money, it says that the refund is no longer on its way. */
export interface SettlementEntry extends Recorded, Money {
  readonly type: 'settlement';
  readonly of: string;
  readonly reason: string;
  readonly providerId: string;
}

/** The payer's bank took a payment back. */
export interface ChargebackEntry extends Recorded, Money {
  readonly type: 'chargeback';
  readonly of: string;
  readonly providerId: string;
}

/** What nobody will pay any more. */
export interface WriteOffEntry extends Recorded {
  readonly type: 'write_off';
  readonly reason: 'rounding' | 'bad_debt';
  readonly note: string;
}

/** It was open when its due date had passed: told once in the life of an invoice. It moves no money; the amount is what was open. */
export interface OverdueEntry extends Recorded {
  readonly type: 'overdue';
}

/** Takes another entry back, whole. */
export interface ReversalEntry extends Recorded {
  readonly type: 'reversal';
  readonly of: string;
  readonly reason: string;
  /** The provider's id of what came here again; absent where nothing ever moved, or somebody took it back by hand. */
  readonly providerId?: string;
}

export type Entry =
  PaymentEntry | RefundEntry | SettlementEntry | ChargebackEntry | WriteOffEntry | ReversalEntry | OverdueEntry;

/** An entry before it takes its place. */
export type Unplaced<E extends Entry = Entry> = E extends Entry
  ? Omit<E, 'organizationId' | 'invoiceId' | 'ordinal' | 'creditsSeen' | 'at'>
  : never;

/** A credit note of the invoice: issued, it counts; there is no second record that could differ. */
export interface CreditApplied {
  readonly noteId: string;
  readonly invoiceId: string;
  readonly number: string;
  /** Its place among the invoice's credit notes, from 1 without gaps. */
  readonly ordinal: number;
  /** Cents including VAT. */
  readonly amountCents: number;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly at: Date;
  readonly reason: string;
}

// Ours alone, so that no id of another kind can be the same.
const NAMESPACE = '6b9a4c1e-2f57-5d38-8a90-7c1d5e3f2b46';

/** The id of the one entry about something that a provider has an id for. */
export const providerEntryId = (type: Entry['type'], provider: string, id: string): string =>
  uuidv5(`${type}:${provider}:${id}`, NAMESPACE);

/** The id of the one entry that can follow another: its reversal, its settlement, the payment that a transfer becomes. */
export const followingEntryId = (
  type: 'reversal' | 'settlement' | 'payment' | 'credit' | 'overdue',
  id: string,
): string => uuidv5(`${type} of ${id}`, NAMESPACE);

/** The id of the nth entry, from 0, of an operation that makes several. */
export const partEntryId = (operationId: string, index: number): string =>
  index === 0 ? operationId : uuidv5(`part ${index} of ${operationId}`, NAMESPACE);
