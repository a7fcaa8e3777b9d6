import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// Processes as they are run: what an error that nobody caught does to them.

const ROOT = resolve(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'run-process-'));
const children: ChildProcess[] = [];

beforeAll(() => {
  const script = `import { bundle } from './tools/bundle.mjs';
    await bundle([{ in: 'libs/service/src/testing/fragile-process.ts', out: 'main' }], ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Until it is so; the test's own limit says when that takes too long. */
async function waitFor(probe: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await probe())) await sleep(20);
}

function launch(name: string, env: NodeJS.ProcessEnv = {}) {
  const child = fork(join(folder, 'main.js'), {
    env: { PATH: process.env['PATH'], NAME: name, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout?.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output };
}

async function start(name: string) {
  const { child, output } = launch(name);
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  await once(child, 'message');
  const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const lines = () =>
    output.out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { child, ask, lines };
}

const NAMES = ['gateway', 'billing', 'catalog', 'checkout', 'notification', 'application'];

test.each(NAMES)('%s serves on, says what it was, and counts it', async (name) => {
  const { child, ask, lines } = await start(name);
  expect(await ask('/metrics')).toContain('process_uncaught_errors_total{kind="exception"} 0');
  expect(await ask('/exception')).toBe('served');
  expect(await ask('/rejection')).toBe('served');
  await waitFor(() => lines().length === 2);
  expect(await ask('/')).toBe('served');
  expect(child.exitCode).toBeNull();
  const [exception, rejection] = lines();
  expect(exception).toMatchObject({ level: 'fatal', service: name, kind: 'exception' });
  expect(exception).toMatchObject({ error: { message: 'thrown in a request', cause: { message: 'its cause' } } });
  expect(rejection).toMatchObject({ level: 'fatal', kind: 'rejection', error: { cause: { message: 'its cause' } } });
  const metrics = await ask('/metrics');
  expect(metrics).toContain('process_uncaught_errors_total{kind="exception"} 1');
  expect(metrics).toContain('process_uncaught_errors_total{kind="rejection"} 1');
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each(['/exception', '/rejection'])('the store ends after %s, and says why', async (fault) => {
  const { child, ask, lines } = await start('store');
  const exited = once(child, 'exit');
  await ask(fault).catch(() => undefined);
  expect(await exited).toEqual([1, null]);
  await waitFor(() => lines().length === 1);
  expect(lines()[0]).toMatchObject({ level: 'fatal', service: 'store', error: { cause: { message: 'its cause' } } });
});

test('a flood of them is counted, not written down one by one', async () => {
  const { child, ask, lines } = await start('gateway');
  await ask('/many');
  await waitFor(async () => (await ask('/metrics')).includes('{kind="exception"} 500'));
  expect(child.exitCode).toBeNull();
  expect(lines().length).toBeLessThan(200);
});

test('who has not started serves nobody, and ends', async () => {
  const { child, output } = launch('gateway', { FAULT_AT_START: 'yes' });
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(output.err).toContain('thrown in a request');
});
