import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort } from '@invoicing/events';
import { tempFolder, waitFor } from '@invoicing/testing';

const folder = tempFolder();
afterAll(() => folder.remove());

/** Starts the platform as `npm start` does. */
async function start(env: Record<string, string>) {
  const child = spawn(process.execPath, [resolve(__dirname, '../../../dist/platform/main.js')], {
    env: { ...process.env, GATEWAY_PORT: String(await freePort()), DATA_DIR: join(folder.path, 'data'), ...env },
  });
  const said = { out: '', error: '' };
  child.stdout.on('data', (chunk) => (said.out += chunk));
  child.stderr.on('data', (chunk) => (said.error += chunk));
  const ended = once(child, 'exit').then(([code]) => code as number);
  return { child, said, ended };
}

test('an address that is none is refused before anything starts', async () => {
  const { said, ended } = await start({ PUBLIC_URL: 'nonsense' });
  expect(await ended).toBe(1);
  expect(said.error).toContain('PUBLIC_URL: must be an absolute http:// or https:// address');
  expect(said.out).not.toContain('ready');
});

test.each([
  ['in a file', join(folder.path, 'a-file')],
  ['where the system takes none', '/proc/nothing'],
])('a folder that cannot be made, %s, ends it with one sentence', async (_name, parent) => {
  if (parent.startsWith(folder.path)) writeFileSync(parent, '');
  const { said, ended } = await start({ DATA_DIR: join(parent, 'data') });
  expect(await ended).toBe(1);
  expect(said.error.trim().split('\n')).toEqual([expect.stringMatching(/cannot be made .*DATA_DIR/)]);
});

test('SIGTERM in the middle of a start stops what has started', async () => {
  const { child, said, ended } = await start({});
  // The store waits for nothing, so that parts are up while others still start.
  await new Promise((done) => setTimeout(done, 500));
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(said.out).toContain('stopped');
  const children = join('/proc', String(child.pid), 'task');
  await waitFor(async () => !(await import('node:fs')).existsSync(children));
});

test('an old Node.js is told so in one sentence', async () => {
  const script = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' }); require('./tools/require-node.cjs')`;
  const child = spawn(process.execPath, ['-e', script], { cwd: resolve(__dirname, '../../..') });
  let error = '';
  child.stderr.on('data', (chunk) => (error += chunk));
  const [code] = (await once(child, 'exit')) as [number];
  expect({ code, error }).toEqual({
    code: 1,
    error: expect.stringMatching(/^Node\.js .* is needed; this is 18\.20\.0\.\n$/),
  });
});
