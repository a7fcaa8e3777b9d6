import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createLogger } from '@invoicing/telemetry';
import {
  httpLoad,
  single,
  startTestStore,
  testIdentity,
  type BenchFigure,
  type LoadResult,
  type TestStore,
} from '@invoicing/testing';
import { startGateway } from '../service';
import { BENCH_LIMIT, BENCH_PATH, benchInvoices, benchServers, listening } from '../testing/bench-servers';
import { startFakeServices } from '../testing/fake-services';
import { SITE, gatewayConfig, startTestGateway } from '../testing/test-gateway';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const WARM_UP_SECONDS = Math.min(SECONDS, 2);
const WHOLE = 'gateway end to end';
// The best of a few rounds: noise of a shared machine only ever makes it slower.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);

interface Job {
  readonly role: 'server' | 'load' | 'fakes';
  readonly name?: string;
  readonly uri?: string;
  readonly services?: string;
  readonly port?: number;
  readonly headers?: readonly string[];
  readonly organizationId?: string;
  readonly seconds?: number;
}

interface Measured extends LoadResult {
  /** Of the server's process alone. */
  readonly cpuMicros: number;
}

/** The list of 50 invoices, from bare node:http to the whole way, each server and the load in processes of their own. */
export async function run(): Promise<readonly BenchFigure[]> {
  if (process.env['BENCH_JOB']) return work(JSON.parse(process.env['BENCH_JOB']) as Job);
  const store = await startTestStore();
  const services = await startFakeServices();
  const { id: organizationId } = services.addOrganization();
  const setup = await startTestGateway(store, services);
  const { secret } = await setup.createKey({ organizationId });
  await setup.close();
  await services.close();
  const fakes = await start({ role: 'fakes', organizationId });

  const names = [...Object.keys(benchServers), WHOLE];
  console.log(`GET ${BENCH_PATH}, ${benchInvoices.length} items, 64 connections, best of ${ROUNDS} × ${SECONDS} s\n`);
  const best = new Map<string, Measured>();
  const servers = new Map<string, { child: ChildProcess; port: number }>();
  for (const name of names) servers.set(name, await serverOf(name, store, fakes.port));
  // In turn, so that a slow minute of the machine hits all of them.
  for (let round = 0; round < ROUNDS; round++)
    for (const name of names) {
      const measured = await measure(servers.get(name)!, [`authorization: Bearer ${secret}`]);
      if (measured.perSecond > (best.get(name)?.perSecond ?? 0)) best.set(name, measured);
    }
  report(names, best);
  const figures = figuresOf(names, best);
  for (const { child } of [...servers.values(), fakes]) child.kill();
  await store.close();
  return figures;
}

const serverOf = (name: string, store: TestStore, fakesPort: number) =>
  start({ role: 'server', name, uri: store.uri, services: `127.0.0.1:${fakesPort}` });

async function measure(server: { child: ChildProcess; port: number }, headers: readonly string[]): Promise<Measured> {
  const { port, child } = server;
  const ask = (seconds: number) => start<LoadResult>({ role: 'load', port, headers, seconds });
  await ask(WARM_UP_SECONDS);
  const before = await cpuOf(child);
  const result = await ask(SECONDS);
  const cpuMicros = ((await cpuOf(child)) - before) / (result.perSecond * SECONDS);
  return { perSecond: result.perSecond, p50Ms: result.p50Ms, p99Ms: result.p99Ms, cpuMicros };
}

function report(names: readonly string[], best: ReadonlyMap<string, Measured>): void {
  const bare = best.get(names[0]!)!;
  console.log(`${''.padEnd(26)}    req/s   p50 ms   p99 ms   CPU µs/req   of bare (req/s)   of bare (CPU)`);
  for (const name of names) {
    const { perSecond, p50Ms, p99Ms, cpuMicros } = best.get(name)!;
    const columns = [
      perSecond.toFixed(0).padStart(8),
      p50Ms.toFixed(2).padStart(8),
      p99Ms.toFixed(2).padStart(8),
      cpuMicros.toFixed(1).padStart(12),
      (perSecond / bare.perSecond).toFixed(2).padStart(17),
      (bare.cpuMicros / cpuMicros).toFixed(2).padStart(15),
    ];
    console.log(name.padEnd(26), columns.join(' '));
  }
}

/** Each server beside the first, the bare one. */
function figuresOf(names: readonly string[], best: ReadonlyMap<string, Measured>): BenchFigure[] {
  const [bareName = '', ...others] = names;
  return others.map((name) => ({
    name,
    unit: '/s',
    ours: single(best.get(name)!.perSecond),
    beside: { name: bareName, value: single(best.get(bareName)!.perSecond) },
    cpuMicros: { server: best.get(name)!.cpuMicros },
    ...(name === 'gateway up to the call' && { aim: { of: 'ratio', atLeast: 0.7 } as const }),
  }));
}

/** Runs a job in a process of its own; answers its first message. */
async function start<T extends object = { port: number }>(job: Job): Promise<T & { child: ChildProcess }> {
  const child = fork(process.argv[1]!, {
    env: { ...process.env, BENCH_JOB: JSON.stringify(job) },
    // Access log lines are written as in production, to nowhere.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await once(child, 'message')) as [T];
  return { ...message, child };
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

/** The child's side. Servers stay until they are killed. */
async function work(job: Job): Promise<never> {
  process.once('disconnect', () => process.exit());
  if (job.role === 'load') {
    process.send?.(await httpLoad(job.port!, BENCH_PATH, job.headers ?? [], job.seconds!));
    process.exit();
  }
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.({ port: job.role === 'fakes' ? await fakesWith(job.organizationId!) : await serve(job) });
  return new Promise<never>(() => undefined);
}

async function serve({ name = '', uri = '', services = '' }: Job): Promise<number> {
  if (name !== WHOLE) return listening(await benchServers[name]!(uri));
  const config = gatewayConfig({ uri } as TestStore, services, { rateLimitPerMinute: BENCH_LIMIT });
  return (await startGateway({ ...config, identity: testIdentity('gateway') }, createLogger('gateway'), SITE)).port;
}

/** Services that know the organisation and its 50 invoices. */
async function fakesWith(organizationId: string): Promise<number> {
  const { state, addOrganization, address } = await startFakeServices();
  const organization = addOrganization();
  state.organizations.set(organizationId, { ...organization, id: organizationId });
  const profileId = organization.profiles[0]?.id ?? '';
  for (const each of benchInvoices) state.invoices.set(each.id, { ...each, organizationId, profileId });
  return Number(address.split(':')[1]);
}
