import { type PartyDetails } from '@invoicing/rules';

/**
 * A payment session: one sum that is to be paid once. A checkout session makes an invoice after payment; an invoice session pays
 * one that exists. Sessions are values; the functions in this folder take one and answer the next, and the store replaces
 * it by compare-and-set on `revision`, so that however many replicas, tabs and callbacks act at once, each step happens once.
 */
export interface Session {
  readonly id: string;
  readonly kind: 'checkout' | 'invoice';
  readonly organizationId: string;
  readonly profileId: string | null;
  /** Opaque part of the hosted page's address; for an invoice session the invoice's own public token. */
  readonly token: string;
  readonly title: string;
  /** Who is paid, as shown to the payer. */
  readonly sellerName: string;
  readonly lines: readonly Line[];
  readonly totals: Totals;
  /** ISO 4217. */
  readonly currency: string;
  readonly redirectUrl: string | null;
  /** Method ids to offer; empty: all that the provider enables. */
  readonly methods: readonly string[];
  readonly prefill: PayerPrefill;
  readonly status: SessionStatus;
  readonly createdAt: Date;
  /** An invoice session has no end. */
  readonly expiresAt: Date | null;
  readonly attempts: readonly Attempt[];
  /** The one attempt whose money made the session paid. */
  readonly paidAttemptId: string | null;
  readonly paidAt: Date | null;
  readonly fulfilment: Fulfilment | null;
  readonly invoice: InvoiceReference | null;
  /** Grows by one with every change. */
  readonly revision: number;
}

export type SessionStatus = 'open' | 'paid' | 'expired';

/** A line with everything filled in, as billing priced it. */
export interface Line {
  readonly description: string;
  readonly quantity: string;
  readonly unitPriceCents: number;
  /** Name in the contract, e.g. VAT_TREATMENT_STANDARD_21. */
  readonly vatTreatment: string;
  readonly productId?: string | undefined;
  readonly netCents: number;
  readonly unit: string;
}

export interface Totals {
  readonly exclCents: number;
  readonly vatCents: number;
  readonly inclCents: number;
  readonly groups: readonly VatGroup[];
}

export interface VatGroup {
  readonly vatTreatment: string;
  readonly rateBps: number;
  readonly baseCents: number;
  readonly vatCents: number;
}

/** What the integrator already knows of the payer; shown in the form, not trusted. */
export type PayerPrefill = PartyDetails;

/** Of the pages that a payer sees. */
export type Language = 'nl' | 'en';

/** Checked invoice details, ready for catalog. */
export interface Payer extends PayerPrefill {
  readonly name: string;
  readonly email: string;
}

/**
 * One try to pay. `starting`: being created at the provider; `open`: the payer is at the provider; `pending`: the provider waits
 * for the money; the others are final. `mismatched`: the provider reports another amount or currency, which is not a payment.
 */
export type AttemptStatus = 'starting' | 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired' | 'mismatched';

export interface Attempt {
  readonly id: string;
  /** Provider account that it runs on; stays valid when another account is connected. */
  readonly accountId: string;
  readonly provider: string;
  readonly method: string;
  readonly status: AttemptStatus;
  /** The provider's id; null until the provider answered. */
  readonly paymentId: string | null;
  /** Where the payer pays. */
  readonly payUrl: string | null;
  readonly payer: Payer | null;
  /** Of the page that the payer paid on, and so of what is sent afterwards; absent on attempts from before it was kept. */
  readonly language?: Language;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  /** When the provider is asked again; null when there is nothing left to learn. */
  readonly pollAt: Date | null;
  readonly refund: Refund | null;
}

/** Money that came although the sum was already paid goes back. */
export interface Refund {
  readonly status: 'due' | 'done' | 'failed';
  /** Why it was too much: the session was paid by another attempt, or the invoice by another payment. */
  readonly reason: 'already_paid' | 'invoice_settled';
  readonly nextTryAt: Date | null;
  readonly tries: number;
}

/** What follows a payment: invoice, e-mail, paid mark. */
export interface Fulfilment {
  readonly status: 'due' | 'done';
  readonly nextTryAt: Date | null;
  readonly tries: number;
}

export interface InvoiceReference {
  readonly id: string;
  readonly number: string;
  readonly publicToken: string;
}

const LIVE: readonly AttemptStatus[] = ['starting', 'open', 'pending'];

export const isLive = (attempt: Attempt): boolean => LIVE.includes(attempt.status);

export const findAttempt = (session: Session, id: string): Attempt | undefined =>
  session.attempts.find((attempt) => attempt.id === id);

export const paidAttempt = (session: Session): Attempt | undefined =>
  session.attempts.find((attempt) => attempt.id === session.paidAttemptId);

/** The same session with one attempt replaced. */
export const withAttempt = (session: Session, changed: Attempt): Session => ({
  ...session,
  attempts: session.attempts.map((attempt) => (attempt.id === changed.id ? changed : attempt)),
});
