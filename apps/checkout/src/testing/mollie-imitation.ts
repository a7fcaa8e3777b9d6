import { once } from 'node:events';
import { type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express, { type Request, type Response } from 'express';

interface ImitatedPayment {
  readonly id: string;
  readonly request: MollieRequest;
  status: string;
  paidAt: string | null;
  readonly refunds: ImitatedRefund[];
  readonly chargebacks: ImitatedChargeback[];
}

interface ImitatedRefund {
  readonly id: string;
  readonly cents: number;
  readonly metadata: unknown;
  readonly createdAt: string;
  status: string;
}

interface ImitatedChargeback {
  readonly id: string;
  readonly cents: number;
  readonly createdAt: string;
  reversedAt: string | null;
}

interface MollieRequest {
  readonly amount: { currency: string; value: string };
  readonly description: string;
  readonly redirectUrl: string;
  readonly webhookUrl: string;
  readonly method: string;
  readonly metadata: unknown;
}

export const MOLLIE_KEY = 'test_imitation1234567890';
const METHODS = [
  ['ideal', 'iDEAL | Wero'],
  ['bancontact', 'Bancontact'],
  ['banktransfer', 'Bank transfer'],
  ['klarna', 'Pay with Klarna'],
  // Newer than the client: it could not make a payment with it.
  ['seashells', 'Seashells'],
] as const;

/** What goes wrong with the next request, or with the next whose path ends with `on`. */
export type Trouble = { readonly on?: string } & (
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  /** The request is carried out, its answer never comes. */
  | { readonly kind: 'lost' }
  /** The request is carried out late, whether or not somebody still waits for it; meanwhile its idempotency key is taken. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The same, as late as the test says. */
  | { readonly kind: 'held'; readonly until: Promise<void> }
  /** Half of the answer comes. */
  | { readonly kind: 'stalled' }
);

/** Mollie's HTTP API v2 on this machine, as far as we use it, with faults on request. */
export class MollieImitation {
  readonly payments = new Map<string, ImitatedPayment>();
  readonly requests: { method: string; path: string; body: unknown; query: unknown }[] = [];
  private readonly replays = new Map<string, string>();
  /** Requests that were left alone before they were answered. */
  hungUp = 0;
  private readonly underWay = new Set<string>();
  private readonly troubles: Trouble[] = [];
  private server: Server | undefined;

  get url(): string {
    return `http://127.0.0.1:${(this.server?.address() as AddressInfo).port}`;
  }

  trouble(...troubles: Trouble[]): void {
    this.troubles.push(...troubles);
  }

  async start(): Promise<void> {
    const app = express();
    app.use(express.json());
    app.use(async (request, response, next) => {
      this.requests.push({ method: request.method, path: request.path, body: request.body, query: request.query });
      if (request.get('authorization') !== `Bearer ${MOLLIE_KEY}`) return fail(response, 401, 'Unauthorized Request');
      response.once('close', () => (this.hungUp += response.writableFinished ? 0 : 1));
      const key = request.get('idempotency-key');
      if (key !== undefined && this.underWay.has(key))
        return fail(response, 409, 'The same request is being processed');
      const trouble = this.troubleWith(request.path);
      if (trouble?.kind === 'slow' || trouble?.kind === 'held') {
        if (key !== undefined) this.underWay.add(key);
        await (trouble.kind === 'held'
          ? trouble.until
          : new Promise((resolve) => setTimeout(resolve, trouble.delayMs).unref()));
        if (key !== undefined) this.underWay.delete(key);
      }
      if (trouble?.kind === 'lost') response.json = () => response.destroy() as never;
      if (trouble?.kind === 'stalled')
        response.json = (body) => response.write(JSON.stringify(body).slice(0, 50)) as never;
      if (trouble?.kind === 'status') {
        if (trouble.retryAfter !== undefined) response.set('retry-after', String(trouble.retryAfter));
        return fail(response, trouble.status, 'Something is wrong');
      }
      next();
    });
    app.post('/v2/payments', (request, response) => this.create(request, response));
    app.get('/v2/payments/:id', (request, response) => {
      const found = this.payments.get(request.params.id);
      if (found) hal(response, 200, this.shown(found));
      else fail(response, 404, 'No payment exists with token');
    });
    app.post('/v2/payments/:id/refunds', (request, response) => this.refund(request, response));
    app.get('/v2/payments/:id/refunds', (request, response) => this.list(request, response, 'refunds'));
    app.get('/v2/payments/:id/chargebacks', (request, response) => this.list(request, response, 'chargebacks'));
    app.get('/v2/methods', (_request, response) => {
      const methods = METHODS.map(([id, description]) => ({
        resource: 'method',
        id,
        description,
        minimumAmount: { value: '0.01', currency: 'EUR' },
        maximumAmount: { value: '50000.00', currency: 'EUR' },
        image: { size1x: 'https://x/1', size2x: 'https://x/2', svg: 'https://x/3' },
        status: 'activated',
        _links: { self: link(this.url) },
      }));
      hal(response, 200, {
        count: methods.length,
        _embedded: { methods },
        _links: { self: link(this.url), documentation: link(this.url) },
      });
    });
    this.server = app.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    this.server?.close();
    this.server = undefined;
  }

  /** Mollie learns how a payment went; answers the callback that it would send. */
  decide(id: string, status: string): { url: string; body: string } {
    const payment = this.payments.get(id);
    if (!payment) throw new Error(`there is no payment ${id}`);
    payment.status = status;
    payment.paidAt = status === 'paid' ? new Date().toISOString() : null;
    return { url: payment.request.webhookUrl, body: `id=${id}` };
  }

  private troubleWith(path: string): Trouble | undefined {
    const index = this.troubles.findIndex(({ on }) => on === undefined || path.endsWith(on));
    return index < 0 ? undefined : this.troubles.splice(index, 1)[0];
  }

  private create(request: Request, response: Response): void {
    const wanted = request.body as MollieRequest;
    const key = request.get('idempotency-key');
    const replayed = key === undefined ? undefined : this.replays.get(key);
    if (replayed) return hal(response, 201, this.shown(this.payments.get(replayed) as ImitatedPayment));
    if (!METHODS.some(([id]) => id === wanted.method)) return fail(response, 422, 'The payment method is invalid');
    if (!/^\d+\.\d{2}$/.test(wanted.amount.value)) return fail(response, 422, 'The amount contains an invalid value');
    const id = newId('tr_');
    const payment: ImitatedPayment = {
      id,
      request: wanted,
      status: 'open',
      paidAt: null,
      refunds: [],
      chargebacks: [],
    };
    this.payments.set(id, payment);
    if (key !== undefined) this.replays.set(key, id);
    hal(response, 201, this.shown(payment));
  }

  private refund(request: Request, response: Response): void {
    const payment = this.payments.get(request.params['id'] as string);
    if (!payment) return fail(response, 404, 'No payment exists with token');
    if (payment.status !== 'paid') return fail(response, 422, 'The payment has not been paid');
    const key = request.get('idempotency-key') ?? '';
    const known = payment.refunds.find(({ id }) => id === this.replays.get(key));
    const { amount, metadata = null } = request.body as { amount: { value: string }; metadata?: unknown };
    const cents = Number(amount.value.replace('.', ''));
    if (!known && cents > this.left(payment)) return fail(response, 422, 'The amount is higher than the maximum');
    const refund = known ?? this.addRefund(payment, cents, metadata);
    if (key !== '') this.replays.set(key, refund.id);
    hal(response, 201, this.refundShown(payment, refund));
  }

  private addRefund(payment: ImitatedPayment, cents: number, metadata: unknown): ImitatedRefund {
    const createdAt = new Date().toISOString();
    const refund = { id: newId('re_'), cents, metadata, createdAt, status: 'pending' };
    payment.refunds.push(refund);
    return refund;
  }

  private left(payment: ImitatedPayment): number {
    return Number(payment.request.amount.value.replace('.', '')) - returned(payment.refunds.filter(isAlive));
  }

  /** What the seller does in Mollie's dashboard, or the payer at its bank; answers the callback that Mollie would send. */
  giveBack(id: string, kind: 'refund' | 'chargeback', cents: number): { url: string; body: string } {
    const payment = this.payments.get(id)!;
    if (kind === 'refund') this.addRefund(payment, cents, null);
    else payment.chargebacks.push({ id: newId('chb_'), cents, createdAt: new Date().toISOString(), reversedAt: null });
    return { url: payment.request.webhookUrl, body: `id=${id}` };
  }

  /** In cents, without refunds that failed. */
  refunded(id: string): number {
    return returned((this.payments.get(id)?.refunds ?? []).filter(isAlive));
  }

  /** Mollie keeps idempotency keys for an hour. */
  forgetKeys(): void {
    this.replays.clear();
  }

  private list(request: Request, response: Response, name: 'refunds' | 'chargebacks'): void {
    const payment = this.payments.get(request.params['id'] as string);
    if (!payment) return fail(response, 404, 'No payment exists with token');
    const items =
      name === 'refunds'
        ? payment.refunds.map((each) => this.refundShown(payment, each))
        : payment.chargebacks.map((each) => this.chargebackShown(payment, each));
    const links = { self: link(this.url), previous: null, next: null, documentation: link(this.url) };
    hal(response, 200, { count: items.length, _embedded: { [name]: items }, _links: links });
  }

  private refundShown(payment: ImitatedPayment, { id, cents, metadata, createdAt, status }: ImitatedRefund) {
    return {
      resource: 'refund',
      id,
      mode: 'test',
      description: 'refund',
      amount: { currency: 'EUR', value: euros(cents) },
      metadata,
      paymentId: payment.id,
      status,
      createdAt,
      _links: { self: link(this.url), payment: link(this.url), documentation: link(this.url) },
    };
  }

  private chargebackShown(payment: ImitatedPayment, { id, cents, createdAt, reversedAt }: ImitatedChargeback) {
    return {
      resource: 'chargeback',
      id,
      amount: { currency: 'EUR', value: euros(cents) },
      reason: { code: 'MD06', description: 'Refund request by end customer' },
      paymentId: payment.id,
      createdAt,
      reversedAt,
      _links: { self: link(this.url), payment: link(this.url), documentation: link(this.url) },
    };
  }

  private shown(payment: ImitatedPayment) {
    const { id, request, status, paidAt, refunds, chargebacks } = payment;
    return {
      resource: 'payment',
      id,
      mode: 'test',
      status,
      description: request.description,
      amount: request.amount,
      amountRefunded: { value: euros(returned(refunds.filter(isAlive))), currency: 'EUR' },
      ...(chargebacks.length > 0 && { amountChargedBack: { value: euros(returned(chargebacks)), currency: 'EUR' } }),
      method: request.method,
      metadata: request.metadata,
      redirectUrl: request.redirectUrl,
      webhookUrl: request.webhookUrl,
      sequenceType: 'oneoff',
      profileId: 'pfl_test',
      createdAt: new Date().toISOString(),
      ...(paidAt && { paidAt }),
      _links: {
        self: link(this.url),
        dashboard: link(this.url),
        ...(status === 'open' && { checkout: link(`${this.url}/checkout/${id}`) }),
      },
    };
  }
}

const newId = (prefix: string): string => prefix + Math.random().toString(36).slice(2, 12);

const isAlive = ({ status }: ImitatedRefund): boolean => status !== 'failed' && status !== 'canceled';

const returned = (parts: readonly { readonly cents: number }[]): number =>
  parts.reduce((sum, { cents }) => sum + cents, 0);

const euros = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

const link = (href: string) => ({ href, type: 'application/hal+json' });

const hal = (response: Response, status: number, body: unknown): void => {
  response.status(status).set('content-type', 'application/hal+json').json(body);
};

const fail = (response: Response, status: number, detail: string): void =>
  hal(response, status, { status, title: 'Error', detail, _links: { documentation: link('https://docs.mollie.com') } });
