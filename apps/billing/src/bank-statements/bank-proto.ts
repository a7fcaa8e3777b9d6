import {
  BankLineState as State,
  type BankLine as Line,
  type BankStatement,
} from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import type { BankLine, BankLineState, StatementHead } from './bank-line';
import { bankEntryId } from './book-line';
import { fits } from './statement-gaps';

const STATES = {
  booking: State.BOOKING,
  booked: State.BOOKED,
  question: State.QUESTION,
  undoing: State.UNDOING,
  no_invoice: State.NO_INVOICE,
  money_out: State.MONEY_OUT,
} as const satisfies Record<BankLineState, State>;

/** Undefined: any. */
export const fromState = (state: State): BankLineState | undefined =>
  (Object.keys(STATES) as BankLineState[]).find((each) => STATES[each] === state);

export const toLine = (line: BankLine): Line => ({
  id: line._id,
  organizationId: line.organizationId,
  importId: line.importId,
  account: line.account,
  bookedOn: line.bookedOn,
  amountCents: line.amountCents,
  currency: line.currency,
  counterName: line.counterName,
  counterIban: line.counterIban,
  text: line.text,
  creditorReference: line.creditorReference,
  state: STATES[line.state],
  rule: line.rule ?? '',
  why: line.why ?? '',
  candidates: line.candidates.map((each) => ({ ...each, evidence: [...each.evidence] })),
  bookings: line.bookings.map(({ invoiceId, number, amountCents }, part) => ({
    ...{ invoiceId, number, amountCents },
    entryId: bankEntryId(line, part),
  })),
  by: line.by.label ?? line.by.id,
  note: line.note ?? '',
  createdAt: line.createdAt,
});

export const toStatement = (statement: StatementHead): BankStatement => {
  const { account, number, from, to, openingCents, closingCents, lineCount } = statement;
  return { account, number, from, to, openingCents, closingCents, lineCount, fits: fits(statement) };
};
