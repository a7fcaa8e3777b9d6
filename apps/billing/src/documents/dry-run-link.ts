import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { derivedKey, openBytes, sealBytes } from '@invoicing/secrets';
import type { UnnumberedInvoice } from '../invoices/issued-invoice';

/** A document that was tried out and never made, with the number that it would get; empty for a draft. */
export type DryRunDocument = UnnumberedInvoice & { readonly number: string };

/** Addresses that carry a whole document, so that nothing of a dry run is stored, and every replica can show it. */
export interface DryRunLinks {
  /** The document as a part of a path, undefined when it is too long for one; and when that ends, ten minutes from now. */
  readonly seal: (document: DryRunDocument) => { readonly token: string | undefined; readonly expiresAt: Date };
  /** What was sealed; undefined when it was not sealed here, or is over. */
  readonly open: (token: string) => DryRunDocument | undefined;
}

const LIFE_MS = 600_000;
// What proxies and browsers take of an address, less its other parts: about 150 lines of an ordinary invoice.
const MOST_CHARACTERS = 7_500;
const PURPOSE = { service: 'billing', values: 'dry-run-documents' };
// Fields that are times; everything else is as JSON has it.
const TIMES = new Set(['issuedAt', 'createdAt', 'paidAt']);
const TEXT = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** `secret` is the same in every replica: an address that one sealed another opens. */
export function dryRunLinks(secret: string, now: () => number = Date.now): DryRunLinks {
  const key = derivedKey(secret, PURPOSE);
  return {
    seal: (document) => {
      const until = now() + LIFE_MS;
      const sealed = sealBytes(key, brotliCompressSync(JSON.stringify({ until, document }), TEXT), '');
      const token = sealed.toString('base64url');
      return { token: token.length <= MOST_CHARACTERS ? token : undefined, expiresAt: new Date(until) };
    },
    open: (token) => {
      const { until, document } = opened(key, token) ?? { until: 0, document: undefined };
      return until > now() ? document : undefined;
    },
  };
}

function opened(key: Buffer, token: string): { until: number; document: DryRunDocument } | undefined {
  if (token.length > MOST_CHARACTERS) return undefined;
  let bytes: Buffer;
  try {
    bytes = openBytes(key, Buffer.from(token, 'base64url'), '');
  } catch {
    // Not of this service, or changed on its way: nobody's address.
    return undefined;
  }
  return JSON.parse(brotliDecompressSync(bytes).toString(), (name, value: unknown) =>
    TIMES.has(name) ? new Date(value as string) : value,
  ) as { until: number; document: DryRunDocument };
}
