import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { verifyWebhook } from '@invoicing/sdk';
import { tempFolder, waitFor } from '@invoicing/testing';
import { RunningPlatform } from './running-platform';
import { startReceiver } from './webhook-receiver';

jest.setTimeout(180_000);

const ROOT = resolve(__dirname, '../../..');
const folder = tempFolder();
const cli = join(folder.path, 'bin/invoicing.cjs');
let platform: RunningPlatform;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let env: NodeJS.ProcessEnv;
const running: ChildProcess[] = [];

interface Quickstart {
  organization: string;
  key: string;
}

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'libs/sdk/build.mjs'), folder.path], { cwd: ROOT });
  platform = await RunningPlatform.start({ env: { RATE_LIMIT_PER_MINUTE: '1000' } });
  receiver = await startReceiver();
  const made = await platform.admin<Quickstart>('quickstart', '--url', 'http://127.0.0.1:9/hooks');
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
  for (const event of ['invoice.issued', 'invoice.paid', 'payment.refunded', 'checkout.expired', 'invoice.overdue'])
    expect((await run('trigger', event)).stdout).toMatch(new RegExp(`^${event}: `));
  const typesOf = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  const wanted = [
    'invoice.issued',
    'checkout.paid',
    'invoice.paid',
    'payment.refunded',
    'checkout.expired',
    'invoice.overdue',
  ];
  await waitFor(() => wanted.every((type) => typesOf().includes(type)), 40_000).catch((error: unknown) => {
    throw new Error(`only ${typesOf().join(', ')}; said: ${listening()}`, { cause: error });
  });
  for (const { body, headers } of receiver.received)
    expect(await verifyWebhook(body, headers as Record<string, string>, secret)).toHaveProperty('type');
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(new Set(ids).size).toBe(ids.length);
  await waitFor(() => / POST {2}\/api\/v1\/invoices {2}201 /.test(logs()), 20_000);
});

test('what cannot work is said in a sentence', async () => {
  await expect(run('listen')).rejects.toThrow(/listen needs --forward-to URL/);
  await expect(run('trigger', 'moon.landed')).rejects.toThrow(/trigger needs one of invoice\.issued/);
  await expect(run('logs', '--api-key', 'ik_live_x')).rejects.toThrow(/test organisation/);
  await expect(run('logs', '--api-key', 'ik_test_x')).rejects.toThrow(/answered 401/);
});
