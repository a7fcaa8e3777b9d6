import { AppError } from '@invoicing/errors';
import { seededRandom } from '@invoicing/testing';
import { factsOf } from '../account/account';
import { openAmount } from '../account/open-amount';
import { recordPayment } from '../account/record-payment';
import { reverseEntry } from '../account/reverse-entry';
import { describeReminder } from '../reminders/describe-reminder';
import { planReminders } from '../reminders/plan-reminders';
import { printReminder } from '../reminders/render-reminder';
import type { KeptPlan, Reminder } from '../reminders/reminder';
import type { ReminderPorts } from '../reminders/reminder-ports';
import { sendDue } from '../reminders/reminder-worker';
import { sendReminder } from '../reminders/send-reminder';
import { ORGANIZATION, SimulatedBooks } from './simulated-account';

/** How a known-bad variant misbehaves: the simulation must notice each. */
export type ReminderSabotage =
  | 'none'
  /** A step is made under another id each time. */
  | 'new_ids'
  /** Nobody goes on with what a dead replica had begun. */
  | 'no_follow_up'
  /** What is sent is what was open when the reminder was made. */
  | 'old_amounts'
  /** Who sends does not know a reminder again. */
  | 'sends_again'
  /** Every step that was missed is made up for. */
  | 'all_steps';

interface Waiting {
  readonly replica: number;
  resume: () => void;
}

interface Sent {
  readonly reminder: Reminder;
  readonly openCents: number;
  readonly truth: number;
  readonly beingPaid: boolean;
  readonly excepted: boolean;
  /** The latest step that was due on the day that it was made for. */
  readonly latest: number;
}

const REPLICAS = 2;
const INVOICES = ['invoice-0', 'invoice-1'];
const DAYS = [7, 14, 28];
const DUE_DATE = '2026-03-01';
const DAY_MS = 86_400_000;
const OPERATOR = { kind: 'operator', id: 'root' } as const;
const PLAN: KeptPlan = {
  ...{ _id: ORGANIZATION, organizationId: ORGANIZATION, enabled: true, rates: [] },
  // The second goes by letter.
  steps: DAYS.map((afterDays, at) => ({
    afterDays,
    channel: at === 1 ? 'post' : 'email',
    costs: true,
    interest: true,
    texts: [],
  })),
};

/**
 * Replicas make and send reminders while days pass, sometimes many at once, invoices are paid, payments begin and are taken back, and
 * customers are excepted; every step is interleaved, answers are lost, replicas die. Each reminder that left must be the only one of its step,
 * and have said what was open at that moment. Same seed, same run.
 */
export async function simulateReminders(
  seed: number,
  steps: number,
  sabotage: ReminderSabotage = 'none',
): Promise<string[]> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const books = new SimulatedBooks('none');
  for (const id of INVOICES) books.addInvoice(id, { dueDate: DUE_DATE, issueDate: '2026-02-15' });
  const kept = new Map<string, Reminder>();
  const told: string[] = [];
  const sent: Sent[] = [];
  const asked = new Map<string, string>();
  const letters = new Map<string, { state: 'pending' | 'underway'; until: number }>();
  const beingPaid = new Set<string>();
  const excepted = new Set<string>();
  const failures: unknown[] = [];
  let waiting: Waiting[] = [];
  let peace = false;
  let serial = 0;
  const truthOf = (id: string): number => {
    const entries = books.entries.filter(({ invoiceId }) => invoiceId === id);
    return openAmount(factsOf(books.invoices.get(id)!, books.creditsOf(id), entries)).openCents;
  };

  const portsOf = (replica: number): ReminderPorts => {
    const step = (): Promise<void> =>
      peace ? Promise.resolve() : new Promise((resume) => waiting.push({ replica, resume }));
    const acted = async <T>(effect: () => T | Promise<T>): Promise<T> => {
      await step();
      const answer = structuredClone(await effect());
      await step();
      if (!peace && random() < 0.03) throw new AppError('unavailable', 'unavailable', 'the answer was lost');
      return answer;
    };
    const ports = books.ports(step, () => false);
    const owed = async function* () {
      yield* books.invoices.values();
    };
    const all: ReminderPorts = {
      ...ports,
      accounts: {
        ...ports.accounts,
        factsAmong: async (_, ids) =>
          new Map(ids.map((id) => [id, books.entries.filter((each) => each.invoiceId === id)])),
      },
      invoices: { ...ports.invoices, owed, creditsOf: async (_, ids) => ids.flatMap((id) => books.creditsOf(id)) },
      bankLines: { isAsked: async () => false },
      isBeingPaid: (_, id) => acted(() => beingPaid.has(id)),
      reminderPlans: { of: async () => [PLAN] } as unknown as ReminderPorts['reminderPlans'],
      reminderExceptions: {
        among: (_: string, ids: readonly string[]) => acted(() => new Set(ids.filter((id) => excepted.has(id)))),
      } as unknown as ReminderPorts['reminderExceptions'],
      reminders: {
        insert: (reminder) =>
          acted(() => {
            const made = sabotage === 'new_ids' ? { ...reminder, _id: `new-${serial++}` } : reminder;
            if (kept.has(made._id)) return false;
            kept.set(made._id, made);
            if (sabotage === 'all_steps')
              for (let step = 0; step < made.step; step++)
                kept.set(`${made._id}-${step}`, { ...made, _id: `${made._id}-${step}`, step });
            return true;
          }),
        find: (_, id) => acted(() => kept.get(id) ?? null),
        ofInvoice: (_, id) =>
          acted(() => (sabotage === 'all_steps' ? [] : [...kept.values()].filter(({ invoiceId }) => invoiceId === id))),
        change: (seen, to) =>
          acted(() => {
            const now = kept.get(seen._id);
            if (now?.state !== 'due') return false;
            if (to.state === 'due')
              kept.set(seen._id, { ...now, dueAt: to.dueAt, ...(to.asked && { asked: true, claim: to.asked.claim }) });
            else kept.set(seen._id, { ...now, ...to, dueAt: undefined });
            if (to.state === 'sent') told.push(seen._id);
            return true;
          }),
        page: () => Promise.reject(new Error('not simulated')),
        claimDue: (now, leaseUntil) =>
          acted(() => {
            const due = [...kept.values()].find(({ dueAt }) => dueAt && dueAt <= now);
            if (!due || sabotage === 'no_follow_up') return null;
            kept.set(due._id, { ...due, dueAt: leaseUntil });
            return due;
          }),
      },
      reminderMail: { send: (reminder) => acted(() => send(reminder)) },
    };
    return all;
  };

  /** As notification does: once for each id, and what it says is asked for in that moment. */
  async function send({ _id, ...as }: Reminder): Promise<{ sent: boolean; error: string }> {
    const known = asked.get(_id);
    if (known !== undefined && sabotage !== 'sends_again') return { sent: known === '', error: known };
    if (as.channel === 'post' && sabotage !== 'sends_again') {
      if (!letters.has(_id)) letters.set(_id, { state: 'pending', until: 0 });
      return { sent: false, error: '' };
    }
    const peaceful = peace;
    peace = true;
    const reminder = kept.get(_id) ?? { _id, ...as };
    const described = await describeReminder(portsOf(0), reminder).finally(() => (peace = peaceful));
    if ('notSent' in described && sabotage !== 'old_amounts') {
      asked.set(_id, 'withdrawn');
      return { sent: false, error: 'withdrawn' };
    }
    if (random() < 0.2 && !peace) return { sent: false, error: 'smtp_unavailable' };
    asked.set(_id, '');
    note(
      reminder,
      'claim' in described && sabotage !== 'old_amounts' ? described.claim.openCents : reminder.claim.openCents,
    );
    return { sent: true, error: '' };
  }

  function note(reminder: Reminder, openCents: number): void {
    const latest = DAYS.findLastIndex((days) => Date.parse(DUE_DATE) + days * DAY_MS <= Date.parse(reminder.day));
    const at = { truth: truthOf(reminder.invoiceId), beingPaid: beingPaid.has(reminder.invoiceId) };
    sent.push({ ...at, reminder, openCents, excepted: excepted.has(reminder.invoiceId), latest });
  }

  /** As notification does: a letter is printed as it is handed over, and posted some time later. */
  async function workLetter(ports: ReminderPorts): Promise<void> {
    const [id, letter] = [...letters].find(([, { until }]) => until <= books.time) ?? [];
    if (id === undefined || !letter) return;
    if (letter.state === 'underway') {
      letters.delete(id);
      return void asked.set(id, '');
    }
    letter.until = books.time + 180_000;
    const peaceful = peace;
    peace = true;
    const said = await printReminder(ports, kept.get(id)!).finally(() => (peace = peaceful));
    if (!said) {
      letters.delete(id);
      return void asked.set(id, 'withdrawn');
    }
    note(kept.get(id)!, said.claim.openCents);
    letters.set(id, { state: 'underway', until: books.time + Math.floor(random() * 3 * DAY_MS) });
  }

  const expected = (error: unknown): void => {
    if (!(error instanceof AppError) || !['unavailable', 'invalid', 'conflict', 'blocked'].includes(error.kind))
      failures.push(error);
  };
  const today = (): string => new Date(books.time).toISOString().slice(0, 10);
  const plan = async (ports: ReminderPorts): Promise<void> => {
    for await (const made of planReminders(ports, ORGANIZATION, today())) await sendReminder(ports, made);
  };
  const live = (): void => {
    const invoiceId = pick(INVOICES);
    const dice = random();
    const quiet = books.ports(
      () => Promise.resolve(),
      () => false,
    );
    const operation = { id: `op-${serial++}`, by: OPERATOR };
    const paid = books.entries.find((entry) => entry.type === 'payment' && entry.invoiceId === invoiceId);
    if (dice < 0.3) {
      const payment = { amountCents: 1 + Math.floor(random() * 12_100), provider: 'bank', method: '', paymentId: '' };
      void recordPayment(quiet, ORGANIZATION, invoiceId, payment, operation).catch(expected);
    } else if (dice < 0.5 && paid) void reverseEntry(quiet, ORGANIZATION, paid._id, 'omdat', operation).catch(expected);
    else if (dice < 0.7) void (beingPaid.delete(invoiceId) || beingPaid.add(invoiceId));
    else if (dice < 0.8) void (excepted.delete(invoiceId) || excepted.add(invoiceId));
  };

  for (let each = 0; each < steps; each++) {
    const dice = random();
    const replica = Math.floor(random() * REPLICAS);
    if (dice < 0.82 && waiting.length > 0) waiting.splice(Math.floor(random() * waiting.length), 1)[0]?.resume();
    else if (dice < 0.88) void plan(portsOf(replica)).catch(expected);
    else if (dice < 0.92) void sendDue(portsOf(replica), expected).catch(expected);
    else if (dice < 0.94) live();
    else if (dice < 0.95) void workLetter(portsOf(replica)).catch(expected);
    else if (dice < 0.965) books.time += Math.floor(random() * 120_000);
    else if (dice < 0.975) books.time += Math.floor(random() * 12) * DAY_MS;
    else if (dice < 0.985) waiting = waiting.filter((one) => one.replica !== replica);
    await new Promise((resolve) => setImmediate(resolve));
  }
  peace = true;
  waiting = [];
  beingPaid.clear();
  for (let round = 0; round < 100; round++) {
    books.time += 3_600_000;
    const isSending = await sendDue(portsOf(0), (error) => failures.push(error));
    if (!isSending && letters.size === 0) break;
    await workLetter(portsOf(0));
  }
  return [...failures.map(String), ...audit([...kept.values()], sent, told)];
}

function audit(kept: readonly Reminder[], sent: readonly Sent[], told: readonly string[]): string[] {
  const faults: string[] = [];
  const steps = sent.map(({ reminder }) => `${reminder.invoiceId} step ${reminder.step}`);
  if (new Set(steps).size < steps.length) faults.push(`sent twice: ${steps.join()}`);
  for (const { reminder, openCents, truth, beingPaid, excepted, latest } of sent) {
    if (openCents !== truth || truth === 0) faults.push(`${reminder._id} said ${openCents}, ${truth} was open`);
    if (beingPaid || excepted) faults.push(`${reminder._id} was sent although it was being paid or excepted`);
    if (reminder.step !== latest) faults.push(`${reminder._id} was step ${reminder.step}, not ${latest}`);
  }
  for (const { _id, state } of kept) {
    if (state === 'due') faults.push(`${_id} is still due`);
    const left = sent.filter(({ reminder }) => reminder._id === _id).length;
    const times = told.filter((id) => id === _id).length;
    if (left !== (state === 'sent' ? 1 : 0) || times !== left)
      faults.push(`${_id} is ${state}: sent ${left}, told ${times}`);
  }
  return faults;
}
