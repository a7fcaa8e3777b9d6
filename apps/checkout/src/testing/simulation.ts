import { seededRandom } from '@invoicing/testing';
import { type Session } from '../sessions/session';
import { type Ports } from '../sessions/session-ports';
import { refreshSession } from '../sessions/refresh-payment';
import { claimDue, runDue } from '../sessions/run-due';
import { startPayment } from '../sessions/start-payment';
import { sampleSession } from './sample-session';
import { SimulatedWorld, type Sabotage } from './simulated-world';

const SESSIONS = 2;
const REPLICAS = 2;
const HOUR_MS = 3_600_000;

interface Waiting {
  readonly replica: number;
  resume: () => void;
}

/**
 * The real use cases on a world that interleaves every step, kills replicas between any two of them and lets payers, callbacks
 * and time do as they like; then everything that is due is done in peace, and the books must be right. Same seed, same run.
 */
export async function simulate(seed: number, steps: number, sabotage: Sabotage = 'none'): Promise<string[]> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const world = new SimulatedWorld(sabotage);
  let waiting: Waiting[] = [];
  let peace = false;
  /** Addresses that a payer was really sent to: nothing else can be paid. */
  const payable = new Set<string>();

  const partsOf = (replica: number): Ports =>
    world.ports(
      () => (peace ? Promise.resolve() : new Promise((resume) => waiting.push({ replica, resume }))),
      () => !peace && random() < 0.1,
    );
  const ids = Array.from({ length: SESSIONS }, (_, index) => `00000000-0000-4000-8000-00000000000${index}`);
  const quiet = world.ports(
    () => Promise.resolve(),
    () => false,
  );
  for (const id of ids) await quiet.sessions.insert(sampleSession({ id }));

  const stored = (id: string): Session => world.sessions.get(id) as Session;
  const failures: unknown[] = [];
  const spawn = (work: Promise<unknown>): void => void work.catch((error: unknown) => failures.push(error));

  const visit = async (ports: Ports, id: string): Promise<void> => {
    const account = (await ports.accounts.current('o'))!;
    const started = await startPayment(ports, structuredClone(stored(id)), account, {
      form: `form-${Math.floor(random() * 4)}`,
      method: pick(['ideal', 'bancontact']),
      payer: { name: 'Anna', email: 'anna@example.com' },
      language: 'nl',
    });
    if (started.kind === 'go') payable.add(started.payUrl);
  };
  const work = async (ports: Ports): Promise<boolean> => {
    const session = (await claimDue(ports, 'settling')) ?? (await claimDue(ports, 'watching'));
    if (session) await runDue(ports, session);
    return session !== null;
  };
  const decide = (): void => {
    const open = [...world.payments.values()].filter(({ status }) => status === 'open' || status === 'pending');
    if (open.length === 0) return;
    const payment = pick(open);
    const reachable = payable.has(payment.payUrl ?? '');
    const status = reachable ? pick(['paid', 'paid', 'paid', 'pending', 'failed', 'canceled'] as const) : 'expired';
    const short = random() < 0.1;
    const amountCents = status === 'paid' && short ? payment.amountCents - 1 : payment.amountCents;
    world.payments.set(payment.id, { ...payment, status, amountCents });
  };

  for (let step = 0; step < steps; step++) {
    const dice = random();
    const replica = Math.floor(random() * REPLICAS);
    if (dice < 0.86 && waiting.length > 0) {
      const index = Math.floor(random() * waiting.length);
      waiting.splice(index, 1)[0]?.resume();
    } else if (dice < 0.9) spawn(visit(partsOf(replica), pick(ids)));
    else if (dice < 0.925) spawn(refreshSession(partsOf(replica), structuredClone(stored(pick(ids)))));
    else if (dice < 0.95) spawn(work(partsOf(replica)));
    else if (dice < 0.985) decide();
    else if (dice < 0.993) world.time += Math.floor(random() * 400_000);
    // A dead replica's steps are never taken: what it had not done is not done.
    else waiting = waiting.filter((each) => each.replica !== replica);
    await settled();
  }

  peace = true;
  waiting = [];
  for (const payment of world.payments.values())
    if (payment.status === 'open' || payment.status === 'pending')
      world.payments.set(payment.id, { ...payment, status: 'expired' });
  for (let round = 0; round < 500; round++) {
    if (await work(quiet)) continue;
    const due = [...world.sessions.values()].flatMap(({ dueAt }) => (dueAt ? [dueAt.getTime()] : []));
    if (due.length === 0) break;
    world.time = Math.max(world.time + 1, Math.min(...due));
  }
  world.time += HOUR_MS;
  return [...failures.map(String), ...ids.flatMap((id) => audit(world, stored(id)))];
}

/** What is wrong in the books of a session, in words. */
function audit(world: SimulatedWorld, session: Session): string[] {
  const faults: string[] = [];
  const check = (fits: boolean, what: string): void => void (fits || faults.push(`${session.id}: ${what}`));
  const payments = session.attempts.flatMap(({ paymentId }) => world.payments.get(paymentId ?? '') ?? []);
  const full = payments.filter(
    ({ status, amountCents }) => status === 'paid' && amountCents === session.totals.inclCents,
  );
  const invoices = [...world.invoices.values()].filter(({ checkoutId }) => checkoutId === session.id);
  const events = world.events.filter((id) => id === session.id);

  check(session.status === (full.length > 0 ? 'paid' : 'expired'), `is ${session.status} with ${full.length} payments`);
  check(invoices.length === Math.min(full.length, 1), `has ${invoices.length} invoices for ${full.length} payments`);
  check(events.length === invoices.length, `has ${events.length} events for ${invoices.length} invoices`);
  const kept = full.filter(({ refundedBy }) => refundedBy.size === 0);
  check(kept.length === invoices.length, `keeps ${kept.length} payments for ${invoices.length} invoices`);
  for (const { paidBy, saysPaidBy } of invoices) {
    check(paidBy === kept[0]?.id, `its invoice is paid by ${paidBy}`);
    check(saysPaidBy === paidBy, `its invoice says that it is paid by ${saysPaidBy}`);
  }
  for (const { id, refundedBy } of payments)
    check(refundedBy.size <= 1, `${id} was given back ${refundedBy.size} times`);
  return faults;
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
