import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Router } from 'express';
import { traceRequest } from '@invoicing/telemetry';

/** Serves the public pages; the gateway passes `/p/*` through to it. */
export async function servePages(options: {
  host: string;
  port: number;
  pages: Router;
}): Promise<{ port: number; close: () => Promise<void> }> {
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/p', (request, response, next) => traceRequest(`${request.method} /p`, request, response, next));
  app.use('/p', options.pages);
  const server = createServer(app);
  // Everything here is read from the store in milliseconds.
  server.requestTimeout = 15_000;
  server.headersTimeout = 10_000;
  server.listen(options.port, options.host);
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
