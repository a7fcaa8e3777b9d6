import { eInvoiceViolations } from '../e-invoice/e-invoice-rules';
import { renderEInvoice } from '../e-invoice/render-e-invoice';
import type { SheetSource } from './sheet-source';
import type { SheetFile } from './typst-process';

const UBL_FILE = 'e-invoice.xml';
/** Of Factur-X and ZUGFeRD: a reader finds the file by this name. */
export const FACTUR_X_FILE = 'factur-x.xml';

/** The structured invoices that go along in the PDF, byte for byte as they are had apart; none where the rules allow none, and none on paper. */
export function sheetFiles({ invoice, account, isDraft, reminder }: SheetSource): SheetFile[] {
  if (isDraft || reminder || eInvoiceViolations(invoice).length > 0) return [];
  const file = (name: string, title: string, syntax: 'ubl' | 'cii'): SheetFile => ({
    name,
    mimeType: 'application/xml',
    relationship: 'alternative',
    description: `${title} ${invoice.number}`,
    content: Buffer.from(renderEInvoice(invoice, syntax, account)),
  });
  return [file(UBL_FILE, 'UBL 2.1', 'ubl'), file(FACTUR_X_FILE, 'Factur-X', 'cii')];
}
