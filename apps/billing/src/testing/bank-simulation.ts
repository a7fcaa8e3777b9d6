import { AppError } from '@invoicing/errors';
import { seededRandom } from '@invoicing/testing';
import { effectiveEntries } from '../account/open-amount';
import { providerEntryId, type PaymentEntry } from '../account/entry';
import { recordPayment } from '../account/record-payment';
import { creditInvoice } from '../invoices/credit-invoice';
import { answerLine, undoLine } from '../bank-statements/answer-line';
import { bankPaymentId, type BankLine } from '../bank-statements/bank-line';
import type { BankLineChange, BankLines, BankPorts } from '../bank-statements/bank-ports';
import { followDueLine } from '../bank-statements/bank-worker';
import { importStatement } from '../bank-statements/import-statement';
import { madeStatement, type MadeLine } from './made-statement';
import { ORGANIZATION, SimulatedBooks } from './simulated-account';

/** How a known-bad variant misbehaves: the simulation must notice each. */
export type BankSabotage =
  | 'none'
  /** Every import knows no line that is there already. */
  | 'new_lines'
  /** An entry's id does not come from the line. */
  | 'new_entry_ids'
  /** Nobody goes on with a line whose writer ended. */
  | 'no_follow_up'
  /** An undone line is booked again under the ids of before. */
  | 'same_tries'
  /** A line changes whatever became of it meanwhile. */
  | 'blind_changes';

const REPLICAS = 2;
const TOTAL = 12_100;
const NUMBERS = ['2026-0001', '2026-0450', '2026-0780'];
const OPERATOR = { kind: 'operator', id: 'root' } as const;
const MINUTE_MS = 60_000;
const PAYER = { name: 'Jan de Vries', iban: 'NL85INGB0002468013' };

interface Waiting {
  readonly replica: number;
  resume: () => void;
}

/**
 * Statements that overlap are imported by several replicas while people answer, undo, pay by hand and credit; every step is interleaved,
 * answers are lost, replicas die between any two. Then everything is done in peace, and each line must be on the accounts exactly as
 * it says of itself. Same seed, same run.
 */
export async function simulateBank(seed: number, steps: number, sabotage: BankSabotage = 'none'): Promise<string[]> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const books = new SimulatedBooks('none');
  for (const number of NUMBERS)
    books.addInvoice(number, { buyer: { name: PAYER.name, companyName: '', iban: '' } as never });
  const lines = new Map<string, BankLine>();
  let waiting: Waiting[] = [];
  let peace = false;
  let serial = 0;
  const failures: unknown[] = [];

  const portsOf = (replica: number): BankPorts => {
    const step = (): Promise<void> =>
      peace ? Promise.resolve() : new Promise((resume) => waiting.push({ replica, resume }));
    const loses = (): boolean => !peace && random() < 0.02;
    const ports = books.ports(step, loses);
    const insert: typeof ports.accounts.insert = (invoice, entry, after, dueAt) => {
      const renamed = sabotage === 'new_entry_ids' && entry.type === 'payment';
      const id = `new-${serial++}`;
      return ports.accounts.insert(invoice, renamed ? { ...entry, _id: id, paymentId: id } : entry, after, dueAt);
    };
    return {
      ...ports,
      accounts: { ...ports.accounts, insert, factsAmong: async (_, ids) => factsOf(ids) },
      invoices: { ...ports.invoices, owed, creditsOf },
      bankLines: simulatedLines(lines, sabotage, step, loses),
      bankStatements: { put: () => Promise.resolve(), of: () => Promise.resolve([]) },
    };
  };
  async function* owed() {
    yield* [...books.invoices.values()].filter(({ kind }) => kind === 'invoice');
  }
  const creditsOf = (_: string, ids: readonly string[]) => Promise.resolve(ids.flatMap((id) => books.creditsOf(id)));
  const factsOf = (ids: readonly string[]) =>
    new Map(ids.map((id) => [id, books.entries.filter(({ invoiceId }) => invoiceId === id)]));

  const made = (index: number): MadeLine => ({
    ...{ day: '2026-03-02', cents: index === 3 ? 2 * TOTAL : TOTAL, reference: `ref-${index}`, ...PAYER },
    text: index === 3 ? `${NUMBERS[0]} en ${NUMBERS[1]}` : index === 4 ? 'bedankt' : NUMBERS[index]!,
  });
  const files = [
    [0, 1, 2, 3, 4],
    [1, 2, 3],
    [4, 3, 0],
  ].map((all) => madeStatement(all.map(made)));
  const importFile = (ports: BankPorts) =>
    importStatement(ports, ORGANIZATION, once(pick(files)), { id: `import-${serial++}`, by: OPERATOR });

  const expected = (error: unknown): void => {
    const kinds = ['invalid', 'blocked', 'unavailable', 'conflict', 'absent', 'exists'];
    if (!(error instanceof AppError) || !kinds.includes(error.kind)) failures.push(error);
  };
  const act = (replica: number): Promise<unknown> => {
    const ports = portsOf(replica);
    const dice = random();
    const id = `op-${serial++}`;
    const line = pick([...lines.keys()]);
    if (dice < 0.3 || line === undefined) return importFile(ports);
    if (dice < 0.55) {
      const invoices = random() < 0.5 ? [pick(NUMBERS)] : [NUMBERS[0]!, NUMBERS[1]!];
      return answerLine(
        ports,
        ORGANIZATION,
        line,
        { parts: invoices.map((invoiceId) => ({ invoiceId })), note: '' },
        { id, by: OPERATOR },
      );
    }
    if (dice < 0.75) return undoLine(ports, ORGANIZATION, line, 'omdat', { id, by: OPERATOR });
    if (dice < 0.9) return followDueLine(ports, expected);
    const byHand = { amountCents: 1 + Math.floor(random() * TOTAL), provider: 'bank', method: '', paymentId: '' };
    const call = { deadline: Number.MAX_SAFE_INTEGER, operationId: id };
    return dice < 0.95
      ? recordPayment(ports, ORGANIZATION, pick(NUMBERS), byHand, { id, by: OPERATOR })
      : creditInvoice(
          ports as never,
          ORGANIZATION,
          pick(NUMBERS),
          { lines: [], amountCents: 100, reason: 'korting' },
          call,
        );
  };

  for (let each = 0; each < steps; each++) {
    const dice = random();
    const replica = Math.floor(random() * REPLICAS);
    if (dice < 0.85 && waiting.length > 0) waiting.splice(Math.floor(random() * waiting.length), 1)[0]?.resume();
    else if (dice < 0.93) void act(replica).catch(expected);
    else if (dice < 0.97) books.time += Math.floor(random() * 2 * MINUTE_MS);
    else waiting = waiting.filter((one) => one.replica !== replica);
    await new Promise((resolve) => setImmediate(resolve));
  }
  peace = true;
  waiting = [];
  const quiet = portsOf(0);
  for (const file of files) await importStatement(quiet, ORGANIZATION, once(file), { id: 'last', by: OPERATOR });
  for (let round = 0; round < 50; round++) {
    books.time += 2 * MINUTE_MS;
    if (sabotage === 'no_follow_up' || !(await followDueLine(quiet, (error) => failures.push(error)))) break;
  }
  return [...failures.map(String), ...audit(books, [...lines.values()])];
}

async function* once(file: Uint8Array) {
  yield file;
}

function simulatedLines(
  lines: Map<string, BankLine>,
  sabotage: BankSabotage,
  step: () => Promise<void>,
  loses: () => boolean,
): BankLines {
  const acted = async <T>(effect: () => T): Promise<T> => {
    await step();
    const answer = structuredClone(effect());
    await step();
    if (loses()) throw new AppError('unavailable', 'unavailable', 'the answer was lost');
    return answer;
  };
  const change = ({ _id, state, tries }: BankLine, to: BankLineChange): BankLine | null => {
    const now = lines.get(_id)!;
    if ((now.state !== state || now.tries !== tries) && sabotage !== 'blind_changes') return null;
    const kept = sabotage === 'same_tries' ? { ...to, tries: now.tries } : to;
    const changed = { ...now, ...kept };
    lines.set(_id, changed);
    return changed;
  };
  return {
    knownAmong: (_, ids) => acted(() => new Set(sabotage === 'new_lines' ? [] : ids.filter((id) => lines.has(id)))),
    insertNew: (made) =>
      acted(() => {
        const fresh = made
          .filter(({ _id }) => sabotage === 'new_lines' || !lines.has(_id))
          .map((line) => (sabotage === 'new_lines' && lines.has(line._id) ? { ...line, _id: `${line._id}'` } : line));
        for (const line of fresh) lines.set(line._id, line);
        return new Set(fresh.map(({ _id }) => _id));
      }),
    find: (_, id) => acted(() => lines.get(id) ?? null),
    organizationOf: () => Promise.resolve(ORGANIZATION),
    change: (seen, to) => acted(() => change(seen, to) !== null),
    record: (seen, to) => acted(() => change(seen, to)),
    page: () => Promise.reject(new Error('not simulated')),
    payersAmong: () => Promise.resolve(new Map()),
    isAsked: () => Promise.resolve(false),
    dailySums: () => Promise.resolve(new Map()),
    claimDue: (now, leaseUntil) =>
      acted(() => {
        const due = [...lines.values()].find(({ dueAt }) => dueAt && dueAt <= now);
        if (!due) return null;
        const claimed = { ...due, dueAt: leaseUntil };
        lines.set(due._id, claimed);
        return claimed;
      }),
  };
}

/** Each line is on the accounts exactly as it says. */
function audit(books: SimulatedBooks, lines: readonly BankLine[]): string[] {
  const faults: string[] = [];
  const standing = effectiveEntries(books.entries).filter((entry): entry is PaymentEntry => entry.type === 'payment');
  const ours = new Set<string>();
  if (lines.length > 5) faults.push(`${lines.length} lines instead of 5`);
  for (const line of lines) {
    if (line.state === 'booking' || line.state === 'undoing') faults.push(`${line._id} is still ${line.state}`);
    for (let tries = 0; tries <= line.tries; tries++)
      for (const part of [0, 1]) {
        const id = providerEntryId('payment', 'bank', bankPaymentId({ _id: line._id, tries }, part));
        ours.add(id);
        const entry = standing.find(({ _id }) => _id === id);
        const booking = line.state === 'booked' && tries === line.tries ? line.bookings[part] : undefined;
        if (entry?.amountCents !== booking?.amountCents || entry?.invoiceId !== booking?.invoiceId)
          faults.push(`${line._id} says ${booking?.amountCents} of try ${tries}, the account ${entry?.amountCents}`);
        // By a rule only what was open.
        if (entry && line.rule === 'number' && entry.surplusCents > 0)
          faults.push(`${line._id} was booked beyond what was open`);
      }
    const sum = line.bookings.reduce((total, { amountCents }) => total + amountCents, 0);
    if (line.state === 'booked' && sum !== line.amountCents) faults.push(`${line._id} is booked for ${sum}`);
  }
  // What somebody paid by hand names the operation.
  for (const { _id } of standing) if (!ours.has(_id) && !_id.startsWith('op-')) faults.push(`${_id} is of no line`);
  return faults;
}
