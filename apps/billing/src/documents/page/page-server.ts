import { createServer } from 'node:http';
import express, { type Router } from 'express';
import { listen, type Listening } from '@invoicing/service';
import { traceRequest } from '@invoicing/telemetry';

/** Serves the public pages; the gateway passes `/p/*` through to it. */
export function servePages({ pages, ...address }: { host: string; port: number; pages: Router }): Promise<Listening> {
  const app = express().disable('x-powered-by').disable('etag');
  app.use('/p', (request, response, next) => traceRequest(`${request.method} /p`, request, response, next));
  app.use('/p', pages);
  // Everything here is read from the store in milliseconds.
  return listen(createServer({ requestTimeout: 15_000, headersTimeout: 10_000 }, app), address);
}
