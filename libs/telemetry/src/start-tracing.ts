import type { Logger } from './logger';

/** Tracing that was started. */
export interface Tracing {
  /** Sends what is pending, for three seconds at most. */
  close: () => Promise<void>;
}

interface TracingEnv {
  /** Base address of an OTLP/HTTP collector, e.g. http://collector:4318; unset = no traces, nothing loaded. */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
}

const nothing: Tracing = { close: () => Promise.resolve() };

/** Starts to export the spans of this process when the environment names a collector. Before anything that makes spans. */
export async function startTracing(
  service: string,
  log: Logger,
  env: TracingEnv = process.env as TracingEnv,
): Promise<Tracing> {
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint) return nothing;
  const { startOtlpTracing } = await import('./otlp-tracing');
  return { close: startOtlpTracing(service, endpoint, log) };
}
