import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { freePort } from '@invoicing/events';
import { NODE_FLAGS } from '@invoicing/service';
import { startTestNats, startTestStore, tempFolder, waitFor } from '@invoicing/testing';
import { Api } from './api';

// There is no container engine here: the very commands of docker-compose.yml, with its environment and nothing else, as another user,
// from a folder with only what the image would hold. Names of containers become ports of this machine. With mutual TLS between the
// services, as docker-compose.mtls.yml has it: service tokens are what every other test uses.

jest.setTimeout(120_000);

const ROOT = resolve(__dirname, '../../..');
const NOBODY = 65_534;
const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
const SERVICES = ['gateway', 'billing', 'catalog', 'checkout', 'notification', 'application'];

interface ComposeService {
  readonly command: string[];
  readonly environment: Record<string, string | number>;
}
const composeText = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const certificates = parse(readFileSync(join(ROOT, 'docker-compose.mtls.yml'), 'utf8')) as {
  services: Record<string, { volumes: string[]; environment: Record<string, string> }>;
};
const compose = parse(composeText, { merge: true }) as { services: Record<string, ComposeService> };

const folder = tempFolder();
const image = join(folder.path, 'srv');
const ports = new Map<string, number>();
const running = new Map<string, ChildProcess>();
const environments = new Map<string, NodeJS.ProcessEnv>();
let store: Awaited<ReturnType<typeof startTestStore>>;
let nats: Awaited<ReturnType<typeof startTestNats>>;

beforeAll(async () => {
  [store, nats] = await Promise.all([startTestStore(), startTestNats()]);
  chmodSync(folder.path, 0o755);
  mkdirSync(join(folder.path, 'data'));
  if (asNobody.uid) chownSync(join(folder.path, 'data'), NOBODY, NOBODY);
  for (const app of [...SERVICES, 'admin']) cpSync(join(ROOT, 'dist', app), join(image, app), { recursive: true });
  cpSync(join(ROOT, 'deploy/healthcheck.cjs'), join(image, 'healthcheck.cjs'));
  for (const port of composeText.match(/\b(50\d{3}|80\d{2})\b/g) ?? []) {
    if (!ports.has(port)) ports.set(port, await freePort());
  }
  execFileSync(join(ROOT, 'deploy/make-certificates.sh'), [join(folder.path, 'certificates')], { stdio: 'pipe' });
  if (asNobody.uid) execFileSync('chown', ['-R', String(NOBODY), join(folder.path, 'certificates')]);
  const secrets = secretsOf(join(folder.path, '.env'));
  for (const service of [...SERVICES, 'admin']) environments.set(service, await environmentOf(service, secrets));
  for (const service of SERVICES) running.set(service, start(service));
});

afterAll(async () => {
  for (const child of running.values()) child.kill('SIGKILL');
  await Promise.all([store.close(), nats.close()]);
  folder.remove();
});

/** What an operator has after make-secrets and filling in the three lines. */
function secretsOf(file: string): Record<string, string> {
  execFileSync(process.execPath, [join(ROOT, 'deploy/make-secrets.mjs'), file], { stdio: 'pipe' });
  const lines = readFileSync(file, 'utf8').split('\n');
  const pairs = lines.filter((line) => /^[A-Z_]+=/.test(line)).map((line) => line.split(/=(.*)/s, 2));
  const given = { PUBLIC_URL: 'https://invoicing.test', SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'a@invoicing.test' };
  return { ...(Object.fromEntries(pairs) as Record<string, string>), ...given };
}

async function environmentOf(service: string, secrets: Record<string, string>): Promise<NodeJS.ProcessEnv> {
  const image = Object.fromEntries(
    [...readFileSync(join(ROOT, 'Dockerfile'), 'utf8').matchAll(/^(?:ENV)? +([A-Z_]+)=(\S+)/gm)].map((found) => [
      found[1],
      found[2],
    ]),
  ) as Record<string, string>;
  const entries = Object.entries(compose.services[service]!.environment).map(([name, value]) => {
    const filled = String(value).replace(/\$\{([A-Z_]+)(:[-?])?([^}]*)\}/g, (_, variable: string, kind, otherwise) => {
      const found = secrets[variable];
      if (found === undefined && kind === ':?') throw new Error(`make-secrets does not write ${variable}`);
      return found ?? String(otherwise);
    });
    const here = filled.replace(
      /\b(gateway|billing|catalog|checkout|notification|127\.0\.0\.1):(\d+)/g,
      (_, _host, port) => `127.0.0.1:${ports.get(String(port)) ?? port}`,
    );
    return [name, /_PORT$/.test(name) ? String(ports.get(filled)) : here];
  });
  return {
    ...image,
    ...(Object.fromEntries(entries) as Record<string, string>),
    ...tlsOf(service),
    HOST: '127.0.0.1',
    GATEWAY_HOST: '127.0.0.1',
    METRICS_PORT: String(await freePort()),
    DATA_DIR: join(folder.path, 'data'),
    MONGODB_URI: store.uri,
    NATS_URL: nats.url,
  };
}

/** TLS_… of the overlay, with the paths that it mounts from. */
function tlsOf(service: string): NodeJS.ProcessEnv {
  const { volumes, environment } = certificates.services[service]!;
  const mounted = new Map(volumes.map((each) => [each.split(':')[1], each.split(':')[0]!.replace(/^\./, folder.path)]));
  return Object.fromEntries(Object.entries(environment).map(([name, path]) => [name, mounted.get(path)]));
}

function start(service: string): ChildProcess {
  const { command } = compose.services[service]!;
  const env = environments.get(service);
  const child = spawn(process.execPath, [...NODE_FLAGS, ...command], {
    cwd: image,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...asNobody,
  });
  const said: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk: Buffer) => said.push(String(chunk)));
  child.once(
    'exit',
    (code) => code && process.stderr.write(`${service} stopped with ${code}: ${said.join('').slice(-2_000)}\n`),
  );
  return child;
}

// Never synchronously: the store lives in this very process.
const run = (args: string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, args, { cwd: image, env, ...asNobody });

const isHealthy = (env: NodeJS.ProcessEnv): Promise<boolean> =>
  run(['healthcheck.cjs'], env).then(
    () => true,
    () => false,
  );

const admin = async (...args: string[]): Promise<Record<string, string>> => {
  const { stdout } = await run(['admin/main.js', ...args, '--json'], environments.get('admin')!);
  return JSON.parse(stdout) as Record<string, string>;
};

test('the health check says no while nobody listens', async () => {
  await expect(isHealthy({ HEALTHCHECK_TARGET: 'grpc://127.0.0.1:9' })).resolves.toBe(false);
});

test.each(SERVICES)('%s becomes healthy by its own health check', async (service) => {
  await waitFor(() => isHealthy(environments.get(service)!), 60_000, 250);
});

test('an operator and an integrator get to an issued invoice', async () => {
  const org = await admin('org', 'create', '--name', 'Bakkerij De Zon', '--country', 'NL');
  const { key } = await admin('key', 'create', '--org', org['id']!, '--scopes', 'all');
  const api = new Api(`http://127.0.0.1:${ports.get('8080')}`, key);
  const customer = await api.post<{ data: { id: string } }>('/api/v1/customers', { name: 'Jan' });
  const lines = [{ unitPriceCents: 1000 }];
  const invoice = await api.post('/api/v1/invoices', { customerId: customer.body.data.id, lines, send: true });
  expect(invoice.body).toMatchObject({ data: { emailed: false, emailError: 'no_recipient' } });
  expect(invoice.status).toBe(201);
});

test('metrics are on the private port', async () => {
  const text = await (await fetch(`http://127.0.0.1:${environments.get('billing')!['METRICS_PORT']}/metrics`)).text();
  for (const name of [
    'rpc_server_duration_seconds',
    'numbering_batch_size',
    'outbox_oldest_pending_seconds',
    'nodejs_eventloop_lag',
  ])
    expect(text).toContain(name);
});

test('the built-in mailbox’s page is not shown in production, and nothing was written beside the data', async () => {
  expect((await fetch(`http://127.0.0.1:${ports.get('8080')}/dev/mail`)).status).toBe(404);
  expect(readdirSync(image).sort()).toEqual([...SERVICES, 'admin', 'healthcheck.cjs'].sort());
});

test('the image runs services with the flags that npm start gives them', () => {
  const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))!;
  expect(JSON.parse(entrypoint)).toEqual(['node', ...NODE_FLAGS]);
});

test.each([...SERVICES, 'admin'])('%s starts from what was compiled when it was built', async (app) => {
  // A service stops at an environment that says nothing.
  const script = `const main = require.resolve('./${app}/main.js');
  process.on('exit', () => {
    process.stdout.write('refused: ' + require.cache[main].exports.script.cachedDataRejected);
    process.exitCode = 0;
  });
  require(main);`;
  const { stdout } = await run([...(app === 'admin' ? [] : NODE_FLAGS), '-e', script], {});
  expect(stdout).toMatch(/refused: false$/);
});

test.each(SERVICES)('%s stops in order when it is told to', async (service) => {
  const child = running.get(service)!;
  child.kill('SIGTERM');
  const [code] = child.exitCode === null ? ((await once(child, 'exit')) as [number | null]) : [child.exitCode];
  expect(code).toBe(0);
});
