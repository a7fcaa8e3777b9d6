import type { Candidate, Evidence, StatementLine, Verdict, Why } from './bank-line';
import type { BookEntry, InvoiceBook, Named } from './invoice-book';
import { isSameName, nameWords } from './payer-name';

/** Shown with a question. */
const MAX_CANDIDATES = 8;
/** Looked at for them. */
const MAX_LOOKED_AT = 200;
const WEIGHT: Readonly<Record<Evidence, number>> = { reference: 16, number: 8, iban: 4, amount: 3, name: 2 };

/**
 * What a line is for, by written rules (docs/bank-and-reminders.md). It is booked only where everything says the same invoice:
 *   reference: it carries the valid RF reference of one open invoice, names no other document, and is exactly what is open on it;
 *   number:    the same with the invoice's number, and the payer is known by IBAN or name, and no other invoice that has exactly this
 *              open would fit as well: another customer's, or one whose number is one slip of the hand away.
 * Everything else is a question to a person. Pure: the same line and the same book give the same verdict.
 */
export function matchLine(line: StatementLine, book: InvoiceBook): Verdict {
  const { amountCents, currency, special } = line;
  const named = book.named([line.creditorReference, line.text, line.endToEndId]);
  const all = new Set([...named.byReference, ...named.byNumber]);
  const payer = payerOf(line, book);
  const ask = (why: Why): Verdict => ({ kind: 'ask', why, candidates: candidatesOf(line, book, named, payer) });

  if (amountCents <= 0) {
    const isOurs = amountCents < 0 && (all.size > 0 || payer.customers.size > 0);
    return isOurs ? ask('money_out') : { kind: 'leave' };
  }
  if (currency !== 'EUR') return ask('foreign_currency');
  if (special) return ask(special);
  const [entry] = all;
  if (!entry) return ask('names_nothing');
  if (all.size > 1) return ask('names_several');
  if (entry.openCents === 0) return ask('not_open');
  if (entry.openCents !== amountCents) return ask('amount_differs');
  const candidate = shown(line, entry, named, payer);
  if (named.byReference.has(entry)) return { kind: 'book', rule: 'reference', candidate };
  if (!fits(entry, payer)) return ask('payer_unknown');
  for (const rival of rivalsOf(book, payer)) {
    if (rival === entry || rival.openCents !== amountCents) continue;
    const isSimilar = isOneSlip(rival.plain, entry.plain);
    if (!isSimilar && rival.customerId === entry.customerId) continue;
    if (fits(rival, payer)) return ask(isSimilar ? 'similar_number' : 'namesake');
  }
  return { kind: 'book', rule: 'number', candidate };
}

interface Payer {
  /** Customers that the IBAN paid for. */
  readonly customers: ReadonlySet<string>;
  readonly words: readonly string[];
}

const payerOf = ({ counterIban, counterName }: StatementLine, book: InvoiceBook): Payer => ({
  customers: book.payersOf(counterIban),
  words: nameWords(counterName),
});

/** Everything that may fit a payer, and more: what is for a customer of the IBAN, and what shares a telling word with the name. */
function* rivalsOf(book: InvoiceBook, { customers, words }: Payer): Iterable<BookEntry> {
  for (const customer of customers) yield* book.ofCustomer(customer);
  yield* book.withWordOf(words);
}

// An IBAN that pays for several customers (a payment provider, a parent company) proves nothing.
const isKnownBy = ({ customerId }: BookEntry, { customers }: Payer): boolean =>
  customers.size === 1 && customers.has(customerId);

const isNamed = ({ names }: BookEntry, { words }: Payer): boolean =>
  words.length > 0 && names.some((each) => isSameName(each, words));

/** The payer is the customer. A name proves nothing where the IBAN is known as others' alone. */
const fits = (entry: BookEntry, payer: Payer): boolean =>
  isKnownBy(entry, payer) ||
  (isNamed(entry, payer) && (payer.customers.size === 0 || payer.customers.has(entry.customerId)));

/** One digit or letter wrong, missing, too many, or two neighbours swapped. */
export function isOneSlip(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1 || short === long) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}

function shown({ amountCents }: StatementLine, entry: BookEntry, named: Named, payer: Payer): Candidate {
  const { invoiceId, number, customerId, openCents } = entry;
  const evidence: Evidence[] = [];
  if (named.byReference.has(entry)) evidence.push('reference');
  if (named.byNumber.has(entry)) evidence.push('number');
  if (openCents === amountCents) evidence.push('amount');
  if (isKnownBy(entry, payer)) evidence.push('iban');
  if (isNamed(entry, payer)) evidence.push('name');
  return { invoiceId, number, customerId, openCents, evidence };
}

/** What it may be for, the likeliest first: what it names, what is open for the payer, and what has exactly this amount open. */
function candidatesOf(line: StatementLine, book: InvoiceBook, named: Named, payer: Payer): Candidate[] {
  const found = new Set<BookEntry>([...named.byReference, ...named.byNumber]);
  const look = (entries: Iterable<BookEntry>, isWanted: (entry: BookEntry) => boolean): void => {
    let left = MAX_LOOKED_AT;
    for (const entry of entries) {
      if (left-- === 0) return;
      if (entry.openCents > 0 && isWanted(entry)) found.add(entry);
    }
  };
  for (const customer of [...payer.customers].slice(0, MAX_CANDIDATES)) look(book.ofCustomer(customer), () => true);
  look(book.withWordOf(payer.words), (entry) => isNamed(entry, payer));
  if (line.amountCents > 0) look(book.withOpen(line.amountCents), () => true);
  return [...found]
    .map((entry) => shown(line, entry, named, payer))
    .map((candidate) => ({ candidate, weight: weightOf(candidate) }))
    .sort((a, b) => b.weight - a.weight || (a.candidate.number < b.candidate.number ? -1 : 1))
    .slice(0, MAX_CANDIDATES)
    .map(({ candidate }) => candidate);
}

const weightOf = ({ evidence }: Candidate): number => evidence.reduce((sum, each) => sum + WEIGHT[each], 0);
