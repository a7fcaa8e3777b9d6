import type { Language } from '@invoicing/design';

/** How a line is taxed; the names of the API. */
export type VatTreatment = 'standard_21' | 'reduced_9' | 'zero' | 'exempt' | 'reverse_charge' | 'intra_community';

/** A line with everything filled in. Amounts are whole cents, safe integers. */
export interface Line {
  readonly description: string;
  /** Decimal text without exponent, at most 6 decimals. */
  readonly quantity: string;
  /** Excluding VAT, unless the document's prices include it. */
  readonly unitPriceCents: number;
  readonly vatTreatment: VatTreatment;
  readonly productId: string | null;
  readonly netCents: number;
  /** What the quantity counts; empty when nothing is said. */
  readonly unit: string;
  /** Basis points taken off quantity × unit price; absent: none. */
  readonly discountBps?: number;
  /** Including VAT; only on documents whose prices include it. */
  readonly grossCents?: number;
}

/** Days as YYYY-MM-DD, both included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** How VAT was taken out of the sum of a group: vat = R(gross × rate, 10000 + rate), base = gross − vat. */
export interface RoundingTrace {
  readonly vatTreatment: VatTreatment;
  readonly rateBps: number;
  readonly grossCents: number;
  readonly baseCents: number;
  readonly vatCents: number;
  /** VAT less the rounded VAT of the base: what rounding gross amounts leaves over, −1, 0 or 1 on an invoice. */
  readonly differenceCents: number;
}

export interface VatGroup {
  readonly vatTreatment: VatTreatment;
  /** Basis points: 2100 is 21 %. */
  readonly rateBps: number;
  readonly baseCents: number;
  readonly vatCents: number;
}

/** Sums of a document; VAT is rounded once a group (EN 16931 BR-CO-17). */
export interface Totals {
  readonly exclCents: number;
  readonly vatCents: number;
  readonly inclCents: number;
  /** In the order of VatTreatment. */
  readonly groups: readonly VatGroup[];
}

/** Seller or buyer as frozen at issue; empty strings where unknown. */
export interface Party {
  readonly name: string;
  readonly companyName: string;
  readonly addressLine1: string;
  readonly postalCode: string;
  readonly city: string;
  readonly countryCode: string;
  readonly btwId: string;
  readonly kvkNumber: string;
  readonly email: string;
  /** Only of sellers, and only where they gave one. */
  readonly phone?: string;
  readonly iban: string;
  readonly bic: string;
}

/** House style as frozen at issue. */
export interface Style {
  /** Name of the profile, shown as the sender when it differs from the legal name. */
  readonly profileName: string;
  /** "#rrggbb". */
  readonly accentColor: string;
  readonly footer: string;
  /** PNG or JPEG. */
  readonly logo: Uint8Array | null;
}

/** A payment that was there before its invoice: the document says so, and asks for nothing. */
export interface Prepayment {
  readonly provider: string;
  /** The provider's method id, e.g. ideal. */
  readonly method: string;
  readonly id: string;
  readonly paidAt: Date;
  /** YYYY-MM-DD: the day of `paidAt` in the organisation's time zone. */
  readonly date: string;
  /** All of the document's total. */
  readonly amountCents: number;
}

/** The part of an issued invoice or credit note that never changes: what the PDF, the e-invoice and the hash are made from. */
export interface FrozenInvoice {
  readonly id: string;
  readonly organizationId: string;
  readonly profileId: string;
  readonly customerId: string;
  readonly kind: 'invoice' | 'credit_note';
  readonly number: string;
  readonly publicToken: string;
  /** YYYY-MM-DD. */
  readonly issueDate: string;
  /** YYYY-MM-DD. */
  readonly dueDate: string;
  /** YYYY-MM-DD of the supply (art. 226); empty when nobody said it (documents from before carry their issue date instead). */
  readonly supplyDate: string;
  readonly currency: 'EUR';
  readonly language: Language;
  readonly seller: Party;
  readonly buyer: Party;
  readonly lines: readonly Line[];
  /** On a credit note all amounts are positive: what is given back. */
  readonly totals: Totals;
  /** The provision that exempt lines name. */
  readonly vatExemptionReason: string;
  readonly style: Style;
  /** On a credit note: the original. */
  readonly credited: { readonly invoiceId: string; readonly number: string; readonly issueDate: string } | null;
  /** Why it was credited; empty on invoices. */
  readonly reason: string;
  readonly issuedAt: Date;
  /** `{public_url}/p/<token>` as it was at issue: it is printed on the PDF. */
  readonly publicUrl: string;
  /** Only on invoices that were paid before they were issued. */
  readonly prepayment?: Prepayment;
  /** Only where all unit prices include VAT; its lines then have `grossCents`. */
  readonly pricesIncludeVat?: true;
  /** Only where prices include VAT: in the order of the totals' groups. */
  readonly roundingTrace?: readonly RoundingTrace[];
  /** The buyer's own (BT-13, BT-10); absent when not said. */
  readonly reference?: string;
  /** Absent when not said. */
  readonly note?: string;
  /** In which it is supplied (BG-14); absent when not said. */
  readonly period?: Period;
  /** Only where the organisation wishes the e-invoice rules of the countries instead of Peppol BIS Billing 3. */
  readonly eInvoiceRules?: 'national';
  /** Only on documents of a test organisation: they carry a mark. */
  readonly test?: true;
}

/** What the document leaves to be paid, or on a credit note: to be given back (BT-115). */
export const amountDueCents = ({ totals, prepayment }: Pick<FrozenInvoice, 'totals' | 'prepayment'>): number =>
  totals.inclCents - (prepayment?.amountCents ?? 0);

/** Whether the document asks its reader for money: a credit note does when it is below zero. */
export const asksForMoney = (invoice: Pick<FrozenInvoice, 'kind' | 'totals' | 'prepayment'>): boolean =>
  invoice.kind === 'invoice' ? amountDueCents(invoice) > 0 : amountDueCents(invoice) < 0;
