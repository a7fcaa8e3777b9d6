import type { SchemedId } from '@invoicing/rules';
import type { Period } from '../../invoices/invoice';
import type { VatCategory } from './vat-category';

/**
 * An e-invoice by the semantic model of EN 16931-1: what it says, without a syntax. Texts are empty where there is nothing to say;
 * amounts are cents, dates YYYY-MM-DD. UBL and CII are two ways to write it.
 */
export interface EInvoice {
  /** BT-24: which specification it follows. */
  readonly specification: string;
  readonly number: string;
  readonly isCreditNote: boolean;
  readonly issueDate: string;
  readonly dueDate: string;
  readonly note: string;
  readonly currency: 'EUR';
  /** BT-10. */
  readonly buyerReference: string;
  /** BT-13. */
  readonly orderReference: string;
  /** BT-25, BT-26: what a credit note credits; an empty date is not said. */
  readonly preceding?: { readonly number: string; readonly issueDate: string };
  readonly seller: EParty;
  readonly buyer: EParty;
  /** BT-72. */
  readonly deliveryDate: string;
  /** BG-15; only where a rule asks for it. */
  readonly deliverTo?: EAddress;
  /** BG-14. */
  readonly period?: Period;
  readonly payment?: EPayment;
  /** BT-20. */
  readonly paymentTerms: string;
  readonly totals: ETotals;
  /** BG-23. */
  readonly vat: readonly EVat[];
  readonly lines: readonly ELine[];
}

export interface EAddress {
  readonly street: string;
  readonly city: string;
  readonly postalCode: string;
  readonly countryCode: string;
}

export interface EParty {
  /** BT-27, BT-44. */
  readonly name: string;
  readonly tradingName: string;
  readonly legalId?: SchemedId;
  readonly vatId: string;
  readonly endpoint?: SchemedId;
  readonly address: EAddress;
  readonly contact: { readonly name: string; readonly phone: string; readonly email: string };
}

/** BG-16. */
export interface EPayment {
  /** BT-81, UNCL4461: 58 is a SEPA credit transfer, 57 what both agreed on before. */
  readonly meansCode: '58' | '57';
  /** BT-83. */
  readonly remittance: string;
  readonly iban: string;
}

/** BG-22. */
export interface ETotals {
  readonly netCents: number;
  readonly vatCents: number;
  readonly grossCents: number;
  /** BT-113; 0: nothing was paid before. */
  readonly paidCents: number;
  readonly payableCents: number;
}

/** A category with its rate; the rate of what is outside the scope of VAT is not said (BR-O-05). */
export interface ECategory {
  readonly code: VatCategory['code'];
  /** Percent, e.g. "21"; empty: none. */
  readonly rate: string;
}

export interface EVat extends ECategory {
  readonly baseCents: number;
  readonly vatCents: number;
  /** BT-121, VATEX. */
  readonly reasonCode: string;
  /** BT-120. */
  readonly reason: string;
}

export interface ELine {
  readonly name: string;
  readonly description: string;
  readonly quantity: string;
  /** UN/ECE Recommendation 20. */
  readonly unitCode: string;
  /** Euros as decimal text, never negative (BR-27). */
  readonly price: string;
  /** BG-27. */
  readonly discount?: {
    readonly percent: string;
    readonly baseCents: number;
    readonly amountCents: number;
    readonly reason: string;
  };
  readonly netCents: number;
  readonly category: ECategory;
}

/** Euros with two decimals. */
export function eurosOf(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0');
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
