import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Router } from 'express';
import type { Logger } from '@invoicing/telemetry';

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
  const onError: ErrorRequestHandler = (error: NodeJS.ErrnoException, request, response, _next) => {
    const status = error.code === 'ENOENT' ? 404 : 500;
    if (status === 500) log.error({ error, path: request.path }, 'page failed');
    response.status(status).json({ error: status === 404 ? 'not_found' : 'generic' });
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
