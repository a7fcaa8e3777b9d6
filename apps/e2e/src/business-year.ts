import { setTimeout } from 'node:timers/promises';
import { waitFor } from '@invoicing/testing';
import type { Answer, Api } from './api';
import { payAt, startPaying } from './payer';
import type { RunningPlatform } from './running-platform';
import type { startReceiver } from './webhook-receiver';

interface Made {
  readonly data: {
    readonly id: string;
    readonly number: string;
    readonly emailed: boolean;
    readonly emailError: string;
  };
}
interface Checkout {
  readonly data: { readonly id: string; readonly url: string };
}
interface Business {
  readonly platform: RunningPlatform;
  readonly organizationId: string;
  readonly api: Api;
  readonly platformApi: Api;
  readonly received: Awaited<ReturnType<typeof startReceiver>>['received'];
}

/**
 * A year of one test organisation's business, with every fault that there is a scenario for: a monthly subscription, invoices, letters and
 * checkouts. Answers the state that it ends in, without what differs by chance (ids, tokens, moments).
 */
export async function liveThroughAYear(business: Business): Promise<unknown> {
  const { platform, organizationId, api, platformApi } = business;
  const year = new Date().getUTCFullYear() + 1;
  await platform.admin('clock', 'set', '--org', organizationId, '--at', `${year}-01-04T09:00:00Z`);
  await platformApi.post('/api/v1/credits', { orgId: organizationId, credits: 5 });
  const customerId = await customerOf(api);
  const line = { description: 'Advice', quantity: 1, unitPriceCents: 10_000 };
  const invoice = { customerId, lines: [line], send: true };
  await api.post('/api/v1/subscriptions', {
    ...{ customerId, freq: 'monthly', startDate: `${year}-01-05`, autoSendEmail: true },
    lines: [{ description: 'Subscription', quantity: 1, unitPriceCents: 2_500 }],
  });
  await faultsOfInvoices(business, invoice);
  await faultsOfCheckouts(business, line);
  for (let month = 1; month <= 11; month++) await throughMonth(business, month);
  return stateOf(business);
}

async function customerOf(api: Api): Promise<string> {
  const address = { addressLine1: 'Dorpsstraat 1', postalCode: '1234 AB', city: 'Ons Dorp', countryCode: 'NL' };
  const { body } = await api.post<Made>('/api/v1/customers', { name: 'Piet', email: 'piet@example.nl', ...address });
  return body.data.id;
}

const under = (scenario: string, key: string = scenario) => ({ 'test-scenario': scenario, 'idempotency-key': key });

async function faultsOfInvoices({ api, platform, organizationId }: Business, invoice: object): Promise<void> {
  const create = (headers: Record<string, string>): Promise<Answer<Made>> =>
    api.post<Made>('/api/v1/invoices', invoice, headers);

  const unsent = await create(under('smtp_down'));
  expect(unsent.body.data).toMatchObject({ emailed: false, emailError: 'smtp_unavailable' });
  expect((await create(under('webhook_500'))).status).toBe(201);

  await expect(create(under('crash_after_commit'))).rejects.toThrow();
  const again = await create(under('crash_after_commit'));
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null]);
  const replayed = await create(under('crash_after_commit'));
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(replayed.body.data.id).toBe(again.body.data.id);

  const startedAt = performance.now();
  expect((await create(under('slow_5s'))).status).toBe(201);
  expect(performance.now() - startedAt).toBeGreaterThan(5_000);

  const refused = await create(under('store_unavailable'));
  expect([refused.status, refused.body]).toEqual([501, { error: 'unavailable' }]);
  expect((await create({ 'idempotency-key': 'store_unavailable' })).status).toBe(201);

  await platform.admin('invoice', 'post', again.body.data.id);
  await advance(api, 'PT10M');
  await waitFor(async () => {
    const mails = await platform.admin<{ status: string; invoiceId: string }[]>(
      'mail',
      'list',
      '--org',
      organizationId,
    );
    return mails.filter(({ status }) => status === 'sent').length === 5;
  });
}

async function faultsOfCheckouts({ api }: Business, line: object): Promise<void> {
  const open = async (scenario: string): Promise<string> => {
    const made = await api.post<Checkout>('/api/v1/checkouts', { title: scenario, lines: [line] }, under(scenario));
    return startPaying(made.body.data.url, { name: 'Ann Payer', email: 'ann@example.nl' });
  };
  const statuses = async () => {
    const { body } = await api.get<{ data: { title: string; status: string }[] }>('/api/v1/checkouts');
    return Object.fromEntries(body.data.map(({ title, status }) => [title, status]));
  };
  // Its invoice follows by itself: the clock may not move before, or it would have the date of another day.
  const isInvoiced = async (count: number): Promise<boolean> => {
    const { body } = await api.get<{ data: { status: string }[] }>('/api/v1/invoices');
    return body.data.filter(({ status }) => status === 'paid').length === count;
  };
  await payAt(await open('payment_declined'));
  await payAt(await open('callback_twice'));
  await waitFor(async () => (await statuses())['callback_twice'] === 'paid' && isInvoiced(1));
  await payAt(await open('callback_lost'));
  // Nobody told: it is found by asking, which comes sooner by the clock.
  await advance(api, 'PT1H');
  await waitFor(async () => (await statuses())['callback_lost'] === 'paid' && isInvoiced(2));
  await advance(api, 'P4D');
  await waitFor(async () => (await statuses())['payment_declined'] === 'expired');
}

/** One month on; the subscription's invoice of that month is there. */
async function throughMonth({ api }: Business, month: number): Promise<void> {
  await advance(api, 'P1M');
  await waitFor(async () => {
    const { body } = await api.get<{ data: { total_incl: number }[] }>('/api/v1/invoices');
    return body.data.filter(({ total_incl }) => total_incl === 3_025).length === month + 1;
  });
}

const advance = async (api: Api, by: string): Promise<void> =>
  expect((await api.post('/api/v1/sandbox/clock', { by })).status).toBe(201);

async function stateOf({ platform, organizationId, api, received }: Business): Promise<unknown> {
  const admin = <T>(...args: string[]): Promise<T> => platform.admin<T>(...args, '--org', organizationId);
  const count = (names: readonly string[]) =>
    Object.fromEntries([...new Set(names)].sort().map((name) => [name, names.filter((each) => each === name).length]));
  const events = () =>
    count([...new Map(received.map(({ headers, body }) => [headers['webhook-id'], body])).values()].map(typeOf));
  let before: string;
  do {
    before = JSON.stringify(events());
    await setTimeout(2_000);
  } while (JSON.stringify(events()) !== before);
  const invoices = (await api.get<{ data: Record<string, unknown>[] }>('/api/v1/invoices')).body.data;
  const { series } = await admin<{ series: { count: number; gapless: boolean; chainValid: boolean }[] }>(
    ...['numbers', 'verify'],
  );
  return {
    events: events(),
    invoices: invoices.map(({ number, issue_date, total_incl, status, open_cents }) => [
      ...[number, issue_date, total_incl, status, open_cents],
    ]),
    series: series.map(({ count: length, gapless, chainValid }) => ({ length, gapless, chainValid })),
    mails: count((await admin<{ status: string }[]>('mail', 'list')).map(({ status }) => status)),
    credits: await admin('credits', 'balance'),
    checkouts: count(
      (await api.get<{ data: { status: string }[] }>('/api/v1/checkouts')).body.data.map(({ status }) => status),
    ),
  };
}

const typeOf = (body: string): string => (JSON.parse(body) as { type: string }).type;
