import { InvoiceMailsService, type InvoiceMail } from '@invoicing/contracts/invoicing/billing/v1/invoice_mails';
import { bindService, type BoundService } from '@invoicing/rpc';
import type { Ports } from '../billing-ports';
import { openOfCredited } from '../invoices/get-invoice';
import { toIssued } from '../invoices/invoice-proto';
import { toBrand } from '../organizations/brand-proto';
import { documentToRender, hasEInvoice, renderMailFiles, shownInvoice } from './render-invoice';
import { toRendered } from './rendered-proto';

/** What e-mails with documents are made of. */
export const invoiceMailsService = (ports: Ports): BoundService =>
  bindService(
    InvoiceMailsService,
    { getInvoiceMail: ({ organizationId, invoiceId }) => invoiceMail(ports, organizationId, invoiceId) },
    { getInvoiceMail: { callers: ['notification'], action: 'invoices.read' } },
  );

/** Everything that is asked for is read once. */
async function invoiceMail(ports: Ports, organizationId: string, invoiceId: string): Promise<InvoiceMail> {
  const issued = await documentToRender(ports, organizationId, invoiceId);
  const [shown, creditedOpenCents] = await Promise.all([shownInvoice(ports, issued), openOfCredited(ports, issued)]);
  const { invoice, account, test } = shown;
  const isEInvoice = hasEInvoice(ports, issued);
  const { pdf, ubl } = await renderMailFiles(ports, shown, { ubl: isEInvoice });
  return {
    invoice: toIssued({ issued, account, test, creditedOpenCents }, isEInvoice),
    brand: toBrand(invoice.style, invoice.seller, test),
    pdf: toRendered(pdf),
    ubl: ubl && toRendered(ubl),
  };
}
