import { Counter, Histogram } from 'prom-client';

export { Counter, Gauge, Histogram, register as metricsRegistry } from 'prom-client';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800, 7_200, 86_400];

/** Latency of gRPC methods served, by method and status code. */
export const rpcDuration = new Histogram({
  name: 'rpc_server_duration_seconds',
  help: 'Duration of gRPC calls served',
  labelNames: ['method', 'code'],
  buckets: SECONDS,
});

/** Latency of HTTP requests served, by route template, method and status. */
export const httpDuration = new Histogram({
  name: 'http_server_duration_seconds',
  help: 'Duration of HTTP requests served',
  labelNames: ['method', 'route', 'status'],
  buckets: SECONDS,
});

/** From the change that an event tells of to the moment its consumer has settled it, by event type: outbox and broker together. */
export const eventLag = new Histogram({
  name: 'event_lag_seconds',
  help: 'Time from an event to its settlement by the consumer',
  labelNames: ['type'],
  buckets: LAG_SECONDS,
});

/** From the moment a webhook delivery was written down to the attempt that arrived; retries included. */
export const deliveryLag = new Histogram({
  name: 'webhook_delivery_lag_seconds',
  help: 'Time from a webhook delivery to its success',
  buckets: LAG_SECONDS,
});

/** Errors that nobody caught: each is a fault of ours. What a process does then: libs/service/src/run-process.ts. */
export const uncaughtErrors = new Counter({
  name: 'process_uncaught_errors_total',
  help: 'Exceptions and rejections that nobody caught',
  labelNames: ['kind'],
});

/** Invoices that shared one insert (group commit); 1 when nothing is concurrent, at most 64. */
export const numberingBatchSize = new Histogram({
  name: 'numbering_batch_size',
  help: 'Invoices numbered by one insert',
  buckets: [1, 2, 4, 8, 16, 32, 64],
});
