import {
  execFileSync,
  spawn,
  type ChildProcess,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
} from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

/** A broker in a process of its own. */
export interface NatsServer {
  readonly url: string;
  readonly process: ChildProcess;
  close: () => Promise<void>;
}

/** Who may connect. */
export interface NatsUser {
  readonly user: string;
  readonly password: string;
}

/** NATS_URL of a broker on loopback. */
export const natsUrlOf = ({ port, user, password }: { readonly port: number } & Partial<NatsUser>): string =>
  `nats://${user === undefined ? '' : `${user}:${password}@`}127.0.0.1:${port}`;

/** How a broker of ours is started. */
export interface NatsServerOptions extends Partial<NatsUser> {
  folder: string;
  port?: number;
  say?: (message: string) => void;
}

/** Starts `nats-server` with JetStream as a child on a free loopback port; its files live in `folder`. Without a user it admits anybody. */
export async function startNatsServer({ folder, user, password, ...options }: NatsServerOptions): Promise<NatsServer> {
  const binary = natsServerBinary(options.say);
  const port = options.port ?? (await freePort());
  const args = ['--addr', '127.0.0.1', '--port', String(port), '--jetstream', '--store_dir', folder];
  // By a file: everybody on the machine reads the arguments of a process.
  if (user !== undefined) args.push('--config', writeUser(folder, { user, password: password! }));
  // A process group of its own: Ctrl-C in a terminal reaches the parent alone, which stops its parts in order.
  const quiet: SpawnOptionsWithStdioTuple<StdioNull, StdioNull, StdioPipe> = {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  };
  // Under setpriv the kernel ends the broker with us, even when we are killed.
  const setpriv = '/usr/bin/setpriv';
  const child = existsSync(setpriv)
    ? spawn(setpriv, ['--pdeathsig', 'KILL', binary, ...args], quiet)
    : spawn(binary, args, quiet);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    const failed = (code: number | null): void => reject(new Error(`nats-server stopped with code ${code}: ${output}`));
    const timer = setTimeout(() => reject(new Error(`nats-server is not ready after 10 s: ${output}`)), 10_000);
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      if (!output.includes('Server is ready')) return;
      clearTimeout(timer);
      child.off('exit', failed).stderr.off('data', read).resume();
      resolve();
    };
    child.once('error', reject).once('exit', failed).stderr.on('data', read);
  });
  return {
    url: natsUrlOf({ port, ...(user !== undefined && { user, password: password! }) }),
    process: child,
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function writeUser(folder: string, { user, password }: NatsUser): string {
  const file = join(folder, 'nats-server.conf');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  rmSync(file, { force: true });
  writeFileSync(file, `authorization { user: "${user}", password: "${password}" }\n`, { mode: 0o600 });
  return file;
}

/** A nats-server on the PATH, else the distribution's package (root on Debian or Ubuntu), else one clear sentence. */
export function natsServerBinary(say: (message: string) => void = () => undefined): string {
  const places = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/bin'];
  const find = (): string | undefined =>
    places.map((place) => join(place, 'nats-server')).find((path) => existsSync(path));
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    say('installing nats-server from the distribution …');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'nats-server'], {
      env,
      stdio: 'ignore',
    });
    const installed = find();
    if (installed) return installed;
  }
  throw new Error('nats-server is not on the PATH: install it (Debian: apt-get install nats-server) or set NATS_URL');
}

// Below the range from which the system takes ports for outgoing connections: nobody else is given one of these by chance.
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/** What this process was told: it listens there a little later. */
const given = new Set<number>();

/** A port that is free now, and stays so unless somebody asks for just this one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + randomInt(PORTS);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    // Taken.
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
