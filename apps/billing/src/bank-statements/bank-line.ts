import { createHash } from 'node:crypto';
import { v5 as uuidv5 } from 'uuid';
import type { Actor } from '@invoicing/rules';

/** One booked movement as a statement says it, whatever the format. Empty texts where the statement says nothing. */
export interface StatementLine {
  /** IBAN of the account that the statement is of. */
  readonly account: string;
  /** YYYY-MM-DD. */
  readonly bookedOn: string;
  /** Cents; above 0 came in. */
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly counterName: string;
  readonly counterIban: string;
  /** The bank's own, unique for a movement where there is one. */
  readonly bankReference: string;
  /** The payer's own. */
  readonly endToEndId: string;
  /** Structured, e.g. ISO 11649 (RF…). */
  readonly creditorReference: string;
  readonly text: string;
  /** It takes an earlier movement back, or is a sum of several without their amounts: never booked by itself. */
  readonly special?: 'reversal' | 'batch' | undefined;
  /** Balance after it, where the format says one. */
  readonly balanceCents?: number | undefined;
}

/** What a parser tells of a file, in its order. */
export type StatementPart =
  | { readonly kind: 'line'; readonly line: StatementLine }
  /** Told when its last line has been. */
  | { readonly kind: 'statement'; readonly statement: StatementHead };

/** A statement as a whole. */
export interface StatementHead {
  readonly account: string;
  /** The bank's number of it; empty where there is none. */
  readonly number: string;
  /** Dates of its balances, else of its first and last line; YYYY-MM-DD. */
  readonly from: string;
  readonly to: string;
  /** Cents; absent where the format has none. */
  readonly openingCents?: number | undefined;
  readonly closingCents?: number | undefined;
  readonly lineCount: number;
  readonly sumCents: number;
}

/** What is known for one of them to be it. */
export type Evidence =
  /** A valid RF reference (ISO 11649) of its number. */
  | 'reference'
  /** Its number, standing alone in what the payer wrote. */
  | 'number'
  /** Exactly what is open. */
  | 'amount'
  /** The buyer's IBAN, or one that paid for this customer, and no other, before. */
  | 'iban'
  /** The account holder is who the invoice is addressed to. */
  | 'name';

/** An invoice that a line may be for. */
export interface Candidate {
  readonly invoiceId: string;
  readonly number: string;
  readonly customerId: string;
  /** When the line was looked at. */
  readonly openCents: number;
  readonly evidence: readonly Evidence[];
}

/** Why nobody but a person can say what a line is for. */
export type Why =
  | 'names_nothing'
  | 'names_several'
  | 'not_open'
  | 'amount_differs'
  | 'payer_unknown'
  | 'similar_number'
  | 'namesake'
  | 'foreign_currency'
  | 'money_out'
  | 'reversal'
  | 'batch'
  | 'changed_meanwhile'
  | 'undone';

/** By which rule a line was booked. */
export type Rule = 'reference' | 'number' | 'person';

/** What the rules make of a line. */
export type Verdict =
  | { readonly kind: 'book'; readonly rule: Exclude<Rule, 'person'>; readonly candidate: Candidate }
  | { readonly kind: 'ask'; readonly why: Why; readonly candidates: readonly Candidate[] }
  /** Money that went out and names no invoice of ours. */
  | { readonly kind: 'leave' };

/** A part of a line on the account of an invoice. */
export interface Booking {
  readonly invoiceId: string;
  readonly number: string;
  readonly customerId: string;
  readonly amountCents: number;
}

export type BankLineState =
  /** Its entries are being made; whoever finds it goes on. */
  | 'booking'
  | 'booked'
  | 'question'
  /** Its entries are being reversed. */
  | 'undoing'
  /** A person said that it is for no invoice. */
  | 'no_invoice'
  /** Money out that names no invoice. */
  | 'money_out';

/** A line as it is kept: what the statement said never changes, what was made of it does. */
export interface BankLine extends StatementLine {
  readonly _id: string;
  readonly organizationId: string;
  readonly importId: string;
  readonly createdAt: Date;
  readonly state: BankLineState;
  readonly rule?: Rule | undefined;
  readonly why?: Why | undefined;
  readonly candidates: readonly Candidate[];
  /** While booking, booked and undoing. */
  readonly bookings: readonly Booking[];
  /** How often it was undone: entries of another try are others. */
  readonly tries: number;
  /** Who decided: whoever imported it, or answered. */
  readonly by: Actor;
  /** What a person said about it. */
  readonly note?: string | undefined;
  /** While booking or undoing: when somebody else goes on, should its writer not. */
  readonly dueAt?: Date | undefined;
}

// Ours alone, so that no id of another kind can be the same.
const NAMESPACE = '3c1c8a1a-97b5-5d0c-bb7e-62616e6b0001';

/** What makes a movement another one: the bank's reference where there is one, else all that the statement says. */
export function contentOf(line: StatementLine): string {
  const { account, bookedOn, amountCents, currency, bankReference } = line;
  const { counterIban, counterName, creditorReference, endToEndId, text, balanceCents = '' } = line;
  const said = bankReference
    ? [bankReference]
    : [counterIban, counterName, creditorReference, endToEndId, text.replace(/\s+/g, ' ').trim(), balanceCents];
  const parts = [account, bookedOn, amountCents, currency, ...said];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The id of the nth line (from 1) of a day with this content: the same in every statement that has it. */
export const bankLineId = (organizationId: string, content: string, ordinal: number): string =>
  uuidv5(`${organizationId}:${content}:${ordinal}`, NAMESPACE);

/** The id of the payment that a part of a line is on an invoice's account. */
export const bankPaymentId = ({ _id, tries }: Pick<BankLine, '_id' | 'tries'>, part: number): string =>
  uuidv5(`payment:${_id}:${tries}:${part}`, NAMESPACE);

/** The id of a statement: the same when it is imported again. */
export const statementId = (organizationId: string, head: StatementHead): string => {
  const { account, number, from, to, openingCents = '', closingCents = '', lineCount, sumCents } = head;
  const parts = [account, number, from, to, openingCents, closingCents, lineCount, sumCents];
  return uuidv5(`statement:${organizationId}:${JSON.stringify(parts)}`, NAMESPACE);
};
