import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
// eslint-disable-next-line no-restricted-imports -- The comparator is the bare driver.
import { MongoClient } from 'mongodb';
import { httpLoad, type LoadResult } from '@invoicing/testing';
import { Api } from './api';
import { processesOf } from './processes';
import { RunningPlatform } from './running-platform';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const CONNECTIONS = 32;
const INVOICES = 60;
const DRAFTS = 5;

interface Measured extends LoadResult {
  /** Microseconds of processor a request, by process. */
  readonly cpu: Readonly<Record<string, number>>;
}

/**
 * The list of the newest 50 invoices on the whole platform, beside a bare node:http server that does one indexed find of the same documents
 * with the native driver on the same store. Rounds alternate; medians and their spread are printed.
 */
export async function run(): Promise<void> {
  if (process.env['BENCH_BARE']) return bare(JSON.parse(process.env['BENCH_BARE']) as BareJob);
  const platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '100000000', PAGE_RATE_LIMIT_PER_MINUTE: '100000000' },
  });
  try {
    const { organizationId, key } = await seed(platform);
    const { mongodbUri } = JSON.parse(readFileSync(`${platform.dataDir}/platform.json`, 'utf8')) as BareJob;
    const server = fork(process.argv[1]!, {
      env: { ...process.env, BENCH_BARE: JSON.stringify({ mongodbUri, organizationId }), DATA_DIR: platform.dataDir },
    });
    const [{ port }] = (await once(server, 'message')) as [{ port: number }];
    const ours = Number(new URL(platform.url).port);
    const rounds: { ours: Measured; bare: Measured }[] = [];
    const authorization = [`authorization: Bearer ${key}`];
    for (let round = -1; round < ROUNDS; round++) {
      const measured = {
        ours: await measure(platform.dataDir, ours, '/api/v1/invoices', authorization),
        bare: await measure(platform.dataDir, port, '/', []),
      };
      // The first warms both up.
      if (round >= 0) rounds.push(measured);
    }
    report(rounds);
    server.kill();
  } finally {
    await platform.close();
  }
}

async function seed(platform: RunningPlatform): Promise<{ organizationId: string; key: string }> {
  const { id: organizationId } = await platform.admin(
    ...[
      'org',
      'create',
      '--name',
      'Bench',
      '--mode',
      'test',
      '--iban',
      'NL91ABNA0417164300',
      '--btw-id',
      'NL001234567B01',
    ],
  );
  const { key } = await platform.admin('key', 'create', '--org', organizationId!, '--scopes', 'all');
  const api = new Api(platform.url, key);
  const customer = await api.post<{ data: { id: string } }>('/api/v1/customers', {
    name: 'Customer',
    countryCode: 'NL',
  });
  const invoice = {
    customerId: customer.body.data.id,
    lines: [
      { description: 'Advice', quantity: 2, unitPriceCents: 9_500 },
      { description: 'Travel', quantity: 31.5, unitPriceCents: 23 },
      { description: 'Licence', quantity: 1, unitPriceCents: 49_900 },
    ],
  };
  for (let nth = 0; nth < INVOICES + DRAFTS; nth++) {
    const { status } = await api.post('/api/v1/invoices', { ...invoice, send: nth < INVOICES });
    if (status !== 201) throw new Error(`the data of the bench were refused with ${status}`);
  }
  return { organizationId: organizationId!, key: key! };
}

const TICK_US = 10_000;
/** Processor time of a process so far, in microseconds (proc(5), utime and stime). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

async function measure(dataDir: string, port: number, path: string, headers: readonly string[]): Promise<Measured> {
  const processes = processesOf(dataDir);
  const before = processes.map(({ pid }) => cpuOf(pid));
  const result = await httpLoad(port, path, headers, SECONDS, CONNECTIONS);
  const requests = result.perSecond * SECONDS;
  const cpu: Record<string, number> = {};
  processes.forEach(({ pid, command }, at) => {
    const name = /(\w+)\/main\.js|platform\/(store)\.js|(nats)-server/.exec(command)?.slice(1).find(Boolean) ?? 'bare';
    cpu[name] = (cpu[name] ?? 0) + (cpuOf(pid) - before[at]!) / requests;
  });
  return { ...result, cpu };
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

function report(rounds: readonly { ours: Measured; bare: Measured }[]): void {
  for (const kind of ['ours', 'bare'] as const) {
    const of = (value: (each: Measured) => number): string => {
      const all = rounds.map((round) => value(round[kind]));
      return `${median(all).toFixed(0)} (${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)})`;
    };
    const parts = Object.keys(rounds[0]![kind].cpu).map((name) => `${name} ${of(({ cpu }) => cpu[name] ?? 0)}`);
    const whole = of(({ cpu }) => Object.values(cpu).reduce((sum, each) => sum + each, 0));
    console.log(`${kind}: ${of(({ perSecond }) => perSecond)} req/s, CPU µs/req ${whole}: ${parts.join(', ')}`);
  }
  const ratio = (value: (round: { ours: Measured; bare: Measured }) => number): string =>
    median(rounds.map(value)).toFixed(2);
  const whole = ({ cpu }: Measured): number => Object.values(cpu).reduce((sum, each) => sum + each, 0);
  console.log(
    `ours of bare: ${ratio(({ ours, bare: b }) => ours.perSecond / b.perSecond)} by req/s, ${ratio(({ ours, bare: b }) => whole(b) / whole(ours))} by CPU`,
  );
}

interface BareJob {
  readonly mongodbUri: string;
  readonly organizationId: string;
}

/** The comparator: what is least when a list is answered over HTTP from this store. */
async function bare({ mongodbUri, organizationId }: BareJob): Promise<void> {
  const client = await MongoClient.connect(mongodbUri);
  const invoices = client.db('billing').collection('invoices');
  const projection = {
    number: 1,
    kind: 1,
    customerId: 1,
    publicToken: 1,
    issueDate: 1,
    'totals.inclCents': 1,
    createdAt: 1,
  };
  const server = createServer((_request, response) => {
    invoices
      .find({ organizationId }, { projection })
      .sort({ createdAt: -1, _id: -1 })
      .limit(50)
      .toArray()
      .then(
        (data) => {
          const body = JSON.stringify({ data });
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
            .end(body);
        },
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
  await new Promise(() => undefined);
}
