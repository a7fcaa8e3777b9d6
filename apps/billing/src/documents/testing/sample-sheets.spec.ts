import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderPdf } from '../pdf/render-pdf';
import * as samples from './sample-invoices';
import type { FrozenInvoice } from '../../invoices/invoice';

const all = Object.entries(samples).filter(
  (entry): entry is [string, FrozenInvoice] => typeof entry[1] === 'object' && 'lines' in entry[1],
);

/** `SHEETS=/tmp/sheets npx jest … sample-sheets` leaves the PDFs there to be looked at. */
it.each(all)('%s prints', async (name, invoice) => {
  const pdf = await renderPdf(invoice);
  expect(Buffer.from(pdf.subarray(0, 8)).toString()).toBe('%PDF-1.7');
  const folder = process.env['SHEETS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.pdf`), pdf);
});
