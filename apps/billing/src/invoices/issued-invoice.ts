import { createHash } from 'node:crypto';
import type { Actor, TestScenario } from '@invoicing/rules';
import canonicalize from 'canonicalize';
import type { SeriesSignature } from '../numbering/series-keys';
import type { FrozenInvoice, Style } from './invoice';

/** House style as stored: the logo is kept once, by its hash, beside the invoices. */
export type StoredStyle = Omit<Style, 'logo'> & { readonly logoId: string | null };

/** How an issued document is to reach the customer. */
export interface Delivery {
  readonly email: boolean;
  readonly post: boolean;
}

/** A line of the original that a credit note gives back, and how much of it. */
export interface CreditedLine {
  readonly line: number;
  readonly quantity: string;
}

/** Everything of an issued document but its place in the series. */
export type UnnumberedInvoice = Omit<FrozenInvoice, 'id' | 'number' | 'style'> & {
  readonly _id: string;
  readonly style: StoredStyle;
  readonly delivery: Delivery;
  readonly checkoutId: string | null;
  readonly createdAt: Date;
  /** On a credit note: which lines of the original, and its place among that original's credit notes (from 1). */
  readonly creditedLines: readonly CreditedLine[];
  readonly creditOrdinal: number | null;
  /** What its test organisation wished to happen to its e-mail and webhooks; absent otherwise. */
  readonly testScenario?: TestScenario;
  /** Absent on documents from before it was kept. */
  readonly issuedBy?: Actor;
};

/** An issued document as it is inserted, once, and never changed. */
export type IssuedInvoice = UnnumberedInvoice & {
  readonly number: string;
  readonly series: string;
  readonly seq: number;
  /** Hash of the document before it in the series; empty on the first. */
  readonly previousHash: string;
  /** SHA-256 (hex) over all the rest, `previousHash` included. */
  readonly hash: string;
  /** Of its hash and place, with a key that is not in the store; absent where there was no key. */
  readonly signature?: SeriesSignature;
};

/** Where in its series a document goes. */
export interface SeriesPlace {
  readonly seq: number;
  readonly previousHash: string;
}

/**
 * What numbers a document and seals it: the hash covers its content, its number and the hash before it. The content is digested once,
 * so that numbering it again after a rival was first costs next to nothing.
 */
export function invoiceSealer(
  invoice: UnnumberedInvoice,
  series: string,
  numberOf: (seq: number) => string,
): (place: SeriesPlace) => IssuedInvoice {
  const content = digestOf(invoice);
  return ({ seq, previousHash }) => {
    const place = { number: numberOf(seq), series, seq, previousHash };
    return { ...invoice, ...place, hash: sealOf(content, place) };
  };
}

/** Whether a stored document still is what was sealed. */
export function isSealIntact({
  hash,
  signature: _,
  number,
  series,
  seq,
  previousHash,
  ...content
}: IssuedInvoice): boolean {
  return sealOf(digestOf(content), { number, series, seq, previousHash }) === hash;
}

/** Of the canonical JSON (RFC 8785), so that the order in which a store keeps fields does not matter. */
const digestOf = (content: unknown): string => digest(canonicalize(content) ?? '');

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const sealOf = (
  content: string,
  { number, series, seq, previousHash }: SeriesPlace & { number: string; series: string },
): string => digest(JSON.stringify([content, series, seq, number, previousHash]));
