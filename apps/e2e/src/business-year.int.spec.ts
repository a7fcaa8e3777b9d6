import { Api } from './api';
import { liveThroughAYear } from './business-year';
import { RunningPlatform } from './running-platform';
import { startReceiver } from './webhook-receiver';
import { eventTypes } from '@invoicing/rules';

jest.setTimeout(400_000);

let platform: RunningPlatform;
let platformApi: Api;
const receivers: Awaited<ReturnType<typeof startReceiver>>[] = [];

beforeAll(async () => {
  platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '10000', PAGE_RATE_LIMIT_PER_MINUTE: '10000' },
  });
  platformApi = new Api(platform.url, (await platform.admin('key', 'create', '--platform'))['key']);
}, 120_000);
afterAll(async () => {
  for (const receiver of receivers) receiver.close();
  await platform?.close();
});

async function business(mode: 'test' | 'live' = 'test') {
  const { id: organizationId } = await platform.admin<{ id: string }>(
    ...['org', 'create', '--name', 'Bakkerij De Zon', '--mode', mode, '--btw-id', 'NL001234567B01'],
    ...['--iban', 'NL91ABNA0417164300', '--address-line1', 'Zonnestraat 12', '--postal-code', '3512 AB'],
    ...['--city', 'Utrecht'],
  );
  const { key } = await platform.admin<{ key: string }>('key', 'create', '--org', organizationId, '--scopes', 'all');
  const receiver = await startReceiver();
  receivers.push(receiver);
  const events = eventTypes.join(',');
  await platform.admin('webhook', 'create', '--org', organizationId, '--url', receiver.url, '--events', events);
  if (mode === 'test') await platform.admin('provider', 'connect', '--org', organizationId, '--provider', 'sandbox');
  return { platform, organizationId, api: new Api(platform.url, key), platformApi, received: receiver.received };
}

test('a year with every fault passes in moments, twice with the same end, and nobody else notices', async () => {
  const [first, second, bystander] = [await business(), await business(), await business()];
  const customer = await bystander.api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Calm' });
  const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000).toISOString().slice(0, 10);
  await bystander.api.post('/api/v1/subscriptions', {
    ...{ customerId: customer.body.data.id, freq: 'weekly', startDate: inTwoWeeks, autoSendEmail: true },
    lines: [{ description: 'Bread', unitPriceCents: 100 }],
  });

  const [one, other] = await Promise.all([liveThroughAYear(first), liveThroughAYear(second)]);
  expect(one).toEqual(other);
  expect(one).toMatchObject({
    series: [{ gapless: true, chainValid: true }],
    checkouts: { paid: 2, expired: 1 },
    credits: { balance: 4 },
  });
  const { events } = one as { events: Record<string, number> };
  expect(events).toMatchObject({ 'subscription.invoiced': 12, 'checkout.paid': 2, 'checkout.expired': 1 });
  expect(events['invoice.overdue']).toBeGreaterThan(10);
  expect((await bystander.api.get<{ data: unknown[] }>('/api/v1/invoices')).body.data).toEqual([]);
  expect(bystander.received).toEqual([]);
});

test('a live organisation has neither a clock nor scenarios', async () => {
  const { api, organizationId } = await business('live');
  const moved = await api.post('/api/v1/sandbox/clock', { by: 'P1M' });
  expect([moved.status, moved.body]).toEqual([403, { error: 'test_only' }]);
  for (const type of ['invoice.credited', 'mail.failed']) {
    const caused = await api.post('/api/v1/sandbox/events', { type, invoiceId: organizationId });
    expect([caused.status, caused.body]).toEqual([403, { error: 'test_only' }]);
  }
  await expect(platform.admin('clock', 'advance', '--org', organizationId, '--by', 'P1D')).rejects.toThrow('test_only');
  const invoice = await api.post('/api/v1/customers', { name: 'Live' }, { 'test-scenario': 'slow_5s' });
  expect([invoice.status, invoice.body]).toMatchObject([
    400,
    { error: 'validation', details: [{ message: 'header Test-Scenario is for test organisations only' }] },
  ]);
});

test('a clock says what is wrong with a move, tries it out, and goes back to real time', async () => {
  const { api } = await business();
  const move = (body: object, headers = {}) =>
    api.post<{ data: { aheadMs: number } }>('/api/v1/sandbox/clock', body, headers);
  for (const [body, path] of [
    [{}, ''],
    [{ by: 'P1D', at: '2099-01-01T00:00:00Z' }, ''],
    [{ by: 'soon' }, '/by'],
    [{ at: '2001-01-01T00:00:00Z' }, '/at'],
  ] as const)
    expect([body, await move(body)]).toMatchObject([body, { status: 400, body: { details: [{ path }] } }]);
  const tried = await move({ by: 'P1D' }, { 'dry-run': 'true' });
  expect(tried.body.data.aheadMs).toBeGreaterThan(86_000_000);
  expect((await api.get<{ data: { aheadMs: number } }>('/api/v1/sandbox/clock')).body.data.aheadMs).toBe(0);
  const key = { 'idempotency-key': 'once' };
  expect((await move({ by: 'P1D' }, key)).body.data.aheadMs).toBe((await move({ by: 'P1D' }, key)).body.data.aheadMs);
  expect((await move({ real: true })).body.data.aheadMs).toBe(0);
  const unknown = await api.post('/api/v1/customers', { name: 'X' }, { 'test-scenario': 'earthquake' });
  expect(unknown).toMatchObject({ status: 400, body: { error: 'validation' } });
});
