import { AppError } from '@invoicing/errors';
import { seededRandom } from '@invoicing/testing';
import { factsOf } from '../account/account';
import type { AccountPorts } from '../billing-ports';
import { partEntryId, providerEntryId, type Entry } from '../account/entry';
import { moveSurplus } from '../account/move-surplus';
import { effectiveEntries, openAmount } from '../account/open-amount';
import { recordMovement } from '../account/record-movement';
import { recordPayment } from '../account/record-payment';
import { refundPayment } from '../account/refund-payment';
import { followDueEntry } from '../account/refund-worker';
import { reverseEntry } from '../account/reverse-entry';
import { tellOverdue } from '../account/tell-overdue';
import { writeOff } from '../account/write-off';
import { creditInvoice } from '../invoices/credit-invoice';
import {
  ORGANIZATION,
  SimulatedBooks,
  standing,
  type AccountSabotage,
  type SimulatedMovement,
  type SimulatedPayment,
} from './simulated-account';

const REPLICAS = 2;
const INVOICES = ['invoice-0', 'invoice-1'];
const OPERATIONS = 8;
const MAX_FOLLOW_UPS = 100;
const HOUR_MS = 3_600_000;
const PROVIDER = 'mollie';
const CHECKOUT = { kind: 'service', id: 'checkout' } as const;
const OPERATOR = { kind: 'operator', id: 'root' } as const;

interface Waiting {
  readonly replica: number;
  resume: () => void;
}

/** What somebody asked for; asked for again, it is the same. */
type Work = (ports: AccountPorts) => Promise<unknown>;

/**
 * The real verbs of the account on books that interleave every step, lose answers and kill replicas between any two steps, while a provider
 * takes payments, refunds and chargebacks and tells them in any order, late and repeatedly. Then everything that is due is done in peace, and
 * the accounts must be what the provider and the operators made of them. Same seed, same run.
 */
export async function simulateAccounts(
  seed: number,
  steps: number,
  sabotage: AccountSabotage = 'none',
): Promise<string[]> {
  const random = seededRandom(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const cents = (most: number): number => 1 + Math.floor(random() * most);
  const books = new SimulatedBooks(sabotage);
  let waiting: Waiting[] = [];
  let peace = false;
  const portsOf = (replica: number): AccountPorts =>
    books.ports(
      () => (peace ? Promise.resolve() : new Promise((resume) => waiting.push({ replica, resume }))),
      () => !peace && random() < 0.03,
    );
  const prepayment = {
    provider: PROVIDER,
    method: 'ideal',
    id: 'pay-0',
    paidAt: new Date(books.time),
    date: '2026-03-02',
  };
  books.addInvoice(INVOICES[0]!, random() < 0.3 ? { prepayment: { ...prepayment, amountCents: 12_100 } } : {});
  books.addInvoice(INVOICES[1]!);
  const failures: unknown[] = [];
  const spawn = (work: Promise<unknown>): void => void work.catch((error: unknown) => failures.push(error));
  /** Whatever an operator is refused is no failure: what he asked for did not fit the account as it was. */
  const expected = (error: unknown): void => {
    if (
      !(error instanceof AppError) ||
      !['invalid', 'blocked', 'unavailable', 'conflict', 'absent'].includes(error.kind)
    )
      throw error;
  };

  /** Operations of operators, which are repeated as long as nobody knows what became of them. */
  const operations = Array.from({ length: OPERATIONS }, (_, index) => operationOf(`op-${index}`));
  const repeated = new Set<Work>();

  for (let step = 0; step < steps; step++) {
    const dice = random();
    const replica = Math.floor(random() * REPLICAS);
    if (dice < 0.8 && waiting.length > 0) waiting.splice(Math.floor(random() * waiting.length), 1)[0]?.resume();
    else if (dice < 0.84) pay();
    else if (dice < 0.87) spawn(tellPayment(pick([...books.payments.values()]))(portsOf(replica)).catch(expected));
    else if (dice < 0.9) spawn(tell(replica).catch(expected));
    else if (dice < 0.94) ask(replica);
    else if (dice < 0.96) spawn(followDueEntry(portsOf(replica), callOf(undefined)).catch(expected));
    else if (dice < 0.965) spawn(tellOverdue(portsOf(replica), books.invoices.get(pick(INVOICES))!).catch(expected));
    else if (dice < 0.975) happen();
    else if (dice < 0.985) books.time += Math.floor(random() * 60_000);
    // A dead replica's steps are never taken: what it had not done is not done.
    else if (dice < 0.99) waiting = waiting.filter((each) => each.replica !== replica);
    await settled();
  }

  peace = true;
  waiting = [];
  const quiet = portsOf(0);
  for (const work of repeated) await work(quiet).catch(expected);
  for (const payment of books.payments.values()) await tellPayment(payment)(quiet);
  // Checkout has heard everything in the end: once more than once.
  for (let round = 0; round < 2; round++) {
    for (const payment of books.payments.values())
      for (const movement of payment.movements) await tellMovement(quiet, payment, { ...movement });
    for (let follow = 0; follow < MAX_FOLLOW_UPS; follow++) {
      books.time += HOUR_MS;
      if (!(await followDueEntry(quiet, callOf(undefined)))) break;
    }
  }
  return [...failures.map(String), ...INVOICES.flatMap((id) => audit(books, id))];

  /** A payment at the provider; there is money before anybody hears of it. */
  function pay(): void {
    if (books.payments.size > 4) return;
    const id = `pay-${books.payments.size}`;
    const invoiceId = books.payments.size === 0 ? INVOICES[0]! : pick(INVOICES);
    const amount = books.payments.size === 0 ? 12_100 : pick([12_100, 12_100, cents(12_100), cents(20_000)]);
    books.payments.set(id, { id, invoiceId, cents: amount, movements: [] });
  }

  function tellPayment(payment: SimulatedPayment | undefined): Work {
    return async (ports) => {
      if (!payment) return;
      const { id: paymentId, invoiceId, cents: amountCents } = payment;
      const paid = { amountCents, provider: PROVIDER, method: 'ideal', paymentId, paidAt: new Date(books.time) };
      const operation = { id: `tell-${paymentId}`, by: CHECKOUT };
      const { entry } = await recordPayment(ports, ORGANIZATION, invoiceId, paid, operation);
      if (entry.surplusCents === 0) return;
      const back = {
        ...REFUND,
        surplusOnly: true,
        keepOpen: true,
        entryId: entry._id,
        amountCents: entry.surplusCents,
      };
      const surplus = { id: `surplus-${paymentId}`, by: CHECKOUT };
      await refundPayment(ports, ORGANIZATION, invoiceId, back, surplus, callOf(undefined));
    };
  }

  /** What was read of the provider at some moment, told at another. */
  async function tell(replica: number): Promise<void> {
    const moved = [...books.payments.values()].filter(({ movements }) => movements.length > 0);
    if (moved.length === 0) return;
    const payment = pick(moved);
    const movement = { ...pick(payment.movements) };
    const ports = portsOf(replica);
    await tellPayment(payment)(ports);
    await tellMovement(ports, payment, movement);
  }

  function tellMovement(ports: AccountPorts, payment: SimulatedPayment, movement: SimulatedMovement): Promise<unknown> {
    const { id: providerId, kind, cents: amountCents, entryId, undone } = movement;
    const told = { kind, provider: PROVIDER, paymentId: payment.id, providerId, amountCents, undone, reason: '' };
    const operation = { id: `told-${providerId}`, by: CHECKOUT };
    const at = { movedAt: new Date(books.time), ...(entryId !== null && { entryId }) };
    return recordMovement(ports, ORGANIZATION, payment.invoiceId, { ...told, ...at }, operation, callOf(undefined));
  }

  /** What happens at the provider of its own accord. */
  function happen(): void {
    const payment = pick([...books.payments.values()]);
    if (!payment) return;
    const left = payment.cents - standing(payment);
    const alive = payment.movements.filter(({ undone }) => !undone);
    if (random() < 0.35 && alive.length > 0) pick(alive).undone = true;
    else if (left > 0) books.move(payment, pick(['refund', 'chargeback'] as const), cents(left), null);
  }

  function ask(replica: number): void {
    const work = pick(operations);
    repeated.add(work);
    spawn(work(portsOf(replica)).catch(expected));
  }

  function operationOf(id: string): Work {
    const invoiceId = pick(INVOICES);
    const other = INVOICES.find((each) => each !== invoiceId)!;
    const operation = { id, by: OPERATOR };
    const amountCents = pick([12_100, cents(12_100)]);
    const reason = 'omdat';
    const call = callOf(id);
    const refund = { ...REFUND, keepOpen: random() < 0.3, ...(random() < 0.5 && { amountCents }) };
    const byBank = { amountCents, provider: 'bank', method: '', paymentId: '' };
    const kinds: Work[] = [
      (ports) => recordPayment(ports, ORGANIZATION, invoiceId, byBank, operation),
      (ports) => refundPayment(ports, ORGANIZATION, invoiceId, refund, operation, call),
      (ports) => refundPayment(ports, ORGANIZATION, invoiceId, { ...refund, through: 'bank' }, operation, call),
      (ports) => creditInvoice(ports, ORGANIZATION, invoiceId, { lines: [], amountCents, reason }, call),
      (ports) => creditInvoice(ports, ORGANIZATION, invoiceId, { lines: [{ line: 0, quantity: '3' }], reason }, call),
      (ports) => writeOff(ports, ORGANIZATION, invoiceId, { amountCents, reason: 'rounding', note: '' }, operation),
      (ports) => moveSurplus(ports, ORGANIZATION, invoiceId, { toInvoiceId: other }, operation, call),
      (ports) => reverseEntry(ports, ORGANIZATION, partEntryId('op-0', 0), reason, operation),
    ];
    return pick(kinds);
  }
}

const REFUND = { through: '', surplusOnly: false, keepOpen: false, reason: '', reference: '' };
const callOf = (operationId: string | undefined) => ({ deadline: Number.MAX_SAFE_INTEGER, operationId });
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** What is wrong with an account, in words. */
function audit(books: SimulatedBooks, invoiceId: string): string[] {
  const faults: string[] = [];
  const check = (fits: boolean, what: string): void => void (fits || faults.push(`${invoiceId}: ${what}`));
  const entries = books.entries.filter((each) => each.invoiceId === invoiceId).sort((a, b) => a.ordinal - b.ordinal);
  const standingEntries = effectiveEntries(entries);
  const payments = [...books.payments.values()].filter((each) => each.invoiceId === invoiceId);

  check(new Set(entries.map(({ _id }) => _id)).size === entries.length, 'an entry is there twice');
  entries.forEach(({ ordinal }, index) => check(ordinal === index + 1, `place ${index + 1} is ${ordinal}`));
  for (const payment of payments) {
    const { id, cents } = payment;
    const told = entries.filter((entry) => entry.type === 'payment' && entry.paymentId === id);
    check(told.length === 1 && told[0]?.amountCents === cents, `${id} has ${told.length} entries`);
    const sum = (kind: SimulatedMovement['kind'], all: readonly Entry[]): number =>
      all.reduce(
        (total, entry) => (entry.type === kind && entry.paymentId === id ? total + entry.amountCents : total),
        0,
      );
    for (const kind of ['refund', 'chargeback'] as const) {
      const standing = payment.movements.filter((each) => each.kind === kind && !each.undone);
      const there = standing.reduce((total, each) => total + each.cents, 0);
      check(
        sum(kind, standingEntries) === there,
        `${id}: ${sum(kind, standingEntries)} by ${kind} instead of ${there}`,
      );
    }
    check(standing(payment) <= cents, `${id} gave back more than it was`);
    const asked = payment.movements.flatMap(({ entryId }) => entryId ?? []);
    check(new Set(asked).size === asked.length, `${id} was given back twice for one entry`);
  }
  for (const entry of entries) {
    check(!entry.dueAt, `${entry._id} is still to be followed up`);
    // What left this account for another is on that one.
    if (entry.type === 'refund' && entry.otherInvoiceId !== undefined) {
      const there = books.entries.filter(({ _id }) => _id === providerEntryId('payment', 'transfer', entry._id));
      check(there.length === 1 && there[0]?.amountCents === entry.amountCents, `${entry._id} did not arrive`);
    }
  }
  checkPaidOnce(books, invoiceId, entries, check);
  checkOverdueOnce(books, invoiceId, entries, check);
  return faults;
}

/** `invoice.paid` hangs on the payment that first brings the open amount to zero, as the entries themselves say in which order they came. */
function checkPaidOnce(
  books: SimulatedBooks,
  invoiceId: string,
  entries: readonly Entry[],
  check: (fits: boolean, what: string) => void,
): void {
  const invoice = books.invoices.get(invoiceId)!;
  const credits = books.creditsOf(invoiceId);
  let wasSettled = false;
  entries.forEach((entry, index) => {
    const seen = credits.slice(0, entry.creditsSeen);
    const before = openAmount(factsOf(invoice, seen, entries.slice(0, index)));
    const after = openAmount(factsOf(invoice, seen, entries.slice(0, index + 1)));
    const earlier = entries[index - 1]?.creditsSeen ?? 0;
    check(entry.creditsSeen >= earlier, `${entry._id} saw fewer credit notes than the entry before`);
    if (entry.type !== 'payment') return;
    const isPrepayment = invoice.prepayment?.id === entry.paymentId;
    const settles = !wasSettled && (before.openCents > 0 || isPrepayment) && after.openCents === 0;
    check(entry.settles === settles, `${entry._id} ${entry.settles ? 'says' : 'does not say'} that it settles`);
    check(entry.surplusCents === after.surplusCents - before.surplusCents, `${entry._id} is wrong about surplus`);
    wasSettled ||= entry.settles;
  });
}

/** An overdue invoice is told once, and only while something is open. */
function checkOverdueOnce(
  books: SimulatedBooks,
  invoiceId: string,
  entries: readonly Entry[],
  check: (fits: boolean, what: string) => void,
): void {
  check(entries.filter(({ type }) => type === 'overdue').length <= 1, 'is overdue twice');
  entries.forEach((entry, index) => {
    if (entry.type !== 'overdue') return;
    const seen = books.creditsOf(invoiceId).slice(0, entry.creditsSeen);
    const { openCents } = openAmount(factsOf(books.invoices.get(invoiceId)!, seen, entries.slice(0, index)));
    check(openCents === entry.amountCents && openCents > 0, `${entry._id} is overdue with ${openCents} open`);
  });
}
