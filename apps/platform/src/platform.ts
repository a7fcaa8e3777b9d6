import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort, natsUrlOf } from '@invoicing/events';
import { assertNotRunning, assertPortIsFree } from './assert-startable';
import { keepBroker, type Broker } from './broker';
import { Child } from './child';
import type { PlatformConfig } from './config';
import { lockFolder } from './lock-folder';
import { keepLogsShort } from './log-retention';
import { ensureSeriesKey } from './series-key';
import { nameOf, planEnvironment } from './service-environment';
import { placeSocket } from './store-socket';

export interface Platform {
  readonly gatewayUrl: string;
  close: () => Promise<void>;
}

type Say = (message: string) => void;

const READY_TIMEOUT_MS = 60_000;

/**
 * Starts store, broker and services as children, all at once (each waits for what it needs), and resolves when every part answers.
 * When `signal` aborts before, what has started is stopped and it rejects.
 */
export async function startPlatform(config: PlatformConfig, say: Say, signal: AbortSignal): Promise<Platform> {
  const { dataDir } = config;
  const stateFile = join(dataDir, 'platform.json');
  await assertNotRunning(dataDir, stateFile);
  makeFolder(dataDir);
  await lockFolder(dataDir);
  await assertPortIsFree(config);
  const logs = join(dataDir, 'logs');
  for (const folder of [logs, join(dataDir, 'store'), join(dataDir, 'nats')]) makeFolder(folder);

  const shortLogs = keepLogsShort(logs);
  const children: Child[] = [];
  const storeSocket = placeSocket(dataDir);
  let broker: Broker | undefined;
  let wroteState = false;
  const close = async (): Promise<void> => {
    // Services first, so that they can still finish; then what they stand on.
    const [store, ...services] = config.mongodbUri ? [undefined, ...children] : children;
    await Promise.all(services.map(async (child) => child?.close()));
    await Promise.all([store?.close(), broker?.close()]);
    storeSocket.remove();
    shortLogs.close();
    if (wroteState) rmSync(stateFile, { force: true });
  };
  const child = (name: string, script: string, env: NodeJS.ProcessEnv): Child => {
    const logFile = join(logs, `${name}.log`);
    writeFileSync(logFile, '');
    const made = new Child({ name, script, env, logFile, say });
    children.push(made);
    return made;
  };

  try {
    const ready: Promise<void>[] = [];
    if (!config.mongodbUri) {
      const env = { ...config.env, STORE_FOLDER: join(dataDir, 'store'), STORE_SOCKET: storeSocket.path };
      ready.push(child('store', join(__dirname, 'store.js'), env).ready);
    }
    const ownBroker = { port: await freePort(), user: 'platform', password: randomBytes(24).toString('base64url') };
    const mongodbUri = config.mongodbUri ?? storeSocket.uri;
    const natsUrl = config.natsUrl ?? natsUrlOf(ownBroker);
    const seriesKeyFile = config.env['SERIES_KEY_FILE'] ?? ensureSeriesKey(dataDir);
    const environment = await planEnvironment(config, { mongodb: mongodbUri, nats: natsUrl, seriesKeyFile });
    for (const place of environment.places) {
      const script = join(__dirname, '..', place.service, 'main.js');
      ready.push(child(nameOf(place), script, environment.of(place)).ready);
    }
    if (!config.natsUrl) broker = await keepBroker({ folder: join(dataDir, 'nats'), ...ownBroker, say });
    const gatewayUrl = `http://${config.gatewayHost}:${config.gatewayPort}`;
    const state = {
      pid: process.pid,
      gatewayUrl,
      publicUrl: config.publicUrl,
      addresses: environment.addresses,
      tokens: { admin: environment.tokens.admin, 'platform-billing': environment.tokens['platform-billing'] },
      mongodbUri,
      natsUrl,
    };
    await untilReady(ready, gatewayUrl, say, signal);
    writeFileSync(stateFile, JSON.stringify(state, null, 2), { mode: 0o600 });
    wroteState = true;
    return { gatewayUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Only its owner reads what is in it. */
function makeFolder(folder: string): void {
  try {
    makeWithParents(folder);
  } catch (error) {
    throw new Error(
      `the folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code}): set DATA_DIR to another one`,
    );
  }
}

/** One by one: Node's recursive way never ends where a file system takes no folder, as /proc. */
function makeWithParents(folder: string): void {
  // Of what is there it only finds out whether it is a folder.
  if (existsSync(folder)) return void mkdirSync(folder, { recursive: true });
  makeWithParents(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Every process said that it is up, and the gateway reaches everything. Says every few seconds what is still missing. */
async function untilReady(
  ready: readonly Promise<void>[],
  gatewayUrl: string,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const startedAt = Date.now();
  let saidAt = startedAt;
  const failed = Promise.all(ready).then(() => new Promise<never>(() => undefined));
  for (;;) {
    signal.throwIfAborted();
    const missing = await Promise.race([missingParts(gatewayUrl), failed]);
    if (missing.length === 0) return;
    if (Date.now() - startedAt > READY_TIMEOUT_MS)
      throw new Error(`not ready after ${READY_TIMEOUT_MS / 1000} s: waiting for ${missing.join(', ')}`);
    if (Date.now() - saidAt > 3_000) {
      saidAt = Date.now();
      say(`waiting for ${missing.join(', ')} …`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

interface Health {
  data: { status: string; checks: Record<string, string | Record<string, string>> };
}

async function missingParts(gatewayUrl: string): Promise<string[]> {
  let health: Health;
  try {
    const response = await fetch(`${gatewayUrl}/api/health`, { signal: AbortSignal.timeout(2_000) });
    health = (await response.json()) as Health;
  } catch {
    // Not listening yet.
    return ['gateway'];
  }
  if (health.data.status === 'ok') return [];
  const { services, ...checks } = health.data.checks;
  return Object.entries({ ...checks, ...(services as Record<string, string>) })
    .filter(([, state]) => state !== 'ok')
    .map(([name]) => name);
}
