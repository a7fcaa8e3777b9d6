import { type Brand } from '@invoicing/design';
import { type Warning } from '@invoicing/errors';
import { type Accounts } from '@invoicing/mongo';
import { type Actor, type TestScenario } from '@invoicing/rules';
import { type Movement } from './movement';
import { type PaymentState } from './observe-payment';
import {
  type InvoiceReference,
  type InvoiceTerms,
  type Language,
  type Line,
  type Payer,
  type PayerPrefill,
  type Session,
  type Totals,
} from './session';
import { type SessionEvent } from './session-events';

/** What travels with a call to another service. */
export interface Call {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  /** Only tried out: everything is checked, nothing is stored. */
  readonly dryRun?: boolean | undefined;
  /** What a test organisation wishes to happen to what is made. */
  readonly testScenario?: TestScenario | undefined;
}

export interface Clock {
  /** The organisation's time, which a test organisation's clock moves; without one, real time. */
  now: (organizationId?: string) => Date;
}

/** `settling`: what follows a payment, which speaks to our own services. `watching`: all else, which mostly waits for providers. */
export type DueWork = 'settling' | 'watching';

export interface SessionStore {
  /**
   * Answers the session that is stored: the given one, or the one that an earlier try with the same id made. `by`: who made it, for the
   * organisation's history.
   */
  insert: (session: Session, by?: Actor) => Promise<Session>;
  find: (organizationId: string, id: string) => Promise<Session | null>;
  /** For what a provider reports, which names a session by its id alone. */
  findById: (id: string) => Promise<Session | null>;
  findByToken: (token: string) => Promise<Session | null>;
  /** Compare-and-set: false when somebody changed the session since it was read. The event is part of the same write. */
  replace: (after: Session, event: SessionEvent | null) => Promise<boolean>;
  /** The same for one that is cancelled; the history says by whom. Null when somebody changed the session since it was read. */
  cancel: (
    after: Session,
    change: { readonly by: Actor; readonly dueAt: Date | null },
    event: SessionEvent | null,
  ) => Promise<Session | null>;
  /** Takes the session that is due longest for such work, so that no other replica takes it before `leaseUntil`. */
  claimDue: (work: DueWork, now: Date, leaseUntil: Date) => Promise<Session | null>;
}

/** An organisation's account at a payment provider. */
export interface ProviderAccount {
  readonly id: string;
  readonly organizationId: string;
  readonly provider: string;
  /** Null for a provider that needs none. */
  readonly apiKey: string | null;
  /** Another base address of the provider's API. */
  readonly baseUrl: string | null;
  readonly connectedAt: Date;
  /** What was checked to be the organisation's own when it was connected; absent on accounts from before that was checked. */
  readonly mode?: 'live' | 'test';
}

export type AccountStore = Accounts<ProviderAccount>;

export interface NewPayment {
  /** The same key again answers the same payment. */
  readonly idempotencyKey: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly description: string;
  readonly method: string;
  readonly language: Language;
  /** Where the payer comes back to, whatever happened. */
  readonly returnUrl: string;
  /** Where the provider reports that something happened. */
  readonly callbackUrl: string;
  /** How the sandbox is to behave; others know nothing of it. */
  readonly testScenario?: TestScenario | undefined;
}

export interface NewRefund {
  readonly paymentId: string;
  readonly amountCents: number;
  readonly currency: string;
  /** The entry that asks for it: its idempotency key at the provider, and kept there with it. */
  readonly entryId: string;
  readonly description: string;
}

export interface PaymentMethod {
  /** The provider's id, e.g. ideal. */
  readonly id: string;
  readonly name: string;
}

/**
 * What a payment provider can do for us. Errors are AppErrors: `unavailable`, `exhausted` and `conflict` (the same call is under way)
 * may work later, `unauthenticated` means that the key is wrong, `invalid` and `absent` that trying again makes no sense.
 * Every call ends within seconds, whatever the provider does.
 */
export interface PaymentProvider {
  createPayment: (payment: NewPayment) => Promise<PaymentState>;
  getPayment: (id: string) => Promise<PaymentState>;
  listMethods: (amountCents: number, currency: string, language: Language) => Promise<readonly PaymentMethod[]>;
  /** All that went back of a payment. */
  listMovements: (paymentId: string) => Promise<readonly Movement[]>;
  /** Gives money of a payment back. The same entry again, however late, answers the refund that is there. */
  refund: (refund: NewRefund) => Promise<Movement>;
}

export type OpenProvider = (account: ProviderAccount) => PaymentProvider;

/** A line as an integrator sends it; billing judges it. */
export interface LineRequest {
  readonly description?: string | undefined;
  readonly quantity?: string | undefined;
  readonly unitPriceCents?: number | undefined;
  readonly vatTreatment: string;
  readonly productId?: string | undefined;
  readonly unit?: string | undefined;
  readonly discountBps?: number | undefined;
}

export interface Seller {
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly profiles: readonly { readonly id: string; readonly name: string }[];
}

/** Lines with everything filled in and added up. */
export interface PricedLines extends Pick<Session, 'lines' | 'totals' | 'currency'> {
  /** What of the lines the law would not accept for this buyer. */
  readonly warnings: readonly Warning[];
}

export interface PayableInvoice {
  readonly id: string;
  readonly organizationId: string;
  readonly profileId: string | null;
  readonly number: string;
  readonly publicToken: string;
  readonly publicUrl: string;
  readonly sellerName: string;
  /** nl, en, de or fr. */
  readonly language: string;
  readonly lines: readonly Line[];
  readonly totals: Totals;
  readonly terms: InvoiceTerms;
  readonly currency: string;
  /** Still to be paid. */
  readonly openCents: number;
  readonly paid: boolean;
}

export interface ReportedPayment {
  readonly provider: string;
  readonly method: string;
  readonly id: string;
  readonly paidAt: Date;
  readonly amountCents: number;
}

export interface Billing {
  /** Throws `absent`. */
  seller: (organizationId: string, call: Call) => Promise<Seller>;
  /** Throws `invalid` with every violation. */
  priceLines: (
    asked: {
      readonly organizationId: string;
      readonly lines: readonly LineRequest[];
      readonly pricesIncludeVat: boolean;
      /** As far as it is known. */
      readonly buyer: PayerPrefill;
    },
    call: Call,
  ) => Promise<PricedLines>;
  /** Issues and e-mails; the same operation again answers the same invoice. */
  issueInvoice: (
    invoice: {
      readonly organizationId: string;
      readonly profileId: string | null;
      readonly customerId: string;
      readonly checkoutId: string;
      readonly lines: readonly Line[];
      readonly terms: InvoiceTerms;
      /** What the payer filled in: the invoice names and reaches exactly them, whatever is stored of the customer. */
      readonly buyer: Payer;
      /** The invoice says that it has been paid, and asks for nothing. */
      readonly prepayment: ReportedPayment;
      /** Absent: billing goes by the buyer's country. */
      readonly language: Language | undefined;
    },
    operationId: string,
    call: Call,
  ) => Promise<InvoiceReference>;
  /** Puts a payment on the invoice's account, once. Answers its entry, and how much of it was too much. */
  recordPayment: (
    record: {
      readonly organizationId: string;
      readonly invoiceId: string;
      readonly checkoutId: string | null;
      readonly payment: ReportedPayment;
    },
    call: Call,
  ) => Promise<{ readonly entryId: string; readonly surplusCents: number }>;
  /** Has what was too much of a payment given back; less when less is too much by now. The same operation again changes nothing. */
  refundSurplus: (
    refund: {
      readonly organizationId: string;
      readonly invoiceId: string;
      /** Of the payment. */
      readonly entryId: string;
      readonly amountCents: number;
    },
    operationId: string,
    call: Call,
  ) => Promise<void>;
  /** Tells what went back of a payment that is on the account; the same again changes nothing. */
  recordMovement: (
    told: {
      readonly organizationId: string;
      readonly invoiceId: string;
      readonly provider: string;
      readonly paymentId: string;
      readonly movement: Movement;
    },
    call: Call,
  ) => Promise<void>;
  /** How a profile shows itself now, or did on a document (`invoiceId`). Throws `absent`. */
  brand: (
    of: { readonly organizationId: string; readonly profileId: string | null; readonly invoiceId: string | null },
    call: Call,
  ) => Promise<{ readonly brand: Brand; readonly isTest: boolean }>;
  publicInvoice: (publicToken: string, call: Call) => Promise<PayableInvoice | null>;
}

export interface Catalog {
  /** Answers the customer's id. */
  matchCustomer: (organizationId: string, payer: Payer, operationId: string, call: Call) => Promise<string>;
}

/** What an operator should hear of; counted and logged. */
export type Report =
  | 'session_paid'
  | 'session_expired'
  | 'session_canceled'
  | 'session_fulfilled'
  | 'payment_mismatched'
  | 'surplus_payment'
  | 'money_went_back'
  | 'refund_refused'
  | 'provider_failed'
  | 'brand_unknown'
  | 'provider_of_other_mode'
  | 'fulfilment_delayed'
  | 'fulfilment_stuck';

export type Reporter = (what: Report, fields: Readonly<Record<string, unknown>>) => void;

/** Everything that the use cases stand on. */
export interface Ports {
  readonly sessions: SessionStore;
  readonly accounts: AccountStore;
  readonly openProvider: OpenProvider;
  /** Whether money is real with these settings. */
  readonly modeOf: (account: Pick<ProviderAccount, 'provider' | 'apiKey' | 'baseUrl'>) => 'live' | 'test';
  readonly billing: Billing;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly report: Reporter;
  /** A call that no request asked for. */
  newCall: (timeoutMs: number) => Call;
  /** Something became due: the worker should look now. */
  wake: () => void;
  /** Base of public addresses, without a slash at its end. */
  readonly publicUrl: string;
  readonly allowLoopback: boolean;
}
