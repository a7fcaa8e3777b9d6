import { InvoicingClient } from './invoicing-client';
import { verifyWebhook } from './verify-webhook';

const BASE = { baseUrl: 'https://invoicing.example' };
const environment = { ...process.env };
afterEach(() => void (process.env = { ...environment }));

test.each([
  [{ ...BASE, apiKey: 'sk_live_1' }, /apiKey must begin with ik_live_ or ik_test_/],
  [{ ...BASE, apiKey: '' }, /and is empty/],
  [{}, /there is no address: pass baseUrl/],
  [{ baseUrl: 'invoicing.example' }, /absolute http or https/],
  [{ baseUrl: 'https://invoicing.example/api/v1/' }, /must not end with/],
  [{ ...BASE, maxRetries: -1 }, /maxRetries must be a number, 0 or more/],
  [{ ...BASE, timeoutMs: Number.NaN }, /timeoutMs/],
])('options that cannot be right are refused at once: %j', (options, reason) => {
  expect(() => new InvoicingClient(options)).toThrow(reason);
});

test('what is not passed comes from the environment', async () => {
  process.env['INVOICING_API_KEY'] = 'ik_test_env';
  process.env['INVOICING_BASE_URL'] = 'https://env.example/';
  const asked: [string, unknown][] = [];
  const fetch = (url: unknown, init?: RequestInit) => {
    asked.push([String(url), (init?.headers as Record<string, string>)['authorization']]);
    return Promise.resolve(Response.json({ data: [] }));
  };
  await new InvoicingClient({ fetch }).customers.list();
  expect(asked).toEqual([['https://env.example/api/v1/customers', 'Bearer ik_test_env']]);
});

test('a call that needs a key says that there is none; one that needs none goes', async () => {
  delete process.env['INVOICING_API_KEY'];
  const client = new InvoicingClient({
    ...BASE,
    fetch: () => Promise.resolve(Response.json({ data: { status: 'ok' } })),
  });
  await expect(client.me()).rejects.toThrow(/pass apiKey, or set INVOICING_API_KEY/);
  expect(await client.health()).toEqual({ status: 'ok' });
});

test('each attempt that is made again is told', async () => {
  const answers = [Response.json({ error: 'unavailable' }, { status: 501, headers: { 'retry-after': '0' } })];
  const told: unknown[] = [];
  const client = new InvoicingClient({
    ...BASE,
    apiKey: 'ik_test_x',
    fetch: () => Promise.resolve(answers.shift() ?? Response.json({ data: {} })),
    onRetry: ({ method, path, attempt, waitMs, error }) => told.push([method, path, attempt, waitMs, error.name]),
  });
  await client.me();
  expect(told).toEqual([['GET', '/api/v1/me', 1, 0, 'InvoicingError']]);
});

test('a secret that is not set is a mistake of the receiver, not a forged message', async () => {
  await expect(verifyWebhook('{}', {}, undefined)).rejects.toThrow(/there is no webhook secret/);
});
