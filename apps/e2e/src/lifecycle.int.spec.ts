import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { freePort } from '@invoicing/events';
import { tempFolder, waitFor } from '@invoicing/testing';
import { Api } from './api';
import { processOf, processesOf } from './processes';
import { RunningPlatform } from './running-platform';

// How the platform starts, heals and stops.

jest.setTimeout(120_000);

const healthy = async (url: string): Promise<boolean> => {
  try {
    const { body } = await new Api(url).get<{ data: { status: string } }>('/api/health');
    return body.data.status === 'ok';
  } catch {
    return false;
  }
};

test('a taken port is one clear sentence, and nothing is left running', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const folder = tempFolder();
  const child = spawn(process.execPath, [resolve(__dirname, '../../../dist/platform/main.js')], {
    env: { ...process.env, GATEWAY_PORT: String(port), DATA_DIR: folder.path },
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(stderr.trim()).toBe(`port ${port} on 127.0.0.1 is already in use; set GATEWAY_PORT to another one`);
  expect(processesOf(folder.path)).toEqual([]);
  taken.close();
  folder.remove();
});

test('SIGTERM stops everything, children too', async () => {
  const platform = await RunningPlatform.start();
  expect(processesOf(platform.dataDir).length).toBeGreaterThanOrEqual(8);
  await platform.stop();
  expect(processesOf(platform.dataDir)).toEqual([]);
  await platform.close();
});

test('with REPLICAS=2 billing and catalog run twice; one that is killed leaves the other to answer, and comes back', async () => {
  const platform = await RunningPlatform.start({ env: { REPLICAS: '2' } });
  const pidsOf = (service: string): number[] =>
    processesOf(platform.dataDir)
      .filter(({ command }) => command.includes(`${service}/main.js`))
      .map(({ pid }) => pid);
  try {
    const before = pidsOf('billing');
    expect([before.length, pidsOf('catalog').length, pidsOf('checkout').length]).toEqual([2, 2, 1]);
    process.kill(before[0]!, 'SIGKILL');
    await waitFor(() => pidsOf('billing').length === 2 && !pidsOf('billing').includes(before[0]!), 30_000);
    for (let at = 0; at < 4; at++) await platform.admin('org', 'create', '--name', `Org ${at}`, '--mode', 'test');
    await waitFor(() => healthy(platform.url), 30_000);
  } finally {
    await platform.close();
  }
});

test('a killed platform leaves no orphan', async () => {
  const platform = await RunningPlatform.start();
  process.kill(platform.pid, 'SIGKILL');
  await waitFor(() => processesOf(platform.dataDir).length === 0, 20_000);
  await platform.close();
});

test('killed parts come back and the platform is whole again', async () => {
  const platform = await RunningPlatform.start();
  const works = (): Promise<boolean> =>
    platform.admin('org', 'create', '--name', 'Na de storing', '--mode', 'test').then(
      () => true,
      () => false,
    );
  try {
    for (const part of ['billing/main.js', 'platform/store.js', 'nats-server']) {
      const { pid } = processOf(platform.dataDir, part);
      process.kill(pid, 'SIGKILL');
      await waitFor(() => processesOf(platform.dataDir).every((each) => each.pid !== pid));
      await waitFor(works, 30_000);
    }
    await waitFor(() => healthy(platform.url), 30_000);
  } finally {
    await platform.close();
  }
});

test('a second start in the same folder, while the first is starting, says so and leaves the first alone', async () => {
  const folder = tempFolder();
  const options = { dataDir: folder.path, env: { LOG_LEVEL: 'info' } };
  const first = RunningPlatform.start(options);
  const log = join(folder.path, 'logs', 'gateway.log');
  const logged = await waitFor(() => existsSync(log) && readFileSync(log, 'utf8'), 30_000);
  // The first may be ready by the time that the second asks.
  await expect(RunningPlatform.start(options)).rejects.toThrow(/another one is starting|already running/);
  const platform = await first;
  expect(await healthy(platform.url)).toBe(true);
  expect(readFileSync(log, 'utf8').startsWith(logged)).toBe(true);
  await platform.close();
  folder.remove();
});

test('a service waits for its store, says for what, and answers health truthfully', async () => {
  const folder = tempFolder();
  const child = spawn(process.execPath, [resolve(__dirname, '../../../dist/catalog/main.js')], {
    env: {
      ...process.env,
      MONGODB_URI: 'mongodb://127.0.0.1:1',
      SERVICE_TOKEN: 'token',
      CATALOG_PORT: String(await freePort()),
      DATA_DIR: folder.path,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await waitFor(() => output.includes('waiting for MongoDB'), 20_000);
  expect(child.exitCode).toBeNull();
  child.kill('SIGTERM');
  await once(child, 'exit');
  folder.remove();
});
