import express, { type Express, type RequestHandler } from 'express';
import { type EdgeRequest } from '../edge/edge-request';
import { preflight } from '../edge/preflight';
import { sendJson } from '../edge/send';

// Swagger UI draws its icons from data: addresses; nothing comes from elsewhere, and nothing is inline.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** `/docs`: the rendered reference from our own files; `/docs/openapi.json`: the document it shows, open to other origins. */
export function mountDocs(app: Express, folder: string, document: () => string, guard: RequestHandler): void {
  app.use('/docs', (request, response, next) => {
    (request as EdgeRequest).edge.route = '/docs/*';
    return guard(request, response, next);
  });
  app.options('/docs/openapi.json', (request, response) => preflight(request as unknown as EdgeRequest, response));
  app.get('/docs/openapi.json', (request, response) => {
    const { edge } = request as unknown as EdgeRequest;
    edge.route = '/docs/openapi.json';
    edge.headers['access-control-allow-origin'] = '*';
    sendJson(request as unknown as EdgeRequest, response, 200, document());
  });
  const files = express.static(folder, { index: 'index.html', redirect: false, maxAge: '1h' });
  app.use('/docs', (request, response, next) => {
    const { edge } = request as EdgeRequest;
    // The page's own links are relative to the folder.
    if (request.originalUrl.split('?')[0] === '/docs') {
      response.redirect(308, '/docs/');
      return;
    }
    response.set({
      'content-security-policy': PAGE_POLICY,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-request-id': edge.requestId,
    });
    files(request, response, next);
  });
}
