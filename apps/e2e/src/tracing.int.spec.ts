import { randomBytes } from 'node:crypto';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { openChannel } from '@invoicing/rpc';
import { startTraceCollector, testCall, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';
import { startReceiver } from './webhook-receiver';

// One trace from an integrator's request through gRPC, store and broker to the consumer, and one from a payment to a webhook.

jest.setTimeout(120_000);

let collector: Awaited<ReturnType<typeof startTraceCollector>>;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let platform: RunningPlatform;
let api: Api;
let organizationId: string;
let invoiceId: string;

beforeAll(async () => {
  collector = await startTraceCollector();
  receiver = await startReceiver();
  platform = await RunningPlatform.start({
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '200' },
  });
  organizationId = (await platform.admin('org', 'create', '--name', 'Bakkerij De Zon', '--mode', 'test'))['id']!;
  await platform.admin('webhook', 'create', '--org', organizationId, '--url', receiver.url);
  const { key } = await platform.admin('key', 'create', '--org', organizationId, '--scopes', 'all');
  api = new Api(platform.url, key);
});

afterAll(async () => {
  receiver?.close();
  await platform?.close();
  await collector?.close();
});

const spansOf = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId);
const namesOf = (traceId: string) => spansOf(traceId).map(({ service, name }) => `${service}: ${name}`);

test('an integrator’s own trace goes on through the services, the store and the broker', async () => {
  const traceId = randomBytes(16).toString('hex');
  const traceparent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
  const customer = await api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Jan' });
  const body = { customerId: customer.body.data.id, lines: [{ unitPriceCents: 100 }], send: true };
  const issued = await api.post<{ data: { id: string } }>('/api/v1/invoices', body, { traceparent });
  expect(issued.status).toBe(201);
  invoiceId = issued.body.data.id;

  await waitFor(() => namesOf(traceId).includes('notification: consume invoice.issued'), 15_000);
  const names = await waitFor(() => {
    const found = namesOf(traceId);
    return found.includes('billing: insert invoices') && found.includes('gateway: createInvoice') && found;
  }, 15_000);
  expect(names).toEqual(
    expect.arrayContaining([
      'gateway: /invoicing.billing.v1.Invoices/CreateInvoice',
      'billing: /invoicing.billing.v1.Invoices/CreateInvoice',
      'billing: insert invoices',
    ]),
  );
  // Nothing that an operator's tracing backend must not hold.
  expect(JSON.stringify(spansOf(traceId))).not.toMatch(/Jan|ik_test_/);
});

test('a payment and the webhook that tells of it are one trace, which the receiver can continue', async () => {
  const { addresses, tokens } = platform.state();
  const channel = openChannel(addresses['billing']!, { token: tokens['admin']!, tokenHashes: new Map() });
  await channel.client(InvoicesService).recordPayment(
    {
      organizationId,
      invoiceId,
      payment: { provider: 'bank', method: 'transfer', id: 'p-1', amountCents: 121, paidAt: new Date() },
    },
    testCall(),
  );
  channel.close();
  const hook = await waitFor(() => receiver.received[0], 15_000);
  const [, traceId] = String(hook.headers['traceparent']).split('-');
  const names = await waitFor(() => {
    const found = namesOf(traceId!);
    return (
      found.includes('notification: POST webhook') && found.includes('notification: consume invoice.paid') && found
    );
  }, 15_000);
  expect(names).toContain('billing: /invoicing.billing.v1.Invoices/RecordPayment');
});
