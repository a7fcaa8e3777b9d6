import { AppError, notFoundError, validationError, type Violation } from '@invoicing/errors';
import { accountInvoice, readAccount } from '../account/account';
import type { Operation } from '../account/append-entry';
import { amountFault, textFaults } from '../account/entry-input';
import type { RecordedAs } from '../invoices/invoice-ports';
import type { BankLine, Booking } from './bank-line';
import type { BankPorts } from './bank-ports';
import { LINE_LEASE_MS, settleLine } from './book-line';

const MAX_PARTS = 50;

/** What a line is for, as a person says it. */
export interface Answer {
  /** None: for no invoice. */
  readonly parts: readonly { readonly invoiceId: string; readonly amountCents?: number | undefined }[];
  readonly note: string;
}

/**
 * A person says what a line is for: it goes onto the accounts of these invoices, whatever is open on them (what is too much is surplus), or
 * is for none. The same answer again changes nothing. Throws `not_found`, `validation`, or `conflict` when it is no question any more.
 */
export async function answerLine(
  ports: BankPorts,
  organizationId: string,
  lineId: string,
  answer: Answer,
  { by }: Operation,
): Promise<BankLine> {
  const line = await findLine(ports, organizationId, lineId);
  const bookings = await bookingsOf(ports, line, answer);
  if (isAnsweredSo(line, bookings)) return line;
  if (line.state !== 'question' && line.state !== 'money_out') throw notNow(line);
  const { now, bankLines } = ports;
  const decided = { by, note: answer.note || undefined, why: undefined };
  const to = bookings.length
    ? ({
        ...decided,
        state: 'booking',
        rule: 'person',
        bookings,
        dueAt: new Date(now().getTime() + LINE_LEASE_MS),
      } as const)
    : ({ ...decided, state: 'no_invoice' } as const);
  const changed = await bankLines.record(line, to, recordedAs(line, 'bank_line.answered', by));
  if (!changed) throw notNow(line);
  await settleLine(ports, changed);
  return findLine(ports, organizationId, lineId);
}

/**
 * Takes back what became of a line, by reversal entries: it is a question again. Throws `not_found`, `validation` (no reason), or `conflict`
 * when there is nothing to take back.
 */
export async function undoLine(
  ports: BankPorts,
  organizationId: string,
  lineId: string,
  reason: string,
  { by }: Operation,
): Promise<BankLine> {
  const violations = textFaults({ reason });
  if (reason.trim() === '') violations.push({ path: '/reason', message: 'is required' });
  if (violations.length > 0) throw validationError(violations);
  const line = await findLine(ports, organizationId, lineId);
  if (line.state !== 'booked' && line.state !== 'no_invoice') throw notNow(line);
  const due = { state: 'undoing', by, note: reason, dueAt: new Date(ports.now().getTime() + LINE_LEASE_MS) } as const;
  const changed = await ports.bankLines.record(line, due, recordedAs(line, 'bank_line.undone', by));
  if (!changed) throw notNow(line);
  await settleLine(ports, changed);
  return findLine(ports, organizationId, lineId);
}

/** Throws `not_found`. */
export async function findLine({ bankLines }: BankPorts, organizationId: string, lineId: string): Promise<BankLine> {
  const line = await bankLines.find(organizationId, lineId);
  if (!line) throw notFoundError('the line');
  return line;
}

const isAnsweredSo = ({ state, rule, bookings }: BankLine, asked: readonly Booking[]): boolean => {
  const shown = (parts: readonly Booking[]): string =>
    parts.map((each) => `${each.invoiceId}:${each.amountCents}`).join();
  if (asked.length === 0) return state === 'no_invoice';
  return (state === 'booked' || state === 'booking') && rule === 'person' && shown(asked) === shown(bookings);
};

const notNow = ({ state }: BankLine): AppError =>
  new AppError(
    'conflict',
    'conflict',
    `the line is ${state === 'question' ? 'being answered' : `in state ${state}`}: undo it first`,
  );

const recordedAs = (
  { _id: id, bookedOn, counterName }: BankLine,
  action: string,
  by: RecordedAs['by'],
): RecordedAs => ({
  by,
  action,
  subject: { kind: 'bank_line', id, label: `${bookedOn} ${counterName}`.trim() },
  fields: ['state'],
});

/** Throws `validation` unless the parts are invoices of the organisation and make the line. */
async function bookingsOf(ports: BankPorts, line: BankLine, { parts, note }: Answer): Promise<Booking[]> {
  const { organizationId, amountCents, currency } = line;
  const violations: Violation[] = textFaults({ note });
  if (parts.length === 0 && note.trim() === '')
    violations.push({ path: '/note', message: 'says why it is for no invoice' });
  if (parts.length > MAX_PARTS) violations.push({ path: '/parts', message: `must be at most ${MAX_PARTS}` });
  if (new Set(parts.map(({ invoiceId }) => invoiceId)).size < parts.length)
    violations.push({ path: '/parts', message: 'name an invoice twice' });
  if (parts.length > 0 && (amountCents <= 0 || currency !== 'EUR'))
    violations.push({ path: '/parts', message: 'are for euros that came in: what went out is recorded by a refund' });
  if (violations.length > 0) throw validationError(violations);
  const bookings: Booking[] = [];
  for (const [at, part] of parts.entries()) {
    const issued = await accountInvoice(ports, organizationId, part.invoiceId);
    const alone = parts.length === 1 ? amountCents : undefined;
    const cents = part.amountCents ?? alone ?? (await openOn(ports, issued, line));
    const fault = amountFault(cents);
    if (fault) throw validationError([{ path: `/parts/${at}/amountCents`, message: fault }]);
    bookings.push({ invoiceId: issued._id, number: issued.number, customerId: issued.customerId, amountCents: cents });
  }
  const sum = bookings.reduce((total, booking) => total + booking.amountCents, 0);
  if (bookings.length > 0 && sum !== amountCents)
    throw validationError([
      { path: '/parts', message: `make ${sum}; the line is ${amountCents}: say how much is for each` },
    ]);
  return bookings;
}

/** What is open on an invoice; or what was, for a line that has been booked on it, so that the same answer again is the same. */
async function openOn(ports: BankPorts, issued: Parameters<typeof readAccount>[1], line: BankLine): Promise<number> {
  const there = line.bookings.find(({ invoiceId }) => invoiceId === issued._id);
  return there?.amountCents ?? (await readAccount(ports, issued)).now.openCents;
}
