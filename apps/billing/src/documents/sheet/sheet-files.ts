import { eInvoiceViolations } from '../e-invoice/e-invoice-rules';
import { renderEInvoice } from '../e-invoice/render-e-invoice';
import type { SheetSource } from './sheet-source';
import type { SheetFile } from './typst-process';

/** Names of the files in the PDF; of Factur-X and ZUGFeRD a reader finds the file by it. */
export const E_INVOICE_FILES = { ubl: 'e-invoice.xml', cii: 'factur-x.xml' } as const;

/** The structured invoices that go along in the PDF, byte for byte as they are had apart; none where the rules allow none, and none on paper. */
export function sheetFiles({ invoice, account, isDraft, reminder }: SheetSource): SheetFile[] {
  if (isDraft || reminder || eInvoiceViolations(invoice).length > 0) return [];
  const file = (title: string, syntax: 'ubl' | 'cii'): SheetFile => ({
    name: E_INVOICE_FILES[syntax],
    mimeType: 'application/xml',
    relationship: 'alternative',
    description: `${title} ${invoice.number}`,
    content: Buffer.from(renderEInvoice(invoice, syntax, account)),
  });
  return [file('UBL 2.1', 'ubl'), file('Factur-X', 'cii')];
}
