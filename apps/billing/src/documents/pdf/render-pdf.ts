import type { FrozenInvoice } from '../../invoices/invoice';
import { archive, archiveOptions } from './pdf-archive';
import { PdfCanvas } from './pdf-canvas';
import { drawHeading } from './pdf-heading';
import { drawLines } from './pdf-lines';
import { PdfPage } from './pdf-page';
import { drawPayment, paymentHeight } from './pdf-payment';
import { drawTotals, totalsHeight } from './pdf-totals';
import { qrModules, sepaQrPayload } from '../sepa-qr';
import { WORDING } from '../wording/wording';

/** The document as PDF/A-3b: the same bytes for the same invoice, every time. */
export async function renderPdf(invoice: FrozenInvoice): Promise<Uint8Array> {
  const [{ PDFDocument }, { fonts }] = await Promise.all([import('./pdf-kit'), import('./pdf-fonts')]);
  const words = WORDING[invoice.language];
  const title = `${invoice.kind === 'invoice' ? words.invoice : words.creditNote} ${invoice.number}`;
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    // No first font: a font that is there by name and by itself would be opened again at every use.
    font: null as never,
    ...archiveOptions(invoice, title),
  });
  archive(document);
  const bytes = collect(document);
  const payload = sepaQrPayload(invoice);
  const modules = payload ? await qrModules(payload) : null;

  const page = new PdfPage(new PdfCanvas(document, fonts), invoice, title);
  drawHeading(page);
  await drawLines(page, totalsHeight(page) + paymentHeight(page));
  drawTotals(page);
  drawPayment(page, modules);
  page.finish();
  document.end();
  return bytes;
}

function collect(document: PDFKit.PDFDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve, reject) => {
    document.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    document.on('error', reject);
    document.on('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
  });
}
