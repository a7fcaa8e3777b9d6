import { createServer } from 'node:http';
import express, { type Router, type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { brand } from '@invoicing/design';
import { listen, type Listening } from '@invoicing/service';
import { httpDuration, traceRequest, type Logger } from '@invoicing/telemetry';
import { assets, COLOR_SHEET, colorSheet } from './render';
import { closedPage } from './session-page';
import { languageOfRequest } from './page-request';
import { nobodys } from './session-brand';

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface HttpRoutes {
  readonly checkouts: Router;
  readonly invoices: Router;
  readonly callbacks: Router;
  readonly sandbox: Router;
}

/** Everything that payers and providers reach, all of it through the gateway. */
export function httpApp(routes: HttpRoutes, publicUrl: string, log: Logger): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(observe(log));
  app.get('/c/assets/:name', (request, response) => {
    const asset = assetOf(request.params.name);
    if (!asset) return void response.sendStatus(404);
    response.set({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' });
    response.type(asset.type).send(asset.content);
  });
  app.use((_request, response, next) => {
    response.set({
      'content-security-policy': CONTENT_SECURITY_POLICY,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Language',
    });
    next();
  });
  app.use('/c/i', routes.invoices);
  app.use('/c', routes.checkouts);
  app.use('/providers', routes.callbacks);
  app.use(routes.sandbox);
  app.use((request, response) => {
    const here = { ...nobodys(languageOfRequest(request)), path: '', publicUrl };
    response.status(404).send(closedPage('notFound', here));
  });
  const failed: ErrorRequestHandler = (error: { status?: number }, request, response, next) => {
    // A body that is too large or malformed is the sender's fault, and says so itself.
    const status = error.status !== undefined && error.status >= 400 && error.status < 500 ? error.status : 500;
    if (status === 500) log.error({ error, requestId: request.get('x-request-id') }, 'page failed');
    if (response.headersSent) return next(error);
    const path = PAGE.test(request.path) ? request.path : '';
    const here = { ...nobodys(languageOfRequest(request)), path, publicUrl };
    response.status(status).send(closedPage('error', here));
  };
  app.use(failed);
  return app;
}

function assetOf(name: string): { readonly type: string; readonly content: Buffer | string } | undefined {
  const [, color] = COLOR_SHEET.exec(name) ?? [];
  if (color === undefined) return assets.get(name);
  return { type: 'text/css', content: colorSheet(brand({ name: '', accentColor: `#${color}` })) };
}

/** Serves the app; the gateway passes its paths through. */
export const serveHttp = (app: Express, host: string, port: number): Promise<Listening> =>
  listen(createServer({ headersTimeout: 10_000, requestTimeout: 15_000, keepAliveTimeout: 65_000 }, app), {
    host,
    port,
  });

/** One log line and one metric a request; the address is logged as its route, because it carries tokens. */
const observe =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now();
    const path = request.path;
    response.once('finish', () => {
      const route = routeOf(path);
      const durationMs = performance.now() - startedAt;
      httpDuration.observe({ method: request.method, route, status: response.statusCode }, durationMs / 1000);
      const requestId = request.get('x-request-id');
      log.info(
        { method: request.method, route, status: response.statusCode, durationMs: Math.round(durationMs), requestId },
        'request',
      );
    });
    traceRequest(`${request.method} ${routeOf(path)}`, request, response, next);
  };

/** Pages that may be asked for again after a failure. */
const PAGE = /^\/c(\/i)?\/[A-Za-z0-9_-]+$/;

const ROUTES: readonly [RegExp, string][] = [
  [/^\/c\/assets\//, '/c/assets'],
  [/^\/c\/i\//, '/c/i/:token'],
  [/^\/c\//, '/c/:token'],
  [/^\/providers\//, '/providers'],
  [/^\/sandbox\/api\//, '/sandbox/api'],
  [/^\/sandbox\/pay\//, '/sandbox/pay/:id'],
];
const routeOf = (path: string): string => ROUTES.find(([pattern]) => pattern.test(path))?.[1] ?? 'other';
