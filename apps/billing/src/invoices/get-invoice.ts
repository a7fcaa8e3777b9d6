import { notFoundError } from '@invoicing/errors';
import type { Draft } from './draft';
import type { InvoicePayment } from './invoice';
import type { IssuedInvoice } from './issued-invoice';
import type { Ports } from './invoice-ports';

/** A document as it is now: an issued one with its payment, or an open draft. */
export type FoundInvoice =
  { readonly issued: IssuedInvoice; readonly payment: InvoicePayment | null } | { readonly draft: Draft };

/** Throws `not_found`; the document of another organisation looks exactly like one that does not exist. */
export async function getInvoice(
  { invoices, drafts, payments }: Pick<Ports, 'invoices' | 'drafts' | 'payments'>,
  organizationId: string,
  id: string,
): Promise<FoundInvoice> {
  const issued = await invoices.find(organizationId, id);
  if (issued) return { issued, payment: await payments.find(organizationId, id) };
  const draft = await drafts.find(organizationId, id);
  if (draft) return { draft };
  throw notFoundError('the invoice');
}

/** By the token of its public page. A draft has no page. */
export async function getPublicInvoice(
  { invoices, payments }: Pick<Ports, 'invoices' | 'payments'>,
  publicToken: string,
): Promise<{ issued: IssuedInvoice; payment: InvoicePayment | null }> {
  const issued = await invoices.findByToken(publicToken);
  if (!issued) throw notFoundError('the invoice');
  return { issued, payment: await payments.find(issued.organizationId, issued._id) };
}

/** The organisation that a draft or invoice belongs to; for operators, who name an invoice by its id alone. */
export async function organizationOf(
  { invoices, drafts }: Pick<Ports, 'invoices' | 'drafts'>,
  id: string,
): Promise<string> {
  const found = (await invoices.organizationOf(id)) ?? (await drafts.organizationOf(id));
  if (found === undefined) throw notFoundError('the invoice');
  return found;
}
