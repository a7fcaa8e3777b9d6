import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Router } from 'express';
import type { Logger } from '@invoicing/telemetry';

/** Express says by `status` what is the asker's fault: a path that cannot be decoded, a body that is too large. */
type PageError = NodeJS.ErrnoException & { readonly status?: number };

const errorCodes: Record<number, string> = { 404: 'not_found', 413: 'payload_too_large' };

/** Serves this service's few pages; the gateway passes `/dev/mail` through to them. */
export async function servePages(
  host: string,
  port: number,
  routers: readonly Router[],
  log: Logger,
): Promise<{ port: number; close(): Promise<void> }> {
  const app = express().disable('x-powered-by').set('etag', false);
  app.use((_request, response, next) => {
    response.set({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    next();
  });
  for (const router of routers) app.use(router);
  app.use((_request, response) => void response.status(404).json({ error: 'not_found' }));
  const onError: ErrorRequestHandler = (error: PageError, request, response, _next) => {
    const status = error.code === 'ENOENT' ? 404 : (error.status ?? 500);
    if (status >= 500) log.error({ error, path: request.path }, 'page failed');
    response.status(status).json({ error: errorCodes[status] ?? (status < 500 ? 'validation' : 'generic') });
  };
  app.use(onError);
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, app);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}
