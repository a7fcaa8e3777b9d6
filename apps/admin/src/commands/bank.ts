import { createReadStream } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  type BankLine,
  type BankLineState,
  type BankStatement,
  type ImportStatementRequest,
  type StatementGap,
} from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { enumOf, wordOf } from '../enum-names';
import { operatorCall, type Services } from '../platform';
import { euros } from '../output';
import { counted, gapsVerdict, importVerdict, questionsVerdict } from '../verdicts';
import { concluded, verb } from '../verb';
import { wholeNumber } from './invoice-account';

const PIECE_BYTES = 256 * 1024;
const LONG_IMPORT_MS = 3_600_000;
const PAGE = 500;
/** Shown of an import; the rest is in `bank list` and `bank questions`. */
const SHOWN = 1_000;

interface Org extends Record<string, unknown> {
  org: string;
}

/** Adds the verbs of bank statements. */
export function addBank(program: Command): void {
  const bank = program
    .command('bank')
    .description('bank statements: imported, booked where it is proven, asked where it is not');
  addImport(bank);
  addLists(bank);

  verb<{ org?: string; invoice: string[]; none?: boolean; note?: string }>(
    bank,
    'answer <lineId>',
    'say what a line is for: invoices, or none',
    async ({ receivables: { bankStatements } }, { org = '', invoice, none = false, note = '' }, lineId) => {
      if (none === invoice.length > 0) throw new Error('say --invoice, as often as it is for several, or --none');
      const request = { organizationId: org, lineId: lineId!, parts: invoice.map(partOf), note };
      return shown(await bankStatements.answerBankLine(request, { ...operatorCall(), operationId: randomUUID() }));
    },
  )
    .option('--org <id>', 'only if it belongs to this organisation')
    .option('--invoice <id[:cents]>', 'and how much of the line is for it', (each, all: string[]) => [...all, each], [])
    .option('--none', 'for no invoice; the note says why')
    .option('--note <text>', 'for the books');

  verb<{ org?: string; reason: string }>(
    bank,
    'undo <lineId>',
    'take back what a line was booked on, by reversal entries: it is a question again',
    async ({ receivables: { bankStatements } }, { org = '', reason }, lineId) => {
      const request = { organizationId: org, lineId: lineId!, reason };
      return shown(await bankStatements.undoBankLine(request, { ...operatorCall(), operationId: randomUUID() }));
    },
  )
    .option('--org <id>', 'only if it belongs to this organisation')
    .requiredOption('--reason <text>', 'why; it stays on the accounts');
}

interface Done {
  readonly importId: string;
  readonly lines: number;
  readonly booked: number;
  readonly duplicates: number;
  readonly moneyOut: number;
  readonly questions: readonly ShownLine[];
  readonly bookings: readonly ShownLine[];
  readonly statements: readonly object[];
  readonly gaps: readonly StatementGap[];
}

function addImport(bank: Command): void {
  verb<Org, Done>(
    bank,
    'import <file>',
    'take in a statement: camt.053, MT940, or CSV of ING, Rabobank, ABN AMRO, Knab or bunq',
    async ({ receivables: { bankStatements } }, { org }, file) => {
      const call = { ...operatorCall(LONG_IMPORT_MS), operationId: randomUUID() };
      const {
        importId,
        gaps,
        statements,
        questions: _questions,
        ...counts
      } = await bankStatements.importStatement(piecesOf(org, file!), call);
      const lines = await linesOf(bankStatements, { organizationId: org, importId }, SHOWN);
      const inState = (word: string) => lines.map(shown).filter(({ state }) => state === word);
      return {
        importId,
        ...counts,
        questions: inState('question'),
        bookings: inState('booked'),
        statements: statements.map(shownStatement),
        gaps,
      };
    },
    ({ questions, bookings, statements, gaps, ...counts }) =>
      concluded(
        'bank',
        { ...counts, bookings: bookings.map(bookedRow), questions: questions.map(askedRow), statements, gaps },
        importVerdict({ ...counts, questions, gaps }),
      ),
  ).requiredOption('--org <id>');
}

function addLists(bank: Command): void {
  verb<Org & { state?: string; limit: number }, ShownLine[]>(
    bank,
    'list',
    'lines, newest first, with what each was booked on and by which rule',
    async ({ receivables: { bankStatements } }, { org, state, limit }) => {
      const wanted =
        state === undefined ? {} : { state: enumOf<BankLineState>('BANK_LINE_STATE', state.replace('-', '_')) };
      return (await linesOf(bankStatements, { organizationId: org, ...wanted }, limit)).map(shown);
    },
    (lines) => lines.map(bookedRow),
  )
    .requiredOption('--org <id>')
    .addOption(new Option('--state <state>').choices(['booked', 'question', 'no-invoice', 'money-out']))
    .option('--limit <n>', 'how many', wholeNumber, 100);

  verb<Org & { limit: number }, ShownLine[]>(
    bank,
    'questions',
    'lines that wait for a person, each with why, and what it may be for',
    async ({ receivables: { bankStatements } }, { org, limit }) => {
      const state = enumOf<BankLineState>('BANK_LINE_STATE', 'question');
      return (await linesOf(bankStatements, { organizationId: org, state }, limit)).map(shown);
    },
    (lines) => concluded('bank', lines.map(askedRow), questionsVerdict(lines)),
  )
    .requiredOption('--org <id>')
    .option('--limit <n>', 'how many', wholeNumber, 100);

  verb<Org, { statements: object[]; gaps: StatementGap[] }>(
    bank,
    'statements',
    'what was imported by account and day, and where a statement is missing',
    async ({ receivables: { bankStatements } }, { org }) => {
      const { statements, gaps } = await bankStatements.listBankStatements({ organizationId: org }, operatorCall());
      return { statements: statements.map(shownStatement), gaps };
    },
    ({ statements, gaps }) =>
      concluded('bank', { statements, gaps }, `${counted(statements.length, 'statement')}; ${gapsVerdict(gaps)}`),
  ).requiredOption('--org <id>');
}

async function* piecesOf(organizationId: string, file: string): AsyncIterable<ImportStatementRequest> {
  // A file that is not there fails before anything is sent.
  for await (const content of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>)
    yield { organizationId, content };
}

async function linesOf(
  bankStatements: Services['receivables']['bankStatements'],
  filter: { organizationId: string; importId?: string; state?: BankLineState },
  limit: number,
): Promise<BankLine[]> {
  const found: BankLine[] = [];
  let cursor: string | undefined;
  do {
    const page = { limit: Math.min(PAGE, limit - found.length), cursor };
    const any = enumOf<BankLineState>('BANK_LINE_STATE', 'unspecified');
    const answer = await bankStatements.listBankLines(
      { state: any, importId: undefined, ...filter, ...page },
      operatorCall(),
    );
    found.push(...answer.lines);
    cursor = answer.cursor;
  } while (cursor !== undefined && found.length < limit);
  return found;
}

/** Texts that say nothing are left out. */
const shown = ({ state, id, amountCents, candidates, bookings, ...rest }: BankLine) => ({
  id,
  state: wordOf('BANK_LINE_STATE', state),
  amountCents,
  candidates,
  bookings,
  ...(Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== '')) as Partial<typeof rest>),
});
type ShownLine = ReturnType<typeof shown>;

const shownStatement = ({ fits, ...statement }: BankStatement) => ({ ...statement, fits: fits ?? 'no balances' });

const payerOf = ({ counterName = '', counterIban = '' }: ShownLine): string => counterName || counterIban;

const bookedRow = ({ id, bookedOn, amountCents, state, rule, bookings, candidates, ...line }: ShownLine) => ({
  id,
  day: bookedOn,
  amountCents,
  payer: payerOf({ id, amountCents, state, candidates, bookings, ...line }),
  state,
  invoices: bookings.map(({ number }) => number).join(', '),
  rule: rule ?? '',
  proof: rule && rule !== 'person' ? (candidates[0]?.evidence.join(' + ') ?? '') : '',
});

const askedRow = ({ id, bookedOn, amountCents, text = '', why, candidates, ...line }: ShownLine) => ({
  id,
  day: bookedOn,
  amountCents,
  payer: payerOf({ id, amountCents, candidates, ...line }),
  text: text.length > 30 ? `${text.slice(0, 29)}…` : text,
  why,
  candidates: candidates
    .slice(0, 3)
    .map(
      ({ number, openCents, evidence }) =>
        `${number} (${euros(openCents)} open: ${evidence.join(', ') || 'same payer'})`,
    )
    .join('\n'),
});

/** `id` or `id:cents`. */
function partOf(text: string) {
  const [invoiceId = '', cents, ...more] = text.split(':');
  if (more.length > 0) throw new InvalidArgumentError('must be an invoice, or invoice:cents.');
  return { invoiceId, amountCents: cents === undefined ? undefined : wholeNumber(cents) };
}
