import { notFoundError } from '@invoicing/errors';
import type { Actor } from '@invoicing/rules';
import { owedInvoices } from '../account/owed-invoices';
import { bankLineId, contentOf, statementId, type BankLine, type StatementHead, type StatementLine } from './bank-line';
import type { BankPorts } from './bank-ports';
import { LINE_LEASE_MS, settleLine } from './book-line';
import { InvoiceBook } from './invoice-book';
import { matchLine } from './match-line';
import { parseStatement } from './parse-statement';
import { gapsOf, type StatementGap } from './statement-gaps';
import { unreadable } from './unreadable';

const BATCH = 200;
/** Booked beside each other. */
const AT_ONCE = 8;
/** So that what tells equal lines of a day apart stays small. */
const MAX_LINES = 1_000_000;

/** What an import did. */
export interface Imported {
  lines: number;
  booked: number;
  duplicates: number;
  questions: number;
  moneyOut: number;
  readonly statements: StatementHead[];
  gaps: readonly StatementGap[];
}

/**
 * Takes in a statement file: each line once, whatever statements it stands in; books what the rules prove, asks a person about the rest.
 * Throws `validation` where the file is none; what came before stays, and importing the repaired file changes nothing of it.
 */
export async function importStatement(
  ports: BankPorts,
  organizationId: string,
  file: AsyncIterable<Uint8Array>,
  operation: { readonly id: string; readonly by: Actor },
): Promise<Imported> {
  if (!(await ports.organizations.find(organizationId))) throw notFoundError('the organisation');
  const run = new ImportRun(ports, organizationId, operation);
  for await (const part of parseStatement(file))
    await (part.kind === 'line' ? run.take(part.line) : run.endStatement(part.statement));
  return run.finish();
}

class ImportRun {
  private readonly done: Imported = {
    ...{ lines: 0, booked: 0, duplicates: 0, questions: 0, moneyOut: 0, statements: [], gaps: [] },
  };
  private book: InvoiceBook | undefined;
  /** Whose customers are in the book. */
  private readonly knownIbans = new Set<string>();
  /** Equal lines of the statement so far. */
  private ordinals = new Map<string, number>();
  private batch: { readonly id: string; readonly line: StatementLine }[] = [];

  constructor(
    private readonly ports: BankPorts,
    private readonly organizationId: string,
    private readonly operation: { readonly id: string; readonly by: Actor },
  ) {}

  async take(line: StatementLine): Promise<void> {
    this.done.lines += 1;
    if (this.done.lines > MAX_LINES) throw unreadable(`it has more than ${MAX_LINES} lines: split it`);
    const content = contentOf(line);
    const ordinal = (this.ordinals.get(content) ?? 0) + 1;
    this.ordinals.set(content, ordinal);
    this.batch.push({ id: bankLineId(this.organizationId, content, ordinal), line });
    if (this.batch.length >= BATCH) await this.flush();
  }

  async endStatement(statement: StatementHead): Promise<void> {
    await this.flush();
    this.ordinals = new Map();
    const { organizationId, operation } = this;
    const createdAt = this.ports.now();
    const _id = statementId(organizationId, statement);
    await this.ports.bankStatements.put({ ...statement, _id, organizationId, importId: operation.id, createdAt });
    this.done.statements.push(statement);
  }

  async finish(): Promise<Imported> {
    await this.flush();
    const accounts = [...new Set(this.done.statements.map(({ account }) => account))];
    this.done.gaps = await gapsOfAccounts(this.ports, this.organizationId, accounts);
    return this.done;
  }

  private async flush(): Promise<void> {
    const batch = this.batch.splice(0);
    if (batch.length === 0) return;
    const { bankLines } = this.ports;
    const known = await bankLines.knownAmong(
      this.organizationId,
      batch.map(({ id }) => id),
    );
    const fresh = batch.filter(({ id }) => !known.has(id));
    const book = await this.bookFor(fresh.map(({ line }) => line));
    const lines = fresh.map(({ id, line }) => this.decide(id, line, book));
    const inserted = await bankLines.insertNew(lines);
    this.done.duplicates += batch.length - inserted.size;
    const mine = lines.filter(({ _id }) => inserted.has(_id));
    const booking = mine.filter(({ state }) => state === 'booking');
    for (let at = 0; at < booking.length; at += AT_ONCE)
      await Promise.all(booking.slice(at, at + AT_ONCE).map((line) => settleLine(this.ports, line)));
    this.done.booked += booking.length;
    this.done.questions += mine.filter(({ state }) => state === 'question').length;
    this.done.moneyOut += mine.filter(({ state }) => state === 'money_out').length;
  }

  /** Everything that may be named, read when the first new line is met; and who paid before. */
  private async bookFor(lines: readonly StatementLine[]): Promise<InvoiceBook> {
    const { ports, organizationId } = this;
    if (!this.book && lines.length > 0) {
      this.book = new InvoiceBook();
      for await (const { invoice, openCents } of owedInvoices(ports, organizationId)) {
        const { _id: invoiceId, number, customerId, buyer } = invoice;
        this.book.add({
          invoiceId,
          number,
          customerId,
          openCents,
          names: [buyer.name, buyer.companyName],
          iban: buyer.iban,
        });
      }
    }
    const book = this.book ?? new InvoiceBook();
    const unknown = lines
      .map(({ counterIban }) => counterIban)
      .filter((iban) => iban !== '' && !this.knownIbans.has(iban));
    if (unknown.length > 0)
      for (const [iban, customers] of await ports.bankLines.payersAmong(organizationId, [...new Set(unknown)]))
        for (const customerId of customers) book.knowPayer(iban, customerId);
    for (const iban of unknown) this.knownIbans.add(iban);
    return book;
  }

  private decide(_id: string, line: StatementLine, book: InvoiceBook): BankLine {
    const { organizationId, operation, ports } = this;
    const now = ports.now();
    const kept = {
      ...{ ...line, _id, organizationId, importId: operation.id, createdAt: now, tries: 0, by: operation.by },
      ...{ candidates: [], bookings: [] },
    };
    const verdict = matchLine(line, book);
    if (verdict.kind === 'leave') return { ...kept, state: 'money_out' };
    if (verdict.kind === 'ask') return { ...kept, state: 'question', why: verdict.why, candidates: verdict.candidates };
    const { rule, candidate } = verdict;
    const { invoiceId, number, customerId } = candidate;
    // The next line that is for it meets it settled.
    book.setOpen(invoiceId, 0);
    if (line.counterIban !== '') book.knowPayer(line.counterIban, customerId);
    return {
      ...{ ...kept, state: 'booking', rule, candidates: [candidate] },
      bookings: [{ invoiceId, number, customerId, amountCents: line.amountCents }],
      dueAt: new Date(now.getTime() + LINE_LEASE_MS),
    };
  }
}

/** Where a statement is missing on these accounts; all when none are named. */
export async function gapsOfAccounts(
  { bankStatements, bankLines }: Pick<BankPorts, 'bankStatements' | 'bankLines'>,
  organizationId: string,
  accounts?: readonly string[],
): Promise<StatementGap[]> {
  const statements = await bankStatements.of(organizationId, accounts);
  const gaps: StatementGap[] = [];
  for (const account of new Set(statements.map((each) => each.account))) {
    const ofAccount = statements.filter((each) => each.account === account);
    gaps.push(...gapsOf(ofAccount, await bankLines.dailySums(organizationId, account)));
  }
  return gaps;
}
