import type {
  Checkout,
  CheckoutCreated,
  CheckoutInput,
  Clock,
  ClockMove,
  CreditGrant,
  CreditsInput,
  Customer,
  CustomerInput,
  Health,
  Invoice,
  InvoiceCreated,
  InvoiceInput,
  InvoicePreview,
  InvoiceTotals,
  Me,
  Product,
  ProductInput,
  Subscription,
  SubscriptionInput,
  TestEvent,
  TestEventInput,
  TestScenario,
  Warning,
} from './models';
import { createTransport, type Transport } from './transport';
import type { TransportOptions } from './transport-options';

/** Options of every call. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * Names this creation, at most 200 characters; the same key again answers the same result and creates nothing twice. Default: a
   * random UUID a call. Give your own (an order number) when your process may die and ask again.
   */
  readonly idempotencyKey?: string | undefined;
  /** Of test organisations: what is to go wrong, e.g. `smtp_down` (docs/testing). */
  readonly testScenario?: TestScenario | undefined;
}

interface Listing<Item> {
  /** Newest first, up to the fixed limit of the list. */
  list: (options?: RequestOptions) => Promise<Item[]>;
}

/** What a creation would answer. Nothing was stored, numbered or sent. */
export interface DryRun<Created> {
  readonly data: Created;
  /** JSON Pointers to what is made up: ids, tokens, times. */
  readonly examples: readonly string[];
  /** What is worth a look; absent when there is nothing. */
  readonly warnings?: readonly Warning[];
  /** Only of invoices. */
  readonly totals?: InvoiceTotals;
  /** Only of invoices: where PDF and e-invoice can be looked at for ten minutes. */
  readonly documents?: InvoicePreview;
}

interface Creating<Input, Created> {
  create: (input: Input, options?: CreateOptions) => Promise<Created>;
  /** Checks the input as `create` does and answers what it would. Fails as it would, too. */
  dryRun: (input: Input, options?: RequestOptions) => Promise<DryRun<Created>>;
}

interface Clocked {
  get: (options?: RequestOptions) => Promise<Clock>;
  /** Forward, to a time (`at`) or by a duration (`by: 'P1M'`), or back to real time (`real: true`). */
  move: (to: ClockMove, options?: CreateOptions) => Promise<Clock>;
}

type Resource<Item, Input, Created = Item> = Listing<Item> & Creating<Input, Created>;

/** The whole API of one organisation, by its key. Failures are InvoicingError or InvoicingConnectionError. */
export class InvoicingClient {
  readonly customers: Resource<Customer, CustomerInput>;
  readonly products: Resource<Product, ProductInput>;
  readonly invoices: Resource<Invoice, InvoiceInput, InvoiceCreated>;
  readonly subscriptions: Resource<Subscription, SubscriptionInput>;
  readonly checkouts: Resource<Checkout, CheckoutInput, CheckoutCreated>;
  /** Of test organisations: the time in which they live. */
  readonly clock: Clocked;
  /** Of test organisations: what others do to an invoice, e.g. `mail.failed`; the webhook follows. */
  readonly testEvents: Creating<TestEventInput, TestEvent>;
  /** For platform keys only. */
  readonly credits: Creating<CreditsInput, CreditGrant>;
  private readonly transport: Transport;

  /** Throws TypeError for options that cannot be right. Without options everything comes from the environment. */
  constructor(options: TransportOptions = {}) {
    this.transport = createTransport(options);
    this.customers = this.resource('/api/v1/customers');
    this.products = this.resource('/api/v1/products');
    this.invoices = this.resource('/api/v1/invoices');
    this.subscriptions = this.resource('/api/v1/subscriptions');
    this.checkouts = this.resource('/api/v1/checkouts');
    const clock = '/api/v1/sandbox/clock';
    this.clock = {
      get: (given = {}) => this.data({ method: 'GET', path: clock, ...given }),
      move: this.creation<ClockMove, Clock>(clock).create,
    };
    this.testEvents = this.creation('/api/v1/sandbox/events');
    this.credits = this.creation('/api/v1/credits');
  }

  /** Whom the key speaks for. */
  me(options: RequestOptions = {}): Promise<Me> {
    return this.data({ method: 'GET', path: '/api/v1/me', ...options });
  }

  /** How the service is; `degraded` is an answer, not an error. Needs no key. */
  health(options: RequestOptions = {}): Promise<Health> {
    return this.data({ method: 'GET', path: '/api/health', accept: [503], open: true, ...options });
  }

  private resource<Item, Input, Created>(path: string): Resource<Item, Input, Created> {
    return { list: (options = {}) => this.data({ method: 'GET', path, ...options }), ...this.creation(path) };
  }

  private creation<Input, Created>(path: string): Creating<Input, Created> {
    return {
      create: (body, { idempotencyKey = crypto.randomUUID(), signal, testScenario } = {}) =>
        this.data({ method: 'POST', path, body, idempotencyKey, signal, testScenario }),
      dryRun: async (body, options = {}) =>
        (await this.transport({ method: 'POST', path, body, dryRun: true, ...options })) as DryRun<Created>,
    };
  }

  private async data<T>(call: Parameters<Transport>[0]): Promise<T> {
    return ((await this.transport(call)) as { data: T }).data;
  }
}
