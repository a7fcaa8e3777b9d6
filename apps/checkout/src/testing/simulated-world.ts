import { AppError } from '@invoicing/errors';
import { type PaymentState } from '../sessions/observe-payment';
import { type Session } from '../sessions/session';
import { nextDueAt } from '../sessions/settle-session';
import { type Ports, type ProviderAccount } from '../sessions/session-ports';
import { T0 } from './sample-session';

/** How a known-bad variant of the real thing misbehaves: the simulation must notice each. */
export type Sabotage = 'none' | 'blind_writes' | 'new_ids' | 'no_surplus_refund' | 'trusts_amounts';

interface SimulatedPayment extends PaymentState {
  readonly key: string;
  readonly refundedBy: Set<string>;
}

interface SimulatedInvoice {
  readonly id: string;
  readonly checkoutId: string;
  readonly totalCents: number;
  /** Which payment it was issued with. */
  readonly saysPaidBy: string;
  paidBy: string | null;
}

const copy = <T>(value: T): T => structuredClone(value);

/** What outlives every process: store, provider, billing, catalog. Each part keeps the promises that the real one makes, and no more. */
export class SimulatedWorld {
  time = T0.getTime();
  readonly sessions = new Map<string, Session & { dueAt: Date | null }>();
  readonly events: string[] = [];
  readonly payments = new Map<string, SimulatedPayment>();
  readonly invoices = new Map<string, SimulatedInvoice>();
  readonly customers = new Set<string>();
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
            if (event) this.events.push(event.checkoutId);
            return true;
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
        refund: (id, _amount, _currency, key) =>
          acted(() => {
            this.reach(flaky);
            if (this.sabotage !== 'no_surplus_refund') this.payments.get(id)?.refundedBy.add(key);
          }),
      }),
      catalog: {
        matchCustomer: (_organization, payer) => acted(() => (this.customers.add(payer.email), payer.email)),
      },
      billing: {
        seller: () => Promise.reject(new Error('not simulated')),
        priceLines: () => Promise.reject(new Error('not simulated')),
        publicInvoice: () => Promise.resolve(null),
        issueInvoice: ({ checkoutId, prepayment }, operationId) =>
          acted(() => {
            const id = this.sabotage === 'new_ids' ? `${operationId}-${this.serial++}` : operationId;
            const totalCents = this.sessions.get(checkoutId)?.totals.inclCents ?? 0;
            const invoice = this.invoices.get(id) ?? {
              id,
              checkoutId,
              totalCents,
              saysPaidBy: prepayment.id,
              paidBy: null,
            };
            this.invoices.set(id, invoice);
            return { id, number: id, publicToken: id };
          }),
        recordPayment: ({ invoiceId, payment }) =>
          acted(() => {
            const invoice = this.invoices.get(invoiceId);
            if (!invoice) throw new AppError('absent', 'not_found', 'no such invoice');
            if (invoice.paidBy !== null && invoice.paidBy !== payment.id)
              throw new AppError('exists', 'already_paid', 'paid by another payment');
            invoice.paidBy = payment.id;
          }),
      },
    };
  }

  private put(session: Session): void {
    this.sessions.set(session.id, { ...copy(session), dueAt: nextDueAt(session) });
  }

  private reach(flaky: () => boolean): void {
    if (flaky()) throw new AppError('unavailable', 'provider_unavailable', 'no answer');
  }

  private getPayment(id: string): PaymentState {
    const payment = this.payments.get(id);
    if (!payment) throw new AppError('absent', 'not_found', 'no such payment');
    if (this.sabotage === 'trusts_amounts') return { ...payment, amountCents: 12_100 };
    return payment;
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
    if (known) return known;
    const id = `pay-${this.serial++}`;
    const made: SimulatedPayment = {
      id,
      key: idempotencyKey,
      status: 'open',
      amountCents,
      currency,
      paidAt: null,
      payUrl: `https://bank/${id}`,
      refundedBy: new Set(),
    };
    this.payments.set(id, made);
    return made;
  }
}
