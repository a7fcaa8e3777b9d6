import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { NextFunction, Request, Router } from 'express';
import { documentFileName } from '../file-name';
import { hasPicture } from '../sheet/invoice-sheet';
import type { FrozenInvoice } from '../../invoices/invoice';
import { E_INVOICE_FILES } from '../sheet/sheet-files';
import type { InvoicePageSource } from './page-view';

/** A document as PDF, or as SVG of all its pages. */
export type ShownSheet = (
  source: InvoicePageSource,
  wanted: { readonly format: 'pdf' | 'svg'; readonly original: boolean },
) => Promise<Uint8Array>;

/** The e-invoice that goes with it; undefined where it can have none. */
export type ShownEInvoice = (
  source: InvoicePageSource,
  wanted: { readonly syntax: 'ubl' | 'cii'; readonly original: boolean },
) => Promise<Uint8Array | undefined>;

// A payment changes what the document says.
const DOCUMENT_CACHE = 'private, max-age=60';
const zipped = promisify<Uint8Array, Buffer>(gzip);

/** What can be had of one document beside its page: PDF, picture, e-invoice and logo. `found` answers 404 itself. */
export function documentRoutes(
  router: Router,
  { sheet, eInvoice }: { readonly sheet: ShownSheet; readonly eInvoice: ShownEInvoice },
  found: (request: Request, next: NextFunction) => Promise<InvoicePageSource | undefined>,
): void {
  router.get('/:token/invoice.pdf', async (request, response, next) => {
    const source = await found(request, next);
    if (!source) return;
    const { invoice } = source;
    const original = request.query['original'] !== undefined;
    const disposition = request.query['download'] === undefined ? 'inline' : 'attachment';
    response
      // A policy with default-src would keep a browser's viewer from drawing it.
      .set('Content-Security-Policy', "frame-ancestors 'none'")
      .set('Cache-Control', DOCUMENT_CACHE)
      .set('Content-Disposition', `${disposition}; filename="${documentFileName(invoice, 'pdf')}"`)
      .type('application/pdf')
      .send(Buffer.from(await sheet(source, { format: 'pdf', original })));
  });

  router.get('/:token/invoice.svg', async (request, response, next) => {
    const source = await found(request, next);
    if (!source) return;
    if (!hasPicture(source.invoice)) return next();
    const svg = await sheet(source, { format: 'svg', original: false });
    const isZipped = request.acceptsEncodings('gzip') === 'gzip';
    if (isZipped) response.set('Content-Encoding', 'gzip');
    response
      .set('Cache-Control', DOCUMENT_CACHE)
      .vary('Accept-Encoding')
      .set('Content-Security-Policy', "default-src 'none'; img-src data:; frame-ancestors 'none'")
      .type('image/svg+xml')
      .send(isZipped ? await zipped(svg) : Buffer.from(svg));
  });

  const eInvoiceAt = (path: string, syntax: 'ubl' | 'cii', fileName: (invoice: FrozenInvoice) => string): void => {
    router.get(path, async (request, response, next) => {
      const source = await found(request, next);
      if (!source) return;
      if (!source.hasEInvoice) return next();
      const original = request.query['original'] !== undefined;
      const content = await eInvoice(source, { syntax, original });
      if (!content) return next();
      response
        .set('Cache-Control', DOCUMENT_CACHE)
        .set('Content-Disposition', `attachment; filename="${fileName(source.invoice)}"`)
        .type('application/xml; charset=utf-8')
        .send(Buffer.from(content));
    });
  };
  eInvoiceAt('/:token/invoice.xml', 'ubl', (invoice) => documentFileName(invoice, 'xml'));
  // The name by which readers of Factur-X and ZUGFeRD know it.
  eInvoiceAt('/:token/factur-x.xml', 'cii', () => E_INVOICE_FILES.cii);

  router.get('/:token/logo', async (request, response, next) => {
    const source = await found(request, next);
    if (!source) return;
    const { logo } = source.invoice.style;
    if (!logo) return next();
    response
      .set('Cache-Control', 'private, max-age=3600')
      .type(logo[0] === 0x89 ? 'image/png' : 'image/jpeg')
      .send(Buffer.from(logo));
  });
}
