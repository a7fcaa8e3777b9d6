import { type NextFunction, type Request, type Response, Router } from 'express';
import { LRUCache } from 'lru-cache';
import { isLanguage, preferredLanguage, type Language } from '@invoicing/design';
import { documentRoutes, type ShownEInvoice, type ShownSheet } from './document-routes';
import { dryRunRoutes, type DryRunDocumentOf } from './dry-run-routes';
import { invoiceHtml, messageHtml, type Page, pageAssets } from './page-templates';
import { type InvoicePageSource, pageView } from './page-view';
import { sheetSourceOf } from '../sheet/invoice-sheet';
import { asksToPay } from '../sheet/sheet-state';

export interface InvoicePagesPorts {
  /** The issued document behind a public token. */
  findByToken: (publicToken: string) => Promise<InvoicePageSource | undefined>;
  /** Whether and where it can be paid online. May be slow or fail: the page goes without after a second. */
  paymentOptions: (organizationId: string, publicToken: string) => Promise<{ available: boolean; url: string }>;
  sheet: ShownSheet;
  eInvoice: ShownEInvoice;
  dryRun: DryRunDocumentOf;
  /** Hears what a payer must not see. */
  onError?: (error: unknown) => void;
}

const PAYMENT_OPTIONS_TIMEOUT_MS = 1_000;
const TOKEN = /^[A-Za-z0-9_-]{16,128}$/;

/** The public pages of invoices, to be mounted at `/p`: page, PDF, UBL, logo and the page's own files. */
export function invoicePages(ports: InvoicePagesPorts): Router {
  const router = Router({ strict: true });
  const pageOf = keptPages();
  router.use(privately);

  router.get('/assets/:name', (request, response, next) => {
    const asset = pageAssets.get(request.params.name);
    if (!asset) return next();
    response.set('Cache-Control', 'public, max-age=31536000, immutable').type(asset.type).send(asset.content);
  });

  const found = async (request: Request, next: NextFunction): Promise<InvoicePageSource | undefined> => {
    const token = String(request.params['token']);
    const source = TOKEN.test(token) ? await ports.findByToken(token) : undefined;
    if (!source) next();
    return source;
  };

  router.get('/:token', async (request, response, next) => {
    const source = await found(request, next);
    if (!source) return;
    const language = languageOf(request, source.invoice.language);
    const page = await pageOf(source, language, await payUrl(ports, source));
    sendPage(response.set('Cache-Control', 'private, no-cache'), page);
  });

  documentRoutes(router, ports, found);
  dryRunRoutes(router, ports.dryRun);
  router.use(notFound);
  router.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    // A path that is no UTF-8 cannot be decoded; it is the asker's fault.
    if (error instanceof URIError) return notFound(request, response);
    ports.onError?.(error);
    if (response.headersSent) return next(error);
    sendPage(
      response.status(503).set('Cache-Control', 'no-store'),
      messageHtml(503, languageOf(request, askedLanguage(request)), prefixOf(request)),
    );
  });
  return router;
}

// Bytes.
const MOST_KEPT = 16 * 1024 * 1024;

/** Makes the page of a document, once for all that it says: the document itself never changes, and what is known of it now is in its key. */
function keptPages(): (source: InvoicePageSource, language: Language, payUrl: string | null) => Promise<Page> {
  const kept = new LRUCache<string, Page>({
    maxSize: MOST_KEPT,
    sizeCalculation: ({ html }, key) => html.length + key.length,
  });
  return async (source, language, payUrl) => {
    const { invoice, ...known } = source;
    const key = JSON.stringify([invoice.publicToken, language, payUrl, known]);
    const found = kept.get(key);
    if (found) return found;
    const page = invoiceHtml(await pageView(source, language, payUrl), invoice);
    kept.set(key, page);
    return page;
  };
}

function privately(_request: Request, response: Response, next: NextFunction): void {
  response.set({
    'X-Robots-Tag': 'noindex, nofollow',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  next();
}

function notFound(request: Request, response: Response): void {
  sendPage(
    response.status(404).set('Cache-Control', 'no-store'),
    messageHtml(404, languageOf(request, askedLanguage(request)), prefixOf(request)),
  );
}

function sendPage(response: Response, { html, policy }: Page): void {
  response.set('Content-Security-Policy', policy).type('html').send(html);
}

/** `?lang=`, else `fallback`. */
function languageOf(request: Request, fallback: Language): Language {
  const asked = request.query['lang'];
  return isLanguage(asked) ? asked : fallback;
}

/** Of who comes for something that names no language of its own. */
const askedLanguage = (request: Request): Language => preferredLanguage(request.get('accept-language')) ?? 'nl';

/** From the address of a request back to the root of these pages. */
const prefixOf = ({ path }: Request): string => '../'.repeat(Math.max(0, path.split('/').length - 2));

async function payUrl(ports: InvoicePagesPorts, source: InvoicePageSource): Promise<string | null> {
  if (!asksToPay(sheetSourceOf(source))) return null;
  const { organizationId, publicToken } = source.invoice;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), PAYMENT_OPTIONS_TIMEOUT_MS)));
  try {
    const options = await Promise.race([ports.paymentOptions(organizationId, publicToken), late]);
    return options?.available && /^https?:\/\//.test(options.url) ? options.url : null;
  } catch (error) {
    ports.onError?.(error);
    return null;
  } finally {
    clearTimeout(timer);
  }
}
