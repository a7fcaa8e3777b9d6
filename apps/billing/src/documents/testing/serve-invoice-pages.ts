import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { eInvoiceFile } from '../e-invoice-file';
import { eInvoiceViolations } from '../e-invoice/e-invoice-rules';
import { renderEInvoice } from '../e-invoice/render-e-invoice';
import { documentFileName } from '../file-name';
import { invoicePages, type InvoicePagesPorts } from '../page/invoice-pages';
import type { Documents } from '../../invoices/invoice-ports';
import { invoiceSheet } from '../sheet/invoice-sheet';
import type { SealedSheets } from '../sheet/sealed-sheet-store';
import { sheetRenderer } from '../sheet/sheet-renderer';
import type { InvoicePageSource } from '../page/page-view';

/** The real router on a free port, as the pages server mounts it, over these documents. */
export async function serveInvoicePages(
  sources: readonly InvoicePageSource[],
  paymentOptions: InvoicePagesPorts['paymentOptions'] = async () => ({ available: false, url: '' }),
  findByToken: InvoicePagesPorts['findByToken'] = async (token) =>
    sources.find(({ invoice }) => invoice.publicToken === token),
): Promise<{ url: string; errors: unknown[]; close: () => Promise<void> }> {
  const errors: unknown[] = [];
  const renderer = sheetRenderer();
  const app = express().disable('x-powered-by');
  // As the service does it, without a store to keep the originals in.
  const documents: Documents = {
    renderSheet: renderer.render,
    renderEInvoice,
    eInvoiceViolations,
    fileName: documentFileName,
  };
  const sealedSheets: SealedSheets = { find: async () => null, keep: async (_organizationId, _id, pdf) => pdf };
  const sheet: InvoicePagesPorts['sheet'] = (source, wanted) =>
    invoiceSheet({ documents, sealedSheets }, source, { ...wanted, queue: 'page' });
  app.use(
    '/p',
    invoicePages({
      findByToken,
      paymentOptions,
      sheet,
      eInvoice: (source, wanted) => eInvoiceFile({ documents, sealedSheets }, source, { ...wanted, queue: 'page' }),
      dryRun: async () => undefined,
      onError: (error) => errors.push(error),
    }),
  );
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    errors,
    close: async () => {
      server.closeAllConnections();
      renderer.close();
      server.close();
      await once(server, 'close');
    },
  };
}
