import { DiagLogLevel, context, diag, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Logger } from './logger';

// Loaded by start-tracing.ts only when an endpoint is set: the SDK costs several megabytes.

const EXPORT_MS = 3_000;
const SHUTDOWN_MS = 3_000;

/** Registers exporter, W3C propagation and the active context for this process; answers what sends the rest and undoes it. */
export function startOtlpTracing(service: string, endpoint: string, log: Logger): () => Promise<void> {
  diag.setLogger(
    {
      error: (message) => log.warn({ reason: message.slice(0, 500) }, 'traces cannot be exported'),
      warn: () => undefined,
      info: () => undefined,
      debug: () => undefined,
      verbose: () => undefined,
    },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  );
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'invoicing' }),
    spanProcessors: [
      // The exporter reads OTEL_EXPORTER_OTLP_HEADERS (credentials of the collector) itself.
      new BatchSpanProcessor(
        new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces`, timeoutMillis: EXPORT_MS }),
      ),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return async () => {
    // A collector that does not answer must not delay a stop.
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, SHUTDOWN_MS)));
    await Promise.race([provider.shutdown().catch((error: unknown) => log.warn({ error }, 'traces were lost')), late]);
    clearTimeout(timer);
    trace.disable();
    propagation.disable();
    context.disable();
  };
}
