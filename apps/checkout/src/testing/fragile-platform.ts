import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { freePort, natsServerBinary } from '@invoicing/events';
import { identities, openChannel, type RpcChannel } from '@invoicing/rpc';
import { tempFolder } from '@invoicing/testing';

const SERVICES = ['billing', 'catalog', 'checkout', 'notification'] as const;
type Service = (typeof SERVICES)[number];
const HOST = '127.0.0.1';
const RESTART_MS = 200;

interface Part {
  readonly name: string;
  readonly launch: () => ChildProcess;
  process: ChildProcess;
}

export type FragilePlatform = Awaited<ReturnType<typeof startFragilePlatform>>;

/**
 * Store, broker and the services as they are shipped, each a process that can be killed and comes back on its port. Checkout runs
 * twice: the second replica has pages of its own that nobody visits, but works on the same sessions.
 */
export async function startFragilePlatform() {
  const parts = join(dirname(resolve(process.argv[1] ?? '.')), 'parts');
  execFileSync(
    'npx',
    ['nx', 'run-many', '-t', 'build', '-p', [...SERVICES, 'platform'].join(','), '--outputStyle=static'],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  // A build that somebody starts meanwhile must not remove the bundles during a restart.
  for (const name of [...SERVICES, 'platform']) cpSync(join('dist', name), join(parts, name), { recursive: true });

  const folder = tempFolder();
  const ports = {} as Record<Service | 'nats' | 'checkoutHttp' | 'billingHttp', number>;
  for (const name of [...SERVICES, 'nats', 'checkoutHttp', 'billingHttp'] as const) ports[name] = await freePort();
  const tokens = Object.fromEntries(identities.map((name) => [name, randomBytes(24).toString('base64url')]));
  const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
  const hashes = identities.map((name) => `${name}=${hashOf(tokens[name]!)}`).join(',');
  const storeSocket = join(folder.path, 'store.sock');
  const mongoUri = `mongodb://${encodeURIComponent(storeSocket)}/?directConnection=true`;
  const url = `http://${HOST}:${ports.checkoutHttp}`;
  const shared: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOST,
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'warn',
    MONGODB_URI: mongoUri,
    NATS_URL: `nats://${HOST}:${ports.nats}`,
    PUBLIC_URL: url,
    DATA_DIR: folder.path,
    SERVICE_TOKEN_HASHES: hashes,
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_PORT`, String(ports[name])])),
    ...Object.fromEntries(SERVICES.map((name) => [`${name.toUpperCase()}_ADDRESS`, `${HOST}:${ports[name]}`])),
    CHECKOUT_HTTP_PORT: String(ports.checkoutHttp),
    BILLING_HTTP_PORT: String(ports.billingHttp),
    NOTIFICATION_HTTP_PORT: String(await freePort()),
  };

  let closing = false;
  const running: Part[] = [];
  const start = (name: string, command: string, args: readonly string[], env: NodeJS.ProcessEnv): void => {
    const log = openSync(join(folder.path, `${name}.log`), 'a');
    const launch = (): ChildProcess => {
      const child = spawn(command, args, { env, stdio: ['ignore', log, log] });
      child.once('exit', () => {
        if (!closing) setTimeout(() => closing || (part.process = launch()), RESTART_MS);
      });
      return child;
    };
    const part: Part = { name, launch, process: launch() };
    running.push(part);
  };
  const node = (name: string, script: string, env: NodeJS.ProcessEnv): void =>
    start(name, process.execPath, [join(parts, script)], { ...shared, ...env });

  mkdirSync(join(folder.path, 'store'));
  node('store', 'platform/store.js', { STORE_FOLDER: join(folder.path, 'store'), STORE_SOCKET: storeSocket });
  const nats = ['--addr', HOST, '--port', String(ports.nats), '--jetstream', '--store_dir', join(folder.path, 'nats')];
  start('nats', natsServerBinary(), nats, shared);
  for (const name of SERVICES) node(name, `${name}/main.js`, { SERVICE_TOKEN: tokens[name] });
  const second = {
    SERVICE_TOKEN: tokens['checkout'],
    CHECKOUT_PORT: String(await freePort()),
    CHECKOUT_HTTP_PORT: String(await freePort()),
  };
  node('checkout-2', 'checkout/main.js', second);

  const identity = (name: string) => ({ token: tokens[name]!, tokenHashes: new Map() });
  const channels = new Map<string, RpcChannel>();
  const channel = (service: Service, caller: string): RpcChannel => {
    const key = `${service} ${caller}`;
    const known = channels.get(key) ?? openChannel(`${HOST}:${ports[service]}`, identity(caller));
    channels.set(key, known);
    return known;
  };

  return {
    url,
    mongoUri,
    folder: folder.path,
    names: running.map(({ name }) => name),
    channel,
    /** The end of a process in the middle of whatever it does; it is started again at once. */
    kill: (name: string): boolean => running.find((part) => part.name === name)?.process.kill('SIGKILL') ?? false,
    close: async (keepFolder: boolean): Promise<void> => {
      closing = true;
      for (const each of channels.values()) each.close();
      await Promise.all(
        running.map(async ({ process: child }) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill('SIGKILL');
          await once(child, 'exit');
        }),
      );
      if (!keepFolder) folder.remove();
    },
  };
}
