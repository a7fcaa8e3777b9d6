import { numberingBatchSize } from '@invoicing/telemetry';
import { startMetricsServer } from './metrics-server';

test('serves what was counted, the event loop and nothing else', async () => {
  const server = await startMetricsServer('127.0.0.1', 0);
  try {
    numberingBatchSize.observe(3);
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    const text = await answer.text();
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
    expect(text).toContain('numbering_batch_size_bucket{le="4"} 1');
    expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
    expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(404);
  } finally {
    await server.close();
  }
});
