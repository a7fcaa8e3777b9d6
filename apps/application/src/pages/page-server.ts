import { createServer } from 'node:http';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import { AppError } from '@invoicing/errors';
import { listen, type Listening } from '@invoicing/service';
import { httpDuration, traceRequest, type Logger } from '@invoicing/telemetry';
import type { Cookies } from './cookies';
import { errorPage, notFoundPage, originPage } from './error-page';
import { multipart } from './multipart';
import { assets } from './render';
import { isLanguage, languageOfHeader } from './texts';
import { show, visitOf, type Visit } from './visit';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  // Previews of documents; a picture runs no script.
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const LANGUAGE_MS = 365 * 86_400_000;
// 500 lines of an invoice, with all their fields.
const FORM_LIMITS = { extended: false, limit: '1mb', parameterLimit: 5_000 } as const;

/** The visit of a request; `response.locals` has the one that was made last: signed in, in an organisation. */
export const visitFor = (response: Response): Visit => response.locals['visit'] as Visit;
export const setVisit = (response: Response, visit: Visit): void => void (response.locals['visit'] = visit);

/** The application's pages, all of them below /app. */
export function pageApp(routes: Router, cookies: Cookies, publicUrl: string, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(observe(log));
  app.get('/app/assets/:name', sendAsset);
  app.use((request, response, next) => {
    response.set({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cache-control': 'no-store',
      // With no-referrer browsers would hide where a form comes from, and every form would look like another site's.
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Language, Cookie',
    });
    const asked = request.query['lang'];
    const kept = cookies.language.read(request);
    const language = [asked, kept].find(isLanguage) ?? languageOfHeader(request.get('accept-language'));
    if (isLanguage(asked)) cookies.language.write(response, asked, LANGUAGE_MS);
    setVisit(response, visitOf(request, language));
    next();
  });
  app.use(sameOriginOnly(new URL(publicUrl).origin));
  app.use(express.urlencoded(FORM_LIMITS), ...multipart);
  app.use('/app', routes);
  app.use((_request, response) => show(response, visitFor(response), notFoundPage(visitFor(response)), 404));
  app.use(failed(log));
  return app;
}

/** Serves the app; the gateway passes its paths through. */
export const servePages = (app: Express, host: string, port: number): Promise<Listening> =>
  listen(createServer({ headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 65_000 }, app), {
    host,
    port,
  });

async function sendAsset(request: Request<{ name: string }>, response: Response): Promise<void> {
  const asset = assets.get(request.params.name);
  if (!asset) return void response.sendStatus(404);
  response.set({
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
  });
  const takesBrotli = request.acceptsEncodings('br') === 'br';
  if (takesBrotli) response.set('content-encoding', 'br');
  response.type(asset.type).send(takesBrotli ? await asset.brotli() : asset.content);
}

/** A POST changes something: it must come from a page of ours. Browsers say where a form comes from, and no page can make them lie. */
const sameOriginOnly =
  (publicOrigin: string): RequestHandler =>
  (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const origin = request.get('origin');
    // On one machine people come by 127.0.0.1 as well as by localhost.
    const asked = `${request.get('x-forwarded-proto') ?? 'http'}://${request.get('x-forwarded-host') ?? request.get('host')}`;
    if (origin !== undefined && (origin === publicOrigin || origin === asked)) return next();
    return show(response, visitFor(response), originPage(visitFor(response)), 403);
  };

const failed =
  (log: Logger): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const visit = visitFor(response);
    const { status, page } = errorPage(error, visit);
    if (status >= 500) log.error({ error, requestId: visit.requestId }, 'page failed');
    // A page asks the services for what they take; what they refuse of an address is a stranger's cursor, or our fault.
    else if (error instanceof AppError && error.kind === 'invalid')
      log.warn({ error, requestId: visit.requestId }, 'a service refused what a page asked');
    if (response.headersSent) return next(error);
    if (error instanceof AppError && error.retryAfterSeconds !== undefined)
      response.set('retry-after', String(error.retryAfterSeconds));
    return show(response, visit, page, status);
  };

/** One log line and one metric a request; the address is logged as its route, because it carries ids and tokens. */
const observe =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    const { path, method } = request;
    response.once('finish', () => {
      const route = routeOf(path);
      const status = response.statusCode;
      const durationMs = performance.now() - startedAt;
      httpDuration.observe({ method, route, status }, durationMs / 1000);
      const requestId = request.get('x-request-id');
      log.info({ method, route, status, durationMs: Math.round(durationMs), requestId }, 'request');
    });
    traceRequest(`${method} ${routeOf(path)}`, request, response, next);
  };

const ID = /^([0-9a-f]{8}-[0-9a-f-]{27}|[A-Za-z0-9_-]{40,})$/;
const WORD = /^[a-z-]{1,30}$/;

/** `/app/<id>/invoices/<id>/credit` → `/app/:id/invoices/:id/credit`; anything that is no word of ours is `other`. */
const routeOf = (path: string): string =>
  path
    .split('/')
    .slice(0, 7)
    .map((part) => (part === '' || WORD.test(part) ? part : ID.test(part) ? ':id' : 'other'))
    .join('/');
