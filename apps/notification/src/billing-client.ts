import { DocumentFormat, InvoicesService, type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { newCallContext, type RpcChannel } from '@invoicing/rpc';
import type { MailAttachment } from './mail/mail-transport';

/** What mail and letters need of billing. */
export interface InvoiceSource {
  /** Throws AppError `absent`. */
  get: (of: InvoiceRef, timeoutMs: number) => Promise<Invoice>;
  pdf: (of: InvoiceRef, timeoutMs: number) => Promise<MailAttachment>;
  ubl: (of: InvoiceRef, timeoutMs: number) => Promise<MailAttachment>;
}

export interface InvoiceRef {
  readonly organizationId: string;
  readonly invoiceId: string;
}

export function invoiceSource(billing: RpcChannel): InvoiceSource {
  const invoices = billing.client(InvoicesService);
  const render = async (of: InvoiceRef, format: DocumentFormat, timeoutMs: number): Promise<MailAttachment> => {
    const { organizationId, invoiceId } = of;
    const { content, contentType, fileName } = await invoices.renderInvoice(
      { organizationId, invoiceId, format },
      newCallContext(timeoutMs),
    );
    return { content: Buffer.from(content), contentType, filename: fileName };
  };
  return {
    get: ({ organizationId, invoiceId }, timeoutMs) =>
      invoices.getInvoice({ organizationId, invoiceId }, newCallContext(timeoutMs)),
    pdf: (of, timeoutMs) => render(of, DocumentFormat.PDF, timeoutMs),
    ubl: (of, timeoutMs) => render(of, DocumentFormat.UBL, timeoutMs),
  };
}
