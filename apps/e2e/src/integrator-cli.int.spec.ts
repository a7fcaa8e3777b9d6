import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { verifyWebhook } from '@invoicing/sdk';
import { eventTypes } from '@invoicing/rules';
import { tempFolder, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';
import { startReceiver } from './webhook-receiver';

jest.setTimeout(180_000);

const ROOT = resolve(__dirname, '../../..');
const folder = tempFolder();
const cli = join(folder.path, 'bin/invoicing.cjs');
let platform: RunningPlatform;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let env: NodeJS.ProcessEnv;
let organization: string;
const running: ChildProcess[] = [];
const DRY: Record<string, string> = { 'dry-run': 'true' };

interface Quickstart {
  organization: string;
  key: string;
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'libs/sdk/build.mjs'), folder.path], { cwd: ROOT });
  platform = await RunningPlatform.start({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  receiver = await startReceiver();
  const made = await platform.admin<Quickstart>('quickstart', '--url', 'http://127.0.0.1:9/hooks');
  organization = made.organization;
  env = { ...process.env, INVOICING_BASE_URL: platform.url, INVOICING_API_KEY: made.key };
  delete env['INVOICING_WEBHOOK_SECRET'];
});
afterAll(async () => {
  for (const child of running.filter(({ exitCode }) => exitCode === null)) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  receiver?.close();
  await platform?.close();
  folder.remove();
});

/** Runs in the background; what it has said so far. */
function start(...args: string[]): () => string {
  const child = spawn(process.execPath, [cli, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  running.push(child);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  return () => said;
}
const run = (...args: string[]) => promisify(execFile)(process.execPath, [cli, ...args], { env });

test('webhooks of a test organisation come to a laptop, signed, and what programs ask is seen', async () => {
  const listening = start('listen', '--forward-to', receiver.url);
  const logs = start('logs', '--follow');
  const secret = await waitFor(() => /signing secret: (whsec_\S+)/.exec(listening())?.[1]);
  for (const event of eventTypes) expect((await run('trigger', event)).stdout).toMatch(new RegExp(`^${event}: `));
  const typesOf = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  await waitFor(() => eventTypes.every((type) => typesOf().includes(type)), 60_000).catch((error: unknown) => {
    throw new Error(`only ${typesOf().join(', ')}; said: ${listening()}`, { cause: error });
  });
  for (const { body, headers } of receiver.received)
    expect(await verifyWebhook(body, headers as Record<string, string>, secret)).toHaveProperty('type');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
  await waitFor(() => / POST {2}\/api\/v1\/invoices {2}201 /.test(logs()), 20_000);
});

test('only what an invoice allows happens to it, and only to one’s own; a dry run says so beforehand', async () => {
  const api = new Api(platform.url, env['INVOICING_API_KEY']);
  const make = async (path: string, body: object) =>
    (await api.post<{ data: { id: string } }>(`/api/v1/${path}`, body)).body.data.id;
  const customerId = await make('customers', { name: 'Jan Jansen' });
  const lines = [{ description: 'Advies', unitPriceCents: 10_000 }];
  const invoiceId = await make('invoices', { customerId, lines, send: true });
  const draft = await make('invoices', { customerId, lines });
  const foreign = await platform.admin<Quickstart>('quickstart', '--name', 'Slagerij De Maan');
  const { id: market } = await platform.admin('profile', 'create', '--org', organization, '--name', 'Markt');
  const ofMarket = ['--org', organization, '--profile', String(market), '--scopes', 'all'];
  const { key: restricted } = await platform.admin('key', 'create', ...ofMarket);
  const cause = async (type: string, by = api, id = invoiceId, headers: Record<string, string> = {}) => {
    const { status, body } = await by.post<{ data?: object; details?: { message: string }[] }>(
      '/api/v1/sandbox/events',
      { type, invoiceId: id },
      headers,
    );
    return [status, body.details?.map(({ message }) => message).join() ?? body.data];
  };
  const unfit: [string, string][] = [
    ['invoice.reminded', 'is not overdue: move the clock of the organisation first'],
    ['mail.failed', 'was not e-mailed'],
    ['peppol.delivered', expect.stringContaining('is no e-invoice') as string],
  ];
  for (const [type, why] of unfit)
    for (const headers of [{}, DRY])
      expect([type, ...(await cause(type, api, invoiceId, headers))]).toEqual([type, 400, why]);
  const none = [400, 'must be an issued invoice'];
  for (const type of ['invoice.credited', 'mail.failed']) {
    expect(await cause(type, api, draft)).toEqual(none);
    for (const key of [foreign.key, restricted]) expect(await cause(type, new Api(platform.url, key))).toEqual(none);
  }
  const credited = { type: 'invoice.credited', invoiceId };
  expect(await cause('invoice.credited', api, invoiceId, DRY)).toEqual([200, credited]);
  expect(await cause('invoice.credited')).toEqual([201, credited]);
  for (const headers of [{}, DRY])
    expect(await cause('invoice.credited', api, invoiceId, headers)).toEqual([400, 'everything is credited already']);
});

test('what cannot work is said in a sentence', async () => {
  await expect(run('listen')).rejects.toThrow(/listen needs --forward-to URL/);
  await expect(run('trigger', 'moon.landed')).rejects.toThrow(/trigger needs one of invoice\.issued/);
  await expect(run('logs', '--api-key', 'ik_live_x')).rejects.toThrow(/test organisation/);
  await expect(run('logs', '--api-key', 'ik_test_x')).rejects.toThrow(/answered 401/);
});
