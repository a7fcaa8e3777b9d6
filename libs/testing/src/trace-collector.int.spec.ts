import {
  ROOT_CONTEXT,
  SpanKind,
  activeTrace,
  activeTraceparent,
  createLogger,
  extractTrace,
  inSpan,
  injectTrace,
  startTracing,
  storedTrace,
} from '@invoicing/telemetry';
import { startTraceCollector } from './trace-collector';

// libs/telemetry's tracing against the collector: here because nothing below libs/testing may import it.

let collector: Awaited<ReturnType<typeof startTraceCollector>>;
beforeEach(async () => (collector = await startTraceCollector()));
afterEach(() => collector.close());

const log = createLogger('test', 'silent');

test('without an endpoint nothing is recorded and nothing travels', async () => {
  const tracing = await startTracing('test', log, {});
  const carried = await inSpan('work', SpanKind.SERVER, ROOT_CONTEXT, async (context) => injectTrace(context));
  expect(carried).toEqual({});
  expect(activeTraceparent()).toBeUndefined();
  await tracing.close();
});

test('one trace goes through messages and storage, and closing sends it', async () => {
  const tracing = await startTracing('billing', log, { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });

  const stored = await inSpan('POST /api/v1/invoices', SpanKind.SERVER, ROOT_CONTEXT, async (context) => {
    const carrier = injectTrace(context);
    expect(carrier['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
    return inSpan('rpc', SpanKind.CLIENT, extractTrace(carrier), async () => {
      // Across an await the active trace is still this span's.
      await new Promise((resolve) => setTimeout(resolve, 1));
      return activeTraceparent();
    });
  });
  const failed = inSpan('webhook', SpanKind.CONSUMER, storedTrace(stored), async () => {
    await inSpan('store', SpanKind.CLIENT, activeTrace(), async () => undefined);
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  await tracing.close();

  const named = Object.fromEntries(collector.spans.map((span) => [span.name, span]));
  expect(Object.keys(named).sort()).toEqual(['POST /api/v1/invoices', 'rpc', 'store', 'webhook']);
  expect(new Set(collector.spans.map((span) => span.traceId)).size).toBe(1);
  expect(new Set(collector.spans.map((span) => span.service))).toEqual(new Set(['billing']));
  const parentOf = (name: string) => collector.spans.find((span) => span.spanId === named[name]?.parentSpanId)?.name;
  expect(['rpc', 'webhook', 'store'].map(parentOf)).toEqual(['POST /api/v1/invoices', 'rpc', 'webhook']);
  expect(named['webhook']?.status.code).toBe(2);
});

test('a collector that does not answer delays a stop by three seconds at most and breaks nothing', async () => {
  const tracing = await startTracing('billing', log, { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
  await expect(inSpan('work', SpanKind.SERVER, ROOT_CONTEXT, async () => 'done')).resolves.toBe('done');
  const startedAt = Date.now();
  await tracing.close();
  expect(Date.now() - startedAt).toBeLessThan(10_000);
});
