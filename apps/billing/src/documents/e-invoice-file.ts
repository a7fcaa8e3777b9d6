import type { Ports } from '../billing-ports';
import { invoiceSheet, sheetSourceOf, type InvoiceToShow } from './sheet/invoice-sheet';
import { attachmentOf } from './sheet/pdf-attachment';
import { E_INVOICE_FILES } from './sheet/sheet-files';
import type { QueueName } from './sheet/sheet-renderer';

/**
 * The e-invoice that goes with the sheet that its reader should have, byte for byte. As issued it is the one inside the PDF that is kept, so
 * that both outlive every change of how they are made; a copy says what was paid since. Undefined where the document can have none. `sheet`: the
 * PDF that its reader should have, where it is at hand.
 */
export async function eInvoiceFile(
  ports: Pick<Ports, 'documents' | 'sealedSheets'>,
  shown: InvoiceToShow,
  wanted: {
    readonly syntax: 'ubl' | 'cii';
    readonly queue: QueueName;
    readonly original?: boolean;
    readonly sheet?: Uint8Array;
  },
): Promise<Uint8Array | undefined> {
  const { syntax, queue, original, sheet } = wanted;
  const { documents } = ports;
  const { invoice, account } = sheetSourceOf(shown);
  const isPossible = documents.eInvoiceViolations(invoice).length === 0;
  if (account && !original)
    return isPossible ? Buffer.from(documents.renderEInvoice(invoice, syntax, account)) : undefined;
  const pdf = sheet ?? (await invoiceSheet(ports, shown, { format: 'pdf', queue, original: true }));
  const kept = attachmentOf(pdf, E_INVOICE_FILES[syntax]);
  // A document that could be no e-invoice when its sheet was kept may be one by the rules of today.
  return kept ?? (isPossible ? Buffer.from(documents.renderEInvoice(invoice, syntax)) : undefined);
}
