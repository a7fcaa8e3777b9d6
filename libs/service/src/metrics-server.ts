import { createServer } from 'node:http';
import { collectDefaultMetrics } from 'prom-client';
import { metricsRegistry } from '@invoicing/telemetry';
import { listen, type Listening } from './listen';

/** Serves `/metrics` (Prometheus text) on a private port, with the event loop's delay and memory of the process. */
export function startMetricsServer(host: string, port: number): Promise<Listening> {
  collectDefaultMetrics();
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metricsRegistry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metricsRegistry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return listen(server, { host, port });
}
