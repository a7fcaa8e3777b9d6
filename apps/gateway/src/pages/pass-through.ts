import { Agent, ServerResponse, type IncomingMessage } from 'node:http';
import { type Express } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { type Logger } from '@invoicing/telemetry';
import { type GatewayConfig } from '../config';
import { EdgeError } from '../edge/edge-error';
import { type EdgeRequest } from '../edge/edge-request';
import { UNAVAILABLE_POLICY, unavailablePage } from './unavailable-page';

/** Which of the services' own pages are served under which paths. */
const PAGES = [
  { paths: ['/p'], target: 'billing' },
  { paths: ['/c', '/sandbox', '/providers'], target: 'checkout' },
  { paths: ['/dev/mail', '/dev/webhooks'], target: 'notification' },
] as const;

const TIMEOUT_MS = 30_000;
const MAX_SOCKETS = 256;

// RFC 9110, 7.6.1: between two neighbours only. `Connection` itself is the proxy's to set.
const HOP_HEADERS = [
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
];
// What a client may not take away by naming it in `Connection`.
const KEPT = /^(connection|host|content-.*|transfer-encoding|x-forwarded-.*)$/;
// Only this gateway says who came in: what a client claims is dropped.
const FORWARDED_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-port', 'x-forwarded-proto'];

/** Passes pages and callbacks through to the services that own them, untouched: mounted before anything reads a body. */
export function mountPassThrough(app: Express, pages: GatewayConfig['pages'], log: Logger): { close: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS });
  for (const { paths, target } of PAGES) {
    const proxy = createProxyMiddleware({
      target: pages[target],
      agent,
      xfwd: true,
      timeout: TIMEOUT_MS,
      proxyTimeout: TIMEOUT_MS,
      pathFilter: (path) => paths.some((each) => path === each || path.startsWith(`${each}/`)),
      on: {
        proxyReq: (outgoing, incoming) => {
          const listed = (incoming.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
          const removable = listed.filter((name) => name !== '' && !KEPT.test(name));
          for (const name of [...HOP_HEADERS, ...removable]) outgoing.removeHeader(name);
          outgoing.setHeader('x-request-id', (incoming as EdgeRequest).edge.requestId);
        },
        proxyRes: (answer) => {
          for (const name of HOP_HEADERS) delete answer.headers[name];
          answer.headers['x-content-type-options'] ??= 'nosniff';
        },
        error: (error, request, response) => {
          const { edge } = request as EdgeRequest;
          edge.code = 'unavailable';
          log.warn({ requestId: edge.requestId, target, error }, 'page unavailable');
          if (response instanceof ServerResponse) sendUnavailable(request, response);
          else response.destroy();
        },
      },
    });
    app.use((request, response, next) => {
      const page = paths.find((each) => request.path === each || request.path.startsWith(`${each}/`));
      if (!page) return next();
      (request as EdgeRequest).edge.route = `${page}/*`;
      for (const name of FORWARDED_HEADERS) delete request.headers[name];
      return proxy(request, response, next);
    });
  }
  return { close: () => agent.destroy() };
}

// People see these pages, so people get a sentence.
function sendUnavailable(request: IncomingMessage, response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, code } = new EdgeError('unavailable');
  const html = (request.headers.accept ?? '').includes('text/html');
  const body = html ? unavailablePage(request.method === 'POST') : JSON.stringify({ error: code });
  response
    .writeHead(status, {
      'content-type': html ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'content-security-policy': UNAVAILABLE_POLICY,
      'cache-control': 'no-store',
      'x-request-id': (request as EdgeRequest).edge.requestId,
      'retry-after': '60',
    })
    .end(body);
}
