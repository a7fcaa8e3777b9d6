import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { freePort, natsServerBinary } from '@invoicing/events';
import { identities, openChannel, type RpcChannel } from '@invoicing/rpc';
import { NODE_FLAGS } from '@invoicing/service';
import { tempFolder, waitFor } from '@invoicing/testing';
import { clockShim } from './clock-skew';
import { Link, type Target } from './link';
import { Part } from './part';

export const SERVICES = ['billing', 'catalog', 'checkout', 'notification', 'application', 'gateway'] as const;
export type Service = (typeof SERVICES)[number];

const HOST = '127.0.0.1';
/** Who calls whom. */
const PEERS: Readonly<Record<Service, readonly Service[]>> = {
  gateway: ['billing', 'catalog', 'checkout', 'notification', 'application'],
  application: ['billing', 'catalog', 'checkout', 'notification', 'gateway'],
  billing: ['catalog', 'checkout', 'notification'],
  checkout: ['billing', 'catalog'],
  notification: ['billing'],
  catalog: [],
};
const WITH_PAGES: readonly Service[] = ['billing', 'checkout', 'notification', 'application'];
const READY_MS = 90_000;

/** Where each replica listens; fixed for its life, whatever becomes of its process. */
interface Place {
  readonly name: string;
  readonly service: Service;
  readonly rpc: number;
  /** Pages; of a gateway the API. */
  readonly http: number;
}

export interface ClusterOptions {
  readonly replicas?: number;
  /** Which bundles a replica runs; the present ones unless said. */
  readonly bundlesOf?: (replica: string) => string;
  /** What every process is told beside what it must know. */
  readonly env?: NodeJS.ProcessEnv;
  /** A door to the store that every service goes through: given the store's socket, answers its port. */
  readonly storeDoor?: (socketPath: string) => Promise<number>;
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

export const BUNDLES = resolve('dist');

/**
 * The platform as it is run in production: replicas of each service side by side, store and broker, each a process of its own, and
 * between any two of them a connection that a fault can be put into. Callers come in by a balancer in front of all gateways.
 */
export async function startCluster({
  replicas = 2,
  bundlesOf = () => BUNDLES,
  env = {},
  storeDoor,
}: ClusterOptions = {}) {
  const folder = tempFolder();
  for (const name of ['store', 'nats', 'logs']) mkdirSync(join(folder.path, name));
  const places = await planPlaces(replicas);
  const links = new Map<string, Link>();
  const link = async (name: string, ...targets: Target[]): Promise<number> => {
    const made = await Link.open(name, ...targets);
    links.set(name, made);
    return made.port;
  };
  const front = await link('callers gateway', ...of(places, 'gateway').map(({ http }) => ({ port: http })));
  const broker = await freePort();
  const storeSocket = join(folder.path, 'store.sock');
  const store: Target = storeDoor ? { port: await storeDoor(storeSocket) } : { path: storeSocket };
  const tokens = Object.fromEntries(identities.map((name) => [name, randomBytes(24).toString('base64url')]));
  const skews = new Map<string, number>();
  const seriesKey = keyFile(folder.path);
  const shared: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    NODE_OPTIONS: clockShim(folder.path),
    HOST,
    LOG_LEVEL: 'warn',
    PUBLIC_URL: `http://${HOST}:${front}`,
    DATA_DIR: folder.path,
    SERIES_KEY_FILE: seriesKey,
    RATE_LIMIT_PER_MINUTE: '1000000',
    PAGE_RATE_LIMIT_PER_MINUTE: '1000000',
    ALLOW_LOOPBACK_TARGETS: 'true',
    SERVICE_TOKEN_HASHES: identities.map((name) => `${name}=${sha256(tokens[name]!)}`).join(','),
    ...env,
  };

  const parts = new Map<string, Part>();
  const start = (name: string, command: string, args: readonly string[], own: () => NodeJS.ProcessEnv): void =>
    void parts.set(
      name,
      new Part({ name, command, args, env: own, logFile: join(folder.path, 'logs', `${name}.log`) }),
    );
  const storeEnv = { ...shared, STORE_FOLDER: join(folder.path, 'store'), STORE_SOCKET: storeSocket };
  start('store', process.execPath, [join(bundlesOf('store'), 'platform/store.js')], () => storeEnv);
  const nats = ['--addr', HOST, '--port', String(broker), '--jetstream', '--store_dir', join(folder.path, 'nats')];
  start('broker', natsServerBinary(), nats, () => ({ PATH: process.env['PATH'] }));
  for (const place of places) {
    const known = await addressesFor(place, places, link, { broker, store });
    const script = join(bundlesOf(place.name), place.service, 'main.js');
    const own = (): NodeJS.ProcessEnv => ({
      ...shared,
      ...known,
      SERVICE_TOKEN: tokens[place.service],
      CLOCK_SKEW_MS: String(skews.get(place.name) ?? 0),
    });
    start(place.name, process.execPath, [...NODE_FLAGS, script], own);
  }

  const direct = (service: Service): string =>
    `ipv4:${of(places, service)
      .map(({ rpc }) => `${HOST}:${rpc}`)
      .join(',')}`;
  const addresses = Object.fromEntries(SERVICES.map((name) => [name, direct(name)])) as Record<Service, string>;
  const mongoUri = `mongodb://${encodeURIComponent(storeSocket)}/?directConnection=true`;
  const url = `http://${HOST}:${front}`;
  // By it the operators' command line finds this platform, too.
  const state = { pid: process.pid, gatewayUrl: url, publicUrl: url, addresses, tokens, mongodbUri: mongoUri };
  writeFileSync(join(folder.path, 'platform.json'), JSON.stringify(state), { mode: 0o600 });
  const channels = new Map<string, RpcChannel>();
  const channel = (service: Service, caller = 'admin'): RpcChannel => {
    const key = `${service} ${caller}`;
    const made =
      channels.get(key) ?? openChannel(addresses[service], { token: tokens[caller]!, tokenHashes: new Map() });
    channels.set(key, made);
    return made;
  };

  const cluster = {
    url,
    mongoUri,
    dataDir: folder.path,
    parts,
    links,
    replicas: places.map(({ name }) => name),
    channel,
    /** Sets a replica's clock, by so many ms from the true time; it counts from its next start. False when it is so already. */
    setClock: (replica: string, ms: number): boolean => {
      const isNew = (skews.get(replica) ?? 0) !== ms;
      skews.set(replica, ms);
      return isNew;
    },
    /** Ends the broker and deletes all that it had. */
    loseBroker: async (): Promise<void> => {
      const part = parts.get('broker')!;
      await part.keepDown('SIGKILL');
      rmSync(join(folder.path, 'nats'), { recursive: true, force: true });
      part.start();
    },
    /** Resolves once every gateway reaches everything. */
    ready: async (timeoutMs = READY_MS): Promise<void> => {
      for (const { http } of of(places, 'gateway'))
        await waitFor(() => isHealthy(`http://${HOST}:${http}`), timeoutMs, 100);
    },
    close: async ({ keepFolder = false } = {}): Promise<void> => {
      for (const each of channels.values()) each.close();
      const [services, base] = [cluster.replicas, ['store', 'broker']];
      for (const names of [services, base])
        await Promise.all(names.map((name) => parts.get(name)!.keepDown('SIGKILL')));
      await Promise.all([...links.values()].map((each) => each.close()));
      if (!keepFolder) folder.remove();
    },
    /** The last lines of a part's log. */
    logOf: (part: string): string => readFileSync(join(folder.path, 'logs', `${part}.log`), 'utf8'),
  };
  try {
    await cluster.ready();
  } catch (error) {
    await cluster.close({ keepFolder: true });
    throw new Error(`the cluster is not ready; its logs are in ${folder.path}/logs`, { cause: error });
  }
  return cluster;
}

const of = (places: readonly Place[], service: Service): Place[] => places.filter((each) => each.service === service);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function planPlaces(replicas: number): Promise<Place[]> {
  const places: Place[] = [];
  for (const service of SERVICES)
    for (let nth = 1; nth <= replicas; nth++)
      places.push({ name: `${service}-${nth}`, service, rpc: await freePort(), http: await freePort() });
  return places;
}

/** The environment that tells a replica where it listens and where its peers are, each peer by a link of its own. */
async function addressesFor(
  place: Place,
  places: readonly Place[],
  link: (name: string, ...targets: Target[]) => Promise<number>,
  { broker, store }: { broker: number; store: Target },
): Promise<NodeJS.ProcessEnv> {
  const { name, service } = place;
  const prefix = service.toUpperCase();
  const env: NodeJS.ProcessEnv = {
    MONGODB_URI: `mongodb://${HOST}:${await link(`${name} store`, store)}/?directConnection=true`,
    NATS_URL: `nats://${HOST}:${await link(`${name} broker`, { port: broker })}`,
    ...(service === 'gateway'
      ? { GATEWAY_HOST: HOST, GATEWAY_PORT: String(place.http), GATEWAY_GRPC_PORT: String(place.rpc) }
      : { [`${prefix}_PORT`]: String(place.rpc), [`${prefix}_HTTP_PORT`]: String(place.http) }),
  };
  for (const peer of PEERS[service]) {
    const ports: number[] = [];
    for (const to of of(places, peer)) ports.push(await link(`${name} ${to.name}`, { port: to.rpc }));
    env[`${peer.toUpperCase()}_ADDRESS`] = `ipv4:${ports.map((port) => `${HOST}:${port}`).join(',')}`;
    if (service !== 'gateway' || !WITH_PAGES.includes(peer)) continue;
    const targets = of(places, peer).map(({ http }) => ({ port: http }));
    env[`${peer.toUpperCase()}_HTTP_URL`] = `http://${HOST}:${await link(`${name} ${peer}-pages`, ...targets)}`;
  }
  return env;
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(2_000) });
    return ((await answer.json()) as { data: { status: string } }).data.status === 'ok';
  } catch {
    return false;
  }
}

/** A key to sign number series with. */
function keyFile(folder: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const file = join(folder, 'series-key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  return file;
}
