import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  Client,
  Server,
  ServerCredentials,
  credentials,
  type sendUnaryData,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import {
  InvoicesService,
  ListInvoicesResponse,
  type ListInvoicesRequest,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { newCallContext, openChannel } from '@invoicing/rpc';
import { spreadOf, testIdentity, type BenchFigure } from '@invoicing/testing';
import { benchInvoices } from '../testing/bench-servers';
import { startFakeServices } from '../testing/fake-services';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CALLERS = 32;

type Way = 'ours' | 'plain';
interface HopServer {
  readonly child: ChildProcess;
  readonly address: string;
  readonly organizationId: string;
}

interface Measured {
  readonly perSecond: number;
  /** Microseconds of processor a call, of both ends. */
  readonly micros: number;
}

/**
 * One inner call that answers 50 invoices, with all that ours does (who calls, deadline, trace, circuit, log), beside grpc-js as it comes
 * with the same messages: what a hop costs at least on this wire.
 */
export async function run(): Promise<readonly BenchFigure[]> {
  if (process.env['BENCH_HOP']) return serve(process.env['BENCH_HOP'] as Way);
  const servers = { ours: await start('ours'), plain: await start('plain') };
  const calls = { ours: oursTo(servers.ours), plain: plainTo(servers.plain) };
  const rounds: Record<Way, Measured[]> = { ours: [], plain: [] };
  for (let round = -1; round < ROUNDS; round++)
    for (const way of ['ours', 'plain'] as const) {
      const measured = await measure(servers[way], calls[way]);
      // The first warms both up.
      if (round >= 0) rounds[way].push(measured);
    }
  for (const { child } of Object.values(servers)) child.kill();
  const of = (way: Way, key: keyof Measured) => spreadOf(rounds[way].map((each) => each[key]));
  const name = 'grpc-js as it comes';
  return [
    {
      name: 'inner call with 50 invoices, 32 at once',
      unit: '/s',
      ours: of('ours', 'perSecond'),
      beside: { name, value: of('plain', 'perSecond') },
    },
    {
      name: 'inner call with 50 invoices, processor of both ends',
      unit: 'µs',
      ours: of('ours', 'micros'),
      beside: { name, value: of('plain', 'micros') },
    },
  ];
}

async function measure({ child }: HopServer, call: () => Promise<unknown>): Promise<Measured> {
  const before = process.cpuUsage();
  const theirs = await cpuOf(child);
  const until = performance.now() + SECONDS * 1_000;
  let count = 0;
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      for (; performance.now() < until; count++) await call();
    }),
  );
  const { user, system } = process.cpuUsage(before);
  return { perSecond: count / SECONDS, micros: (user + system + (await cpuOf(child)) - theirs) / count };
}

function oursTo({ address, organizationId }: HopServer): () => Promise<unknown> {
  const invoices = openChannel(address, testIdentity('gateway')).client(InvoicesService);
  const request = { organizationId, limit: 50 } as ListInvoicesRequest;
  return () => invoices.listInvoices(request, newCallContext(10_000));
}

const METHOD = InvoicesService.listInvoices;

function plainTo({ address, organizationId }: HopServer): () => Promise<unknown> {
  const client = new Client(address, credentials.createInsecure());
  const request = { organizationId, limit: 50 } as ListInvoicesRequest;
  return () =>
    new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        METHOD.path,
        METHOD.requestSerialize,
        METHOD.responseDeserialize,
        request,
        (error, answer) => (error ? reject(error) : resolve(answer)),
      );
    });
}

async function start(way: Way): Promise<HopServer> {
  const child = fork(process.argv[1]!, {
    env: { ...process.env, BENCH_HOP: way },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [told] = (await once(child, 'message')) as [Omit<HopServer, 'child'>];
  return { ...told, child };
}

async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ user, system }] = (await once(child, 'message')) as [NodeJS.CpuUsage];
  return user + system;
}

/** The child's side: it stays as long as its parent. */
async function serve(way: Way): Promise<never> {
  process.once('disconnect', () => process.exit());
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.(way === 'ours' ? await serveOurs() : await servePlain());
  return new Promise<never>(() => undefined);
}

async function serveOurs(): Promise<Omit<HopServer, 'child'>> {
  const { state, addOrganization, address } = await startFakeServices();
  const { id: organizationId, profiles } = addOrganization();
  const profileId = profiles[0]?.id ?? '';
  for (const each of benchInvoices) state.invoices.set(each.id, { ...each, organizationId, profileId });
  return { address, organizationId };
}

async function servePlain(): Promise<Omit<HopServer, 'child'>> {
  const server = new Server();
  const answer = ListInvoicesResponse.fromPartial({ invoices: benchInvoices });
  const listInvoices = (
    _call: ServerUnaryCall<ListInvoicesRequest, ListInvoicesResponse>,
    done: sendUnaryData<ListInvoicesResponse>,
  ): void => done(null, answer);
  server.addService({ listInvoices: METHOD }, { listInvoices });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { address: `127.0.0.1:${port}`, organizationId: 'bench' };
}
