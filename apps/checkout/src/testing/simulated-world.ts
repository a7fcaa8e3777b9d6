import { AppError } from '@invoicing/errors';
import { type PaymentState } from '../sessions/observe-payment';
import { type Session } from '../sessions/session';
import { nextDueAt } from '../sessions/settle-session';
import { type Movement } from '../sessions/movement';
import { type NewRefund, type Ports, type ProviderAccount, type ReportedPayment } from '../sessions/session-ports';
import { T0 } from './sample-session';

/** How a known-bad variant of the real thing misbehaves: the simulation must notice each. */
export type Sabotage =
  | 'none'
  | 'blind_writes'
  | 'new_ids'
  | 'no_surplus_refund'
  | 'trusts_amounts'
  | 'forgets_entries'
  | 'never_looks_again'
  | 'loses_what_is_told'
  | 'refunds_by_new_keys';

interface SimulatedPayment extends Omit<PaymentState, 'returnedCents'> {
  readonly key: string;
  /** What went back at the provider. */
  readonly movements: Movement[];
}

/** What stands on the account of an invoice: below 0 for what went back. */
export interface SimulatedEntry {
  readonly id: string;
  readonly invoiceId: string;
  readonly paymentId: string;
  readonly cents: number;
  /** The provider's id of what went back; '' while nobody told. */
  movementId: string;
  undone: boolean;
}

interface SimulatedInvoice {
  readonly id: string;
  readonly checkoutId: string;
  readonly totalCents: number;
  /** Which payment it was issued with. */
  readonly saysPaidBy: string;
}

const copy = <T>(value: T): T => structuredClone(value);

/** What outlives every process: store, provider, billing, catalog. Each part keeps the promises that the real one makes, and no more. */
export class SimulatedWorld {
  time = T0.getTime();
  readonly sessions = new Map<string, Session & { dueAt: Date | null }>();
  readonly events: string[] = [];
  readonly payments = new Map<string, SimulatedPayment>();
  readonly invoices = new Map<string, SimulatedInvoice>();
  readonly entries = new Map<string, SimulatedEntry>();
  /** Of `invoice.paid`: the invoice whose account a payment first brought to zero. */
  readonly paidInvoices: string[] = [];
  readonly customers = new Set<string>();
  private readonly surplusOf = new Map<string, number>();
  private serial = 0;

  constructor(private readonly sabotage: Sabotage) {}

  /**
   * The world as one process sees it. `step` is waited for before and after every effect: there the process may be interleaved
   * with others, or die for good. `flaky` decides whether the provider is out of reach.
   */
  ports(step: () => Promise<void>, flaky: () => boolean): Ports {
    const acted = async <T>(effect: () => T): Promise<T> => {
      await step();
      const answer = copy(effect());
      await step();
      return answer;
    };
    const account: ProviderAccount = {
      id: 'account',
      organizationId: 'o',
      provider: 'sandbox',
      apiKey: null,
      baseUrl: null,
      connectedAt: T0,
    };
    return {
      clock: { now: () => new Date(this.time) },
      report: () => undefined,
      wake: () => undefined,
      newCall: () => ({ requestId: 'r', deadline: 0 }),
      publicUrl: 'https://pay.example',
      allowLoopback: true,
      accounts: {
        insert: () => Promise.reject(new Error('not simulated')),
        find: () => Promise.resolve(account),
        current: () => Promise.resolve(account),
      },
      sessions: {
        insert: (session) => acted(() => (this.put(session), session)),
        find: (_organization, id) => acted(() => this.sessions.get(id) ?? null),
        findById: (id) => acted(() => this.sessions.get(id) ?? null),
        findByToken: () => Promise.resolve(null),
        replace: (after, event) =>
          acted(() => {
            const stored = this.sessions.get(after.id);
            if (this.sabotage !== 'blind_writes' && stored?.revision !== after.revision) return false;
            this.put({ ...after, revision: after.revision + 1 });
            if (event) this.events.push(`${event.type} ${event.checkoutId}`);
            return true;
          }),
        cancel: (after, _change, event) =>
          acted(() => {
            if (this.sessions.get(after.id)?.revision !== after.revision) return null;
            this.put({ ...after, revision: after.revision + 1 });
            if (event) this.events.push(`${event.type} ${event.checkoutId}`);
            return this.sessions.get(after.id)!;
          }),
        claimDue: (work, now, leaseUntil) =>
          acted(() => {
            const isFor = ({ fulfilment }: Session): boolean =>
              (fulfilment?.status === 'due') === (work === 'settling');
            const due = [...this.sessions.values()].find(
              (session) => session.dueAt !== null && session.dueAt <= now && isFor(session),
            );
            if (due) this.sessions.set(due.id, { ...due, dueAt: leaseUntil });
            return due ?? null;
          }),
      },
      modeOf: () => 'test',
      openProvider: () => ({
        createPayment: (wanted) => acted(() => (this.reach(flaky), this.createPayment(wanted))),
        getPayment: (id) => acted(() => (this.reach(flaky), this.getPayment(id))),
        listMethods: () => Promise.resolve([]),
        listMovements: (id) => acted(() => (this.reach(flaky), this.payments.get(id)?.movements ?? [])),
        refund: (wanted) => acted(() => (this.reach(flaky), this.refund(wanted))),
      }),
      catalog: {
        matchCustomer: (_organization, payer) => acted(() => (this.customers.add(payer.email), payer.email)),
      },
      billing: {
        seller: () => Promise.reject(new Error('not simulated')),
        priceLines: () => Promise.reject(new Error('not simulated')),
        brand: () => Promise.reject(new Error('not simulated')),
        publicInvoice: () => Promise.resolve(null),
        issueInvoice: ({ checkoutId, prepayment }, operationId) =>
          acted(() => {
            const id = this.sabotage === 'new_ids' ? `${operationId}-${this.serial++}` : operationId;
            const totalCents = this.sessions.get(checkoutId)?.totals.inclCents ?? 0;
            const invoice = this.invoices.get(id) ?? { id, checkoutId, totalCents, saysPaidBy: prepayment.id };
            this.invoices.set(id, invoice);
            return { id, number: id, publicToken: id };
          }),
        recordPayment: ({ invoiceId, payment }) => acted(() => this.recordPayment(invoiceId, payment)),
        refundSurplus: ({ invoiceId, entryId, amountCents }, operationId) =>
          acted(() => this.refundSurplus(invoiceId, entryId, amountCents, operationId)),
        recordMovement: ({ invoiceId, paymentId, movement }) =>
          acted(() => this.recordMovement(invoiceId, paymentId, movement)),
      },
    };
  }

  received(invoiceId: string): number {
    const standing = [...this.entries.values()].filter((each) => each.invoiceId === invoiceId && !each.undone);
    return standing.reduce((sum, { cents }) => sum + cents, 0);
  }

  private surplus(invoiceId: string): number {
    return Math.max(0, this.received(invoiceId) - (this.invoices.get(invoiceId)?.totalCents ?? 0));
  }

  private recordPayment(invoiceId: string, { id, amountCents }: ReportedPayment) {
    if (!this.invoices.has(invoiceId)) throw new AppError('absent', 'not_found', 'no such invoice');
    const entryId = this.sabotage === 'forgets_entries' ? `${id}-${this.serial++}` : id;
    const before = this.surplus(invoiceId);
    const isNew = !this.entries.has(entryId);
    if (isNew) this.enter(entryId, { invoiceId, paymentId: id, cents: amountCents });
    const isPaid = this.received(invoiceId) >= (this.invoices.get(invoiceId)?.totalCents ?? 0);
    if (isNew && isPaid && !this.paidInvoices.includes(invoiceId)) this.paidInvoices.push(invoiceId);
    return { entryId, surplusCents: isNew ? this.surplus(invoiceId) - before : (this.surplusOf.get(entryId) ?? 0) };
  }

  private refundSurplus(invoiceId: string, entryId: string, amountCents: number, operationId: string): void {
    const payment = this.entries.get(entryId);
    if (!payment || this.entries.has(operationId) || this.sabotage === 'no_surplus_refund') return;
    const cents = Math.min(amountCents, this.surplus(invoiceId));
    if (cents > 0) this.enter(operationId, { invoiceId, paymentId: payment.paymentId, cents: -cents });
  }

  private recordMovement(invoiceId: string, paymentId: string, { id, amountCents, entryId, undone }: Movement): void {
    const paid = [...this.entries.values()].some((each) => each.cents > 0 && each.paymentId === paymentId);
    if (!paid) throw new AppError('absent', 'not_found', 'no such payment');
    const asked = entryId === null ? undefined : this.entries.get(entryId);
    const told = [...this.entries.values()].find(({ movementId }) => movementId === id);
    if (this.sabotage === 'loses_what_is_told' && undone) return;
    const entry = told ?? asked ?? this.enter(`moved-${id}`, { invoiceId, paymentId, cents: -amountCents });
    entry.movementId = id;
    // What came here again stays: a report that was read before that arrives late.
    entry.undone ||= undone;
  }

  private enter(id: string, entry: Pick<SimulatedEntry, 'invoiceId' | 'paymentId' | 'cents'>): SimulatedEntry {
    const before = this.surplus(entry.invoiceId);
    const made = { ...entry, id, movementId: '', undone: false };
    this.entries.set(id, made);
    this.surplusOf.set(id, this.surplus(entry.invoiceId) - before);
    return made;
  }

  private put(session: Session): void {
    this.sessions.set(session.id, { ...copy(session), dueAt: nextDueAt(session) });
  }

  private reach(flaky: () => boolean): void {
    if (flaky()) throw new AppError('unavailable', 'provider_failed', 'no answer');
  }

  private getPayment(id: string): PaymentState {
    const payment = this.payments.get(id);
    if (!payment) throw new AppError('absent', 'not_found', 'no such payment');
    const standing = this.sabotage === 'never_looks_again' ? [] : payment.movements.filter(({ undone }) => !undone);
    const returnedCents = standing.reduce((sum, { amountCents }) => sum + amountCents, 0);
    if (this.sabotage === 'trusts_amounts') return { ...payment, returnedCents, amountCents: 12_100 };
    return { ...payment, returnedCents };
  }

  /** What went back is there once for each entry that asked for it. */
  private refund({ paymentId, amountCents, entryId }: NewRefund): Movement {
    const payment = this.payments.get(paymentId);
    if (!payment) throw new AppError('absent', 'not_found', 'no such payment');
    const isKept = this.sabotage !== 'refunds_by_new_keys';
    const made = payment.movements.find((each) => isKept && each.entryId === entryId);
    return made ?? this.giveBack(payment, { kind: 'refund', amountCents, entryId });
  }

  giveBack({ id, movements }: SimulatedPayment, given: Pick<Movement, 'kind' | 'amountCents' | 'entryId'>): Movement {
    const movement = {
      ...given,
      id: `${id}-back-${this.serial++}`,
      at: new Date(this.time),
      undone: false,
      reason: '',
    };
    movements.push(movement);
    return movement;
  }

  private createPayment({
    idempotencyKey,
    amountCents,
    currency,
  }: {
    idempotencyKey: string;
    amountCents: number;
    currency: string;
  }): PaymentState {
    const known = [...this.payments.values()].find(({ key }) => key === idempotencyKey);
    if (known) return { ...known, returnedCents: 0 };
    const id = `pay-${this.serial++}`;
    const made: SimulatedPayment = {
      id,
      key: idempotencyKey,
      status: 'open',
      amountCents,
      currency,
      paidAt: null,
      payUrl: `https://bank/${id}`,
      movements: [],
    };
    this.payments.set(id, made);
    return { ...made, returnedCents: 0 };
  }
}
