import { AppError, notFoundError, validationError } from '@invoicing/errors';
import type { InvoicePayment } from '../invoices/invoice';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import type { Ports } from '../invoices/invoice-ports';

/**
 * Records the payment of an invoice, with its event, in one write. The same payment again changes nothing.
 * Throws `not_found`, `validation` (the amount is not the invoice's) or `already_paid` (by another payment).
 */
export async function recordPayment(
  { invoices, payments }: Pick<Ports, 'invoices' | 'payments'>,
  organizationId: string,
  invoiceId: string,
  payment: InvoicePayment,
): Promise<{ issued: IssuedInvoice; payment: InvoicePayment }> {
  const issued = await invoices.find(organizationId, invoiceId);
  if (!issued) throw notFoundError('the invoice');
  if (issued.kind !== 'invoice') {
    throw validationError([{ path: '/invoiceId', message: 'is a credit note' }]);
  }
  if (payment.provider === '' || payment.id === '') {
    throw validationError([{ path: '/payment/id', message: 'provider and id are required' }]);
  }
  if (payment.amountCents !== issued.totals.inclCents) {
    throw validationError([{ path: '/payment/amountCents', message: `must be ${issued.totals.inclCents}` }]);
  }
  if (await payments.insert(issued, payment)) return { issued, payment };
  const first = await payments.find(organizationId, invoiceId);
  if (first?.provider === payment.provider && first.id === payment.id) return { issued, payment: first };
  throw new AppError(
    'exists',
    'already_paid',
    first ? 'the invoice is paid by another payment' : 'the payment paid another invoice',
  );
}
