import type { RenderedInvoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { Rendered } from './render-invoice';

/** A file on the wire. */
export const toRendered = ({ content, ...file }: Rendered): RenderedInvoice => ({
  ...file,
  content: Buffer.from(content.buffer, content.byteOffset, content.length),
});
