import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@invoicing/events';
import { identities } from '@invoicing/rpc';
import { startEmbeddedMongo, startTestNats, tempFolder, waitFor } from '@invoicing/testing';
import { CLEAR, startRelay, type LineCondition, type Relay } from './relay';

const ROOT = resolve(__dirname, '../../..');
const SERVICES = ['billing', 'catalog', 'checkout', 'notification', 'gateway'] as const;

/** A line: from all processes to the store or the broker, or from all callers to one service (gRPC and pages). */
export type Line = 'store' | 'broker' | 'billing' | 'catalog' | 'checkout' | 'notification';

export interface RelayedPlatform {
  readonly url: string;
  set: (line: Line | 'all', condition: LineCondition) => void;
  /** Every line is clear again, and what was sent has arrived. */
  clear: () => Promise<void>;
  admin: <T>(...args: string[]) => Promise<T>;
  close: () => Promise<void>;
}

/** The built processes as on several machines: each reaches the others, the store and the broker over a line that the test holds. */
export async function startRelayedPlatform(random: () => number): Promise<RelayedPlatform> {
  const folder = tempFolder();
  const [store, nats] = await Promise.all([startEmbeddedMongo({ folder: folder.path }), startTestNats()]);
  const lines = new Map<Line, Relay[]>();
  const lineTo = async (line: Line, port: number): Promise<number> => {
    const relay = await startRelay(port, random);
    lines.set(line, [...(lines.get(line) ?? []), relay]);
    return relay.port;
  };
  const relays = (): Relay[] => [...lines.values()].flat();
  const tokens = new Map(identities.map((name) => [name, randomBytes(16).toString('base64url')] as const));
  const gatewayPort = await freePort();
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    LOG_LEVEL: 'fatal',
    DATA_DIR: folder.path,
    GATEWAY_PORT: String(gatewayPort),
    PUBLIC_URL: `http://127.0.0.1:${gatewayPort}`,
    RATE_LIMIT_PER_MINUTE: '100000',
    DEADLINE_SCALE: process.env['TIME_SCALE'] ?? '1',
    MONGODB_URI: `mongodb://127.0.0.1:${await lineTo('store', Number(new URL(store.uri).port))}/?directConnection=true`,
    NATS_URL: `nats://127.0.0.1:${await lineTo('broker', Number(new URL(nats.url).port))}`,
    SERVICE_TOKEN_HASHES: [...tokens]
      .map(([name, token]) => `${name}=${createHash('sha256').update(token).digest('hex')}`)
      .join(','),
    APPLICATION_ADDRESS: '127.0.0.1:9',
    GATEWAY_GRPC_PORT: String(await freePort()),
  };
  env['GATEWAY_ADDRESS'] = `127.0.0.1:${env['GATEWAY_GRPC_PORT']}`;
  for (const name of ['billing', 'catalog', 'checkout', 'notification'] as const) {
    const [grpc, http, upper] = [await freePort(), await freePort(), name.toUpperCase()];
    env[`${upper}_PORT`] = String(grpc);
    env[`${upper}_HTTP_PORT`] = String(http);
    env[`${upper}_ADDRESS`] = `127.0.0.1:${await lineTo(name, grpc)}`;
    env[`${upper}_HTTP_URL`] = `http://127.0.0.1:${await lineTo(name, http)}`;
  }

  const children = SERVICES.map((name): ChildProcess => {
    const options = { env: { ...env, SERVICE_TOKEN: tokens.get(name) }, stdio: 'inherit' } as const;
    return spawn(process.execPath, [join(ROOT, 'dist', name, 'main.js')], options);
  });
  const url = `http://127.0.0.1:${gatewayPort}`;
  /** Everything answers, but for the application, which is not run. */
  const isHealthy = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/api/health`).catch(() => undefined);
    if (!answer?.ok) return false;
    const { data } = (await answer.json()) as { data: { checks: { services: object } } };
    const { services, ...parts } = data.checks;
    return Object.values({ ...services, application: 'ok', ...parts }).every((each) => each === 'ok');
  };
  const close = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(async (child) => child.exitCode ?? child.signalCode ?? once(child, 'exit')));
    await Promise.all(relays().map((relay) => relay.close()));
    await Promise.all([store.close(), nats.close()]);
    folder.remove();
  };
  try {
    await waitFor(isHealthy, 60_000, 250);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    close,
    url,
    set: (line, condition) => {
      for (const relay of line === 'all' ? relays() : lines.get(line)!) relay.set(condition);
    },
    clear: async () => {
      for (const relay of relays()) relay.set(CLEAR);
      await waitFor(() => relays().every((relay) => relay.isIdle()), 30_000);
      await waitFor(isHealthy, 30_000, 250);
    },
    admin: async <T>(...args: string[]) => {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [join(ROOT, 'dist/admin/main.js'), ...args, '--json'],
        { env: { ...env, SERVICE_TOKEN: tokens.get('admin') } },
      );
      return JSON.parse(stdout) as T;
    },
  };
}
