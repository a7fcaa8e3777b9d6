import type { StoredLine, Sums } from './checker/amounts';

/** What is stored when all is quiet, as far as the checker looks at it. */
export interface Snapshot {
  readonly customers: readonly { readonly _id: string; readonly externalId?: string; readonly companyName?: string }[];
  readonly products: readonly { readonly _id: string; readonly sku?: string }[];
  readonly drafts: readonly StoredDocument[];
  readonly invoices: readonly StoredInvoice[];
  readonly entries: readonly StoredEntry[];
  readonly credits: readonly {
    readonly _id: string;
    readonly kind: string;
    readonly credits?: number;
    readonly reason?: string;
    readonly balance: number;
    readonly reserved: number;
    readonly seq: number;
  }[];
  readonly subscriptions: readonly {
    readonly _id: string;
    readonly reference?: string;
    readonly lastRunDate?: string | null;
  }[];
  readonly sessions: readonly StoredSession[];
  /** The provider's own books. */
  readonly providerPayments: readonly ProviderPayment[];
  readonly mails: readonly { readonly _id: string; readonly invoiceId: string; readonly status: string }[];
  /** Over Peppol. */
  readonly eInvoices: readonly { readonly _id: string; readonly invoiceId: string; readonly status: string }[];
  readonly deliveries: readonly {
    readonly _id: string;
    readonly eventId: string;
    readonly eventType: string;
    readonly endpointId: string;
    readonly status: string;
    readonly body: string;
  }[];
  /** `collection id` of every document that still carries events, or waits for somebody to go on with it. */
  readonly leftovers: readonly string[];
  /** As `numbers verify` says. */
  readonly series: readonly {
    readonly name: string;
    readonly count: number;
    readonly gapless: boolean;
    readonly chainValid: boolean;
  }[];
  /** openCents of invoices, as the API tells them. */
  readonly told: ReadonlyMap<string, number>;
}

export interface StoredDocument {
  readonly _id: string;
  readonly reference?: string | null;
  readonly lines: readonly StoredLine[];
  readonly totals: Sums;
  readonly pricesIncludeVat?: boolean | null;
  readonly state?: string;
}

export interface StoredInvoice extends StoredDocument {
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly series: string;
  readonly seq: number;
  readonly publicToken: string;
  readonly credited?: { readonly invoiceId: string } | null;
  readonly creditOrdinal?: number;
  readonly reason: string;
  readonly buyer: { readonly email: string; readonly kvkNumber?: string };
  readonly delivery: { readonly email: boolean };
  readonly prepayment?: { readonly provider: string; readonly id: string; readonly amountCents: number } | null;
  readonly checkoutId?: string | null;
}

export interface StoredEntry {
  readonly _id: string;
  readonly invoiceId: string;
  readonly ordinal: number;
  readonly type: 'payment' | 'refund' | 'settlement' | 'chargeback' | 'write_off' | 'reversal' | 'overdue';
  readonly amountCents: number;
  readonly provider?: string;
  readonly paymentId?: string;
  readonly providerId?: string;
  readonly reference?: string;
  readonly reason?: string;
  readonly note?: string;
  readonly of?: string | null;
  readonly settles?: boolean;
  readonly done?: boolean;
}

export interface StoredSession {
  readonly _id: string;
  readonly kind: 'checkout' | 'invoice';
  readonly title: string;
  readonly status: string;
  readonly invoice?: { readonly id: string } | null;
}

export interface ProviderPayment {
  readonly _id: string;
  readonly status: string;
  readonly amountCents: number;
  readonly refundedCents: number;
  readonly movements?: readonly { readonly id: string; readonly kind: string; readonly amountCents: number }[] | null;
}

/** What came out of the platform: messages, webhooks and e-invoices. */
export interface Received {
  readonly mails: readonly { readonly messageId: string; readonly to: string }[];
  readonly webhooks: readonly { readonly id: string; readonly body: string }[];
  /** UBL, as the access point was handed it. */
  readonly eInvoices: readonly string[];
}
