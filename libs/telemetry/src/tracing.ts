import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  context as contexts,
  propagation,
  trace,
  type Attributes,
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

/** The trace of the work that runs now, where none was handed on: set by the nearest `inSpan` around it. */
export const activeTrace = (): Context => contexts.active();

/**
 * `traceparent` of the work that runs now, to be stored with what continues it later (an outbox entry, a delivery);
 * undefined when nothing is traced. Give it back to `extractTrace({ traceparent })`.
 */
export const activeTraceparent = (): string | undefined => injectTrace(activeTrace())['traceparent'];

/** The trace that was stored with `activeTraceparent`. */
export const storedTrace = (traceparent: string | undefined): Context =>
  extractTrace(traceparent ? { traceparent } : {});

/** Whether this process exports spans. */
export const isTracing = (): boolean => propagation.fields().length > 0;

/** Runs `work` inside a span that ends with it; `work` gets the context to pass on. */
export async function inSpan<T>(
  name: string,
  kind: SpanKind,
  parent: Context,
  work: (context: Context) => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const span = trace.getTracer('invoicing').startSpan(name, { kind, attributes }, parent);
  if (!span.isRecording()) return work(parent);
  const context = trace.setSpan(parent, span);
  try {
    return await contexts.with(context, () => work(context));
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.recordException(error as Error);
    throw error;
  } finally {
    span.end();
  }
}

/** A span for work that tells its beginning and end by events; undefined when nothing around it is traced. Call the answer once. */
export function beginSpan(name: string, kind: SpanKind, attributes: Attributes): ((error?: Error) => void) | undefined {
  const parent = contexts.active();
  if (!trace.getSpan(parent)?.isRecording()) return undefined;
  const span = trace.getTracer('invoicing').startSpan(name, { kind, attributes }, parent);
  return (error) => {
    if (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.recordException(error);
    }
    span.end();
  };
}

/**
 * Runs work that belongs to no one request (a worker's rounds) outside the trace of whoever woke it: timers made inside a trace would
 * keep it for ever.
 */
export const outsideTrace = <T>(work: () => T): T => contexts.with(ROOT_CONTEXT, work);

/** A span around everything that `next` begins for an HTTP request, until its answer is out. `name` must not hold tokens. */
export function traceRequest(
  name: string,
  request: { headers: Record<string, string | string[] | undefined> },
  response: { statusCode: number; once: (event: 'close', listener: () => void) => unknown },
  next: () => void,
): void {
  const { traceparent } = request.headers;
  const parent = storedTrace(typeof traceparent === 'string' ? traceparent : undefined);
  const span = trace.getTracer('invoicing').startSpan(name, { kind: SpanKind.SERVER }, parent);
  if (!span.isRecording()) return next();
  response.once('close', () => {
    span.setAttribute('http.response.status_code', response.statusCode);
    span.end();
  });
  contexts.with(trace.setSpan(parent, span), next);
}
