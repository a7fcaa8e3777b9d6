import { eInvoiceViolations } from '../ubl/e-invoice-rules';
import { renderUbl } from '../ubl/render-ubl';
import type { SheetSource } from './sheet-source';
import type { SheetFile } from './typst-process';

export const UBL_FILE = 'e-invoice.xml';
/** Of Factur-X and ZUGFeRD: a reader finds the file by this name. */
export const FACTUR_X_FILE = 'factur-x.xml';

/** The structured invoices that go along in the PDF, byte for byte as they are had apart; none where the rules allow none. */
export function sheetFiles({ invoice, account, isDraft }: SheetSource): SheetFile[] {
  if (isDraft || eInvoiceViolations(invoice).length > 0) return [];
  return [
    {
      name: UBL_FILE,
      mimeType: 'application/xml',
      relationship: 'alternative',
      description: `UBL 2.1 ${invoice.number}`,
      content: Buffer.from(renderUbl(invoice, account)),
    },
  ];
}
