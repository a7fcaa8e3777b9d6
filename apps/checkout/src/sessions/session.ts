import { type Language } from '@invoicing/design';
import { type PartyDetails, type TestScenario } from '@invoicing/rules';

import { type Movement } from './movement';

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
  /** What the invoice says or will say beside its lines; absent: nothing. */
  readonly terms?: InvoiceTerms;
  /** Of an invoice: what was open when it was last looked at, and so what is asked for; absent: all of the total. */
  readonly askCents?: number;
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
  /** When somebody ended it before its time: then it counts as expired. Money that came all the same makes it paid. */
  readonly canceledAt?: Date;
  readonly attempts: readonly Attempt[];
  /** The one attempt whose money made the session paid. */
  readonly paidAttemptId: string | null;
  readonly paidAt: Date | null;
  readonly fulfilment: Fulfilment | null;
  readonly invoice: InvoiceReference | null;
  /** What its test organisation wished to happen to its payments, e-mail and webhooks. */
  readonly testScenario?: TestScenario | undefined;
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
  readonly discountBps?: number | undefined;
  /** Only where prices include VAT. */
  readonly grossCents?: number | undefined;
}

/** What an invoice says beside its lines. */
export interface InvoiceTerms {
  readonly pricesIncludeVat?: boolean | undefined;
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  /** Days as YYYY-MM-DD, both included; of an invoice that exists. */
  readonly period?: { readonly from: string; readonly to: string } | undefined;
}

/** Those that are said. */
export const termsSaid = ({ pricesIncludeVat, reference, note, period }: InvoiceTerms): InvoiceTerms => ({
  ...(pricesIncludeVat && { pricesIncludeVat }),
  ...(reference?.trim() && { reference }),
  ...(note?.trim() && { note }),
  ...(period && { period }),
});

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

export type { Language } from '@invoicing/design';

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
  /** What it is to pay; absent: all of the session's total. */
  readonly amountCents?: number;
  /** The provider's id; null until the provider answered. */
  readonly paymentId: string | null;
  /** Where the payer pays. */
  readonly payUrl: string | null;
  readonly payer: Payer | null;
  /** Of the page that the payer paid on, and so of what is sent afterwards; absent on attempts from before it was kept. */
  readonly language?: Language;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  /** When the provider is asked again, of a paid one too: its money may go back. Null when there is nothing left to learn. */
  readonly pollAt: Date | null;
  /** Whether a paid one is on the invoice's account; absent where the version before recorded it. */
  readonly recorded?: boolean;
  /** It was more than was owed: what was too much goes back. */
  readonly surplusCents?: number;
  /** When it was last looked at since it was paid. */
  readonly watchedAt?: Date;
  /** What of it went back, as far as billing was told. */
  readonly movements?: readonly Movement[];
  /** What the version before was about to give back, without an account to record it on. */
  readonly refund: FormerRefund | null;
}

export interface FormerRefund {
  readonly status: 'due' | 'done' | 'failed';
  readonly nextTryAt: Date | null;
}

/** What follows a payment: invoice, e-mail, the entry on its account. */
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

/** What is asked for now. */
export const amountOf = ({ askCents, totals }: Pick<Session, 'askCents' | 'totals'>): number =>
  askCents ?? totals.inclCents;

/** What an attempt was to pay when it began. */
export const attemptCents = ({ amountCents }: Attempt, { totals }: Pick<Session, 'totals'>): number =>
  amountCents ?? totals.inclCents;

/** Paid, and not yet on the invoice's account. */
export const isUnrecorded = ({ paidAttemptId, fulfilment }: Session, { id, status, recorded }: Attempt): boolean =>
  status === 'paid' &&
  (recorded === false || (recorded === undefined && id === paidAttemptId && fulfilment?.status === 'due'));

export const findAttempt = (session: Session, id: string): Attempt | undefined =>
  session.attempts.find((attempt) => attempt.id === id);

export const paidAttempt = (session: Session): Attempt | undefined =>
  session.attempts.find((attempt) => attempt.id === session.paidAttemptId);

/** The same session with one attempt replaced. */
export const withAttempt = (session: Session, changed: Attempt): Session => ({
  ...session,
  attempts: session.attempts.map((attempt) => (attempt.id === changed.id ? changed : attempt)),
});
