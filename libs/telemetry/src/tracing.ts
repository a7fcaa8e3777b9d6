import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  propagation,
  trace,
  type Context,
  type Span,
} from '@opentelemetry/api';

export { SpanKind, ROOT_CONTEXT, type Context, type Span };

/** Headers or metadata as a plain record; W3C `traceparent` travels in it through HTTP, gRPC and NATS. */
export type Carrier = Record<string, string>;

/** The trace that an incoming message belongs to. Without an exporter this is free and empty. */
export const extractTrace = (carrier: Carrier): Context => propagation.extract(ROOT_CONTEXT, carrier);

/** What an outgoing message must carry to stay in the trace. */
export function injectTrace(context: Context): Carrier {
  const carrier: Carrier = {};
  propagation.inject(context, carrier);
  return carrier;
}

/** Runs `work` inside a span that ends with it; `work` gets the context to pass on. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  parent: Context,
  work: (context: Context) => Promise<T>,
): Promise<T> {
  const span = trace.getTracer('invoicing').startSpan(name, { kind }, parent);
  if (!span.isRecording()) return work(parent);
  try {
    return await work(trace.setSpan(parent, span));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.recordException(error as Error);
    throw error;
  } finally {
    span.end();
  }
}
