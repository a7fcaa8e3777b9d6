import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { InvoicingClient } from './invoicing-client';
import { InvoicingConnectionError, InvoicingError } from './errors';

interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

let seen: Seen[];
let answers: Answer[];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    (answers.shift() ?? json(500, { error: 'generic' }))(response);
  });
});
let baseUrl: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
});
beforeEach(() => {
  seen = [];
  answers = [];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const client = (options: Partial<ConstructorParameters<typeof InvoicingClient>[0]> = {}): InvoicingClient =>
  new InvoicingClient({ apiKey: 'ik_test_x', baseUrl: `${baseUrl}/`, ...options });

const customer = { id: 'c1', name: 'Jan' };
const keys = (): unknown[] => seen.map(({ headers }) => headers['idempotency-key']);

test('sends the key and the body, and unwraps data', async () => {
  answers = [json(201, { data: customer })];
  await expect(client().customers.create({ name: 'Jan' })).resolves.toEqual(customer);
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/customers', body: '{"name":"Jan"}' });
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer ik_test_x', 'content-type': 'application/json' });
});

test('each creation has an idempotency key of its own, and reads have none', async () => {
  answers = [json(201, { data: customer }), json(201, { data: customer }), json(200, { data: [] })];
  await client().customers.create({ name: 'Jan' });
  await client().customers.create({ name: 'Jan' });
  await client().customers.list();
  const [first, second, third] = keys();
  expect(first).toMatch(/^[0-9a-f-]{36}$/);
  expect(second).not.toBe(first);
  expect(third).toBeUndefined();
});

test('a broken connection and a 500 are tried again under the same key', async () => {
  answers = [(response) => response.destroy(), json(500, { error: 'generic' }), json(201, { data: customer })];
  await expect(client().customers.create({ name: 'Jan' })).resolves.toEqual(customer);
  expect(seen).toHaveLength(3);
  expect(new Set(keys()).size).toBe(1);
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
});

test('a given key is used', async () => {
  answers = [json(201, { data: customer })];
  await client().customers.create({ name: 'Jan' }, { idempotencyKey: 'order-4711' });
  expect(keys()).toEqual(['order-4711']);
});

test('a dry run says so, needs no key, and answers what is made up beside the data', async () => {
  answers = [json(200, { data: customer, dryRun: true, examples: ['/data/id'] })];
  await expect(client().customers.dryRun({ name: 'Jan' })).resolves.toMatchObject({
    data: customer,
    examples: ['/data/id'],
  });
  expect(seen[0]!.headers['dry-run']).toBe('true');
  expect(keys()).toEqual([undefined]);
});

test('waits as long as Retry-After says', async () => {
  answers = [json(429, { error: 'rate_limited' }, { 'retry-after': '1' }), json(200, { data: [customer] })];
  const startedAt = Date.now();
  await expect(client().customers.list()).resolves.toEqual([customer]);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(990);
});

test('a Retry-After beyond the bound ends the call with its error', async () => {
  answers = [json(429, { error: 'rate_limited' }, { 'retry-after': '90' })];
  const failure = await client()
    .customers.list()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 90 });
  expect(seen).toHaveLength(1);
});

test('a creation that still runs is asked for again; a conflict is not', async () => {
  answers = [json(409, { error: 'idempotency_in_flight' }, { 'retry-after': '0' }), json(201, { data: customer })];
  await expect(client().customers.create({ name: 'Jan' })).resolves.toEqual(customer);
  answers = [json(409, { error: 'idempotency_conflict' })];
  await expect(client().customers.create({ name: 'Jan' })).rejects.toMatchObject({ code: 'idempotency_conflict' });
  expect(seen).toHaveLength(3);
});

test('a refusal is a typed error with all violations and the request id', async () => {
  const details = [{ path: '/lines/0/quantity', message: 'must be number' }];
  answers = [json(400, { error: 'validation', details }, { 'x-request-id': 'r-1' })];
  const failure = await client()
    .invoices.create({ customerId: 'c1', lines: [] })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InvoicingError);
  expect(failure).toMatchObject({ code: 'validation', status: 400, details, requestId: 'r-1' });
  expect(String(failure)).toContain('/lines/0/quantity must be number');
});

test('retries end', async () => {
  const failure = await client({ maxRetries: 2 })
    .me()
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'generic', status: 500 });
  expect(seen).toHaveLength(3);
});

test('an answer that is not the service’s own is an error, too', async () => {
  answers = [(response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>')];
  await expect(client().me()).rejects.toMatchObject({ code: 'generic', status: 404, details: [] });
});

test('no answer in time is a connection error', async () => {
  answers = [() => undefined];
  const failure = await client({ timeoutMs: 50, maxRetries: 0 })
    .me()
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InvoicingConnectionError);
  expect(String(failure)).toContain('no answer within 50 ms');
});

test('the caller can give up, during an attempt and between two', async () => {
  answers = [() => undefined];
  await expect(client().me({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
  answers = [json(429, { error: 'rate_limited' }, { 'retry-after': '30' })];
  await expect(client().me({ signal: AbortSignal.timeout(50) })).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('degraded health is an answer', async () => {
  const health = { status: 'degraded', version: '1' };
  answers = [json(503, { data: health })];
  await expect(client().health()).resolves.toEqual(health);
});
