import type { FrozenInvoice } from '../invoices/invoice';
import { WORDING } from './wording/wording';

/** "Factuur-2026-0042.pdf": safe in every file system and in a header. */
export function documentFileName(invoice: FrozenInvoice, extension: 'pdf' | 'xml'): string {
  const words = WORDING[invoice.language];
  const kind = invoice.kind === 'invoice' ? words.invoice : words.creditNote;
  const safe = `${kind}-${invoice.number}`.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 100);
  return `${safe}.${extension}`;
}
