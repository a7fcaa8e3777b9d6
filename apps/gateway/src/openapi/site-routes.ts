import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { type EdgeRequest } from '../edge/edge-request';
import { preflight } from '../edge/preflight';
import { sendJson } from '../edge/send';

const policyWith = (style: string): string =>
  `default-src 'none'; script-src 'self'; style-src ${style}; img-src 'self' data:; font-src 'self'; ` +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Nothing comes from elsewhere, and nothing is inline. */
const PAGE_POLICY = policyWith("'self'");
/** The reference makes its styles as it runs. It shows nothing but our own document. */
const REFERENCE_POLICY = policyWith("'self' 'unsafe-inline'");

export interface Site {
  /** What `apps/gateway/assets.mjs` writes. */
  readonly folder: string;
  /** The OpenAPI document, as JSON. */
  readonly document: () => string;
  readonly publicUrl: string;
}

/**
 * What people see at the edge itself, from our own files: `/` says what this is, `/docs` is the rendered reference, `/docs/<guide>` the guides,
 * `/docs/openapi.json` the document that the reference shows, open to other origins.
 */
export function mountSite(app: Express, { folder, document, publicUrl }: Site, guard: RequestHandler): void {
  const landing = readFileSync(join(folder, 'index.html'), 'utf8').replaceAll('{{origin}}', publicUrl);
  app.get('/', routed('/', guard), (request, response) => {
    setHeaders(request as unknown as EdgeRequest, response, PAGE_POLICY);
    response.type('html').send(landing);
  });
  app.use('/docs', routed('/docs/*', guard));
  app.options('/docs/openapi.json', (request, response) => preflight(request as unknown as EdgeRequest, response));
  app.get('/docs/openapi.json', (request, response) => {
    const { edge } = request as unknown as EdgeRequest;
    edge.route = '/docs/openapi.json';
    edge.headers['access-control-allow-origin'] = '*';
    sendJson(request as unknown as EdgeRequest, response, 200, document());
  });
  const files = express.static(join(folder, 'docs'), { extensions: ['html'], redirect: false, maxAge: '1h' });
  app.use('/docs', (request, response, next) => {
    // The pages' own links are relative to the folder.
    if (request.originalUrl.split('?')[0] === '/docs') {
      response.redirect(308, '/docs/');
      return;
    }
    setHeaders(request as EdgeRequest, response, request.path === '/' ? REFERENCE_POLICY : PAGE_POLICY);
    files(request, response, next);
  });
}

const routed =
  (route: string, guard: RequestHandler): RequestHandler =>
  (request, response, next) => {
    (request as EdgeRequest).edge.route = route;
    return guard(request, response, next);
  };

function setHeaders({ edge }: EdgeRequest, response: Response, policy: string): void {
  response.set({
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': edge.requestId,
  });
}
