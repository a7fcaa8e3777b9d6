import { seededRandom } from '@invoicing/testing';
import { AppError } from '@invoicing/errors';
import { type Movement } from '../sessions/movement';
import { type Session } from '../sessions/session';
import { type Ports } from '../sessions/session-ports';
import { refreshSession } from '../sessions/refresh-payment';
import { refundPayment } from '../sessions/refund-payment';
import { claimDue, runDue } from '../sessions/run-due';
import { cancelCheckout } from '../sessions/cancel-checkout';
import { startPayment } from '../sessions/start-payment';
import { watchPaidAttempt } from '../sessions/watch-paid-attempt';
import { sampleSession } from './sample-session';
import { SimulatedWorld, type Sabotage } from './simulated-world';

const SESSIONS = 2;
const REPLICAS = 2;
const HOUR_MS = 3_600_000;
/** By then every paid payment was looked at again. */
const PEACE_MS = 72 * HOUR_MS;

interface Waiting {
  readonly replica: number;
  resume: () => void;
}

/**
 * The real use cases on a world that interleaves every step, kills replicas between any two of them and lets payers, callbacks
 * and time do as they like; then everything that is due is done in peace, and the books must be right. Same seed, same run.
 */
export async function simulate(
  seed: number,
  steps: number,
  sabotage: Sabotage = 'none',
  { cancels = false } = {},
): Promise<string[]> {
  const random = seededRandom(seed);
  // Of their own, so that the seeds that found a fault once still do as they did.
  const canceling = seededRandom(seed);
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
  /** As billing's worker does: asks for what is on an account and not done, and keeps what it is answered. */
  const refund = async (ports: Ports): Promise<boolean> => {
    const due = [...world.entries.values()].filter(
      ({ cents, movementId, undone }) => cents < 0 && movementId === '' && !undone,
    );
    if (due.length === 0) return false;
    const entry = pick(due);
    const { id: entryId, invoiceId, paymentId, cents } = entry;
    const session = ids.map(stored).find(({ attempts }) => attempts.some((each) => each.paymentId === paymentId))!;
    const { organizationId } = session;
    const ask = { organizationId, invoiceId, checkoutId: session.id, provider: 'sandbox', paymentId, entryId };
    const result = await refundPayment(ports, { ...ask, amountCents: -cents });
    if ('refused' in result) entry.undone = true;
    else if (entry.movementId === '') entry.movementId = result.refundId;
    return true;
  };
  /** What happens at the provider long after a payment: money goes back, and sometimes does not arrive. */
  const giveBack = (): void => {
    const paid = [...world.payments.values()].filter(({ status }) => status === 'paid');
    if (paid.length === 0) return;
    const payment = pick(paid);
    const refunds = payment.movements.filter(({ kind }) => kind === 'refund');
    if (random() < 0.3 && refunds.length > 0) {
      const failed = pick(refunds);
      payment.movements.splice(payment.movements.indexOf(failed), 1, { ...failed, undone: true });
    } else {
      const kind = pick(['refund', 'refund', 'chargeback'] as const);
      world.giveBack(payment, { kind, amountCents: 1 + Math.floor(random() * 5_000), entryId: null });
    }
  };
  const watch = async (ports: Ports): Promise<void> => {
    const session = stored(pick(ids));
    for (const { id, status } of session.attempts) if (status === 'paid') await watchPaidAttempt(ports, session, id);
  };
  const cancel = async (ports: Ports): Promise<void> => {
    const session = structuredClone(stored(pick(ids)));
    await cancelCheckout(ports, session, { kind: 'operator', id: 'o' }).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.kind !== 'conflict') throw error;
    });
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
    else if (dice < 0.96) spawn(refund(partsOf(replica)).catch(unlessAway));
    else if (dice < 0.965) spawn(watch(partsOf(replica)));
    else if (dice < 0.97) giveBack();
    else if (dice < 0.985) decide();
    else if (dice < 0.993) world.time += Math.floor(random() * 400_000);
    // A dead replica's steps are never taken: what it had not done is not done.
    else waiting = waiting.filter((each) => each.replica !== replica);
    if (cancels && canceling() < 0.004) spawn(cancel(partsOf(replica)));
    await settled();
  }

  peace = true;
  waiting = [];
  for (const payment of world.payments.values())
    if (payment.status === 'open' || payment.status === 'pending')
      world.payments.set(payment.id, { ...payment, status: 'expired' });
  const end = world.time + PEACE_MS;
  for (;;) {
    if ((await refund(quiet)) || (await work(quiet))) continue;
    const due = [...world.sessions.values()].flatMap(({ dueAt }) => (dueAt ? [dueAt.getTime()] : []));
    const next = Math.min(...due);
    if (next > end) break;
    world.time = Math.max(world.time + 1, next);
  }
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
  const told = (type: string): number => world.events.filter((each) => each === `${type} ${session.id}`).length;

  check(session.status === (full.length > 0 ? 'paid' : 'expired'), `is ${session.status} with ${full.length} payments`);
  check(invoices.length === Math.min(full.length, 1), `has ${invoices.length} invoices for ${full.length} payments`);
  check(told('checkout.paid') === invoices.length, `was told paid ${told('checkout.paid')} times`);
  // Money may have come after its end.
  const expired = told('checkout.expired');
  check(expired === 1 || (expired === 0 && full.length > 0), `was told expired ${expired} times`);
  for (const invoice of invoices) {
    const entries = [...world.entries.values()].filter(({ invoiceId }) => invoiceId === invoice.id);
    check(
      full.some(({ id }) => id === invoice.saysPaidBy),
      `its invoice says that it is paid by ${invoice.saysPaidBy}`,
    );
    check(world.paidInvoices.filter((id) => id === invoice.id).length === 1, 'its invoice was not told paid once');
    for (const { id, amountCents } of full) {
      const own = entries.filter(({ cents, paymentId }) => cents > 0 && paymentId === id);
      check(own.length === 1 && own[0]?.cents === amountCents, `${id} has ${own.length} entries`);
    }
    // What stands on the account is what stands at the provider.
    const returned = full.flatMap(({ movements }) => movements);
    for (const { id, amountCents, undone } of returned) {
      const own = entries.filter(({ movementId }) => movementId === id);
      // Made and failed before anybody looked: nothing ever moved.
      check(own.length === 1 || (undone && own.length === 0), `${id} has ${own.length} entries`);
      for (const entry of own)
        check(entry.undone === undone && entry.cents === -amountCents, `${id} is told otherwise`);
    }
    const expected = full.reduce((sum, { amountCents }) => sum + amountCents, 0) - standing(returned);
    check(
      world.received(invoice.id) === expected,
      `its account has ${world.received(invoice.id)} instead of ${expected}`,
    );
    // What was too much went back, unless it came here again.
    const surplus = world.received(invoice.id) - invoice.totalCents;
    check(surplus <= 0 || returned.some(({ undone }) => undone), `${surplus} too much was kept`);
  }
  for (const { id, movements } of payments) {
    const asked = movements.flatMap(({ entryId }) => entryId ?? []);
    check(new Set(asked).size === asked.length, `${id} was given back twice for one entry`);
  }
  return faults;
}

/** Billing asks again for what it was not answered. */
const unlessAway = (error: unknown): void => {
  if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error;
};

const standing = (movements: readonly Movement[]): number =>
  movements.reduce((sum, { amountCents, undone }) => (undone ? sum : sum + amountCents), 0);

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
