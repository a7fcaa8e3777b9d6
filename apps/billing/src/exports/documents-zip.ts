import { createHash } from 'node:crypto';
import type { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ZipFile } from 'yazl';
import { eurosOf } from '../documents/e-invoice/e-invoice';
import { hasEInvoice, renderInvoice } from '../documents/render-invoice';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { csvRows } from './csv';
import type { Days, ExportPorts } from './export-ports';

const COLUMNS = ['file', 'sha256', 'bytes', 'kind', 'number', 'issue_date', 'customer_id', 'customer', 'total', 'vat'];

// The earliest that a zip can say, in the zone of this process, as the format wants it: no file depends on the clock.
const DATED = new Date(1980, 0, 1);
// Stored: a PDF is compressed already, and what is written is here at once.
const STORED = { mtime: DATED, mode: 0o100644, compress: false, forceDosTimestamp: true } as const;

/**
 * A zip of every document as it was issued: the PDF, and the e-invoice where there is one; last `index.csv` with their checksums. One
 * document at a time is rendered, when its reader has taken what came before; what stays here is the index, some hundred bytes a file.
 */
export async function* documentsZip(
  ports: ExportPorts,
  organizationId: string,
  days: Days,
  asOf: Date,
  onDocument: () => void,
): AsyncIterable<Uint8Array> {
  const zip = new ZipFile();
  const out = zip.outputStream as PassThrough;
  const index = [csvRows([COLUMNS])];
  let ordinal = 0;
  for await (const issued of ports.books.documents(organizationId, days, asOf)) {
    // Two numbers may differ in characters that no file name has.
    const place = String(++ordinal).padStart(6, '0');
    for (const { content, fileName } of await originalsOf(ports, issued)) {
      const file = `${issued.issueDate.slice(0, 7)}/${place}-${fileName}`;
      zip.addBuffer(Buffer.from(content), file, STORED);
      index.push(csvRows([indexRow(file, content, issued)]));
      yield* written(out);
    }
    onDocument();
  }
  zip.addBuffer(Buffer.from(index.join('')), 'index.csv', STORED);
  zip.end();
  for await (const chunk of out) yield chunk as Uint8Array;
}

async function originalsOf(ports: ExportPorts, issued: IssuedInvoice) {
  const { organizationId, _id } = issued;
  const pdf = await renderInvoice(ports, organizationId, _id, 'original_pdf');
  return hasEInvoice(ports, issued) ? [pdf, await renderInvoice(ports, organizationId, _id, 'original_ubl')] : [pdf];
}

const indexRow = (file: string, content: Uint8Array, issued: IssuedInvoice) => [
  ...[file, createHash('sha256').update(content).digest('hex'), content.length],
  ...[issued.kind, issued.number, issued.issueDate, issued.customerId],
  ...[issued.buyer.companyName || issued.buyer.name, eurosOf(issued.totals.inclCents), eurosOf(issued.totals.vatCents)],
];

/** All that the zip has written so far. */
async function* written(out: PassThrough): AsyncIterable<Uint8Array> {
  // The zip goes on with a file after its turn.
  await setImmediate();
  for (;;) {
    const chunk = out.read() as Uint8Array | null;
    if (chunk) yield chunk;
    else if (out.writableLength === 0 && out.readableLength === 0) return;
    else await setImmediate();
  }
}
