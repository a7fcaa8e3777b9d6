import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  httpLoadOf,
  httpRequest,
  single,
  spreadOf,
  type BenchAim,
  type BenchFigure,
  type LoadResult,
} from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';
import { becomeBareServer, startBareServer, type BareJob, type BareServer } from './testing/bare-server';
import { residentBytes, watchProcesses, type Used } from './testing/processor-time';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
// After load the collectors of garbage and the workers come to rest first, and renderers of sheets end after a minute without work.
const [CALM_SECONDS, IDLE_SECONDS] = SECONDS < 1 ? [0.5, 0.5] : [75, 30];
const INVOICES = 60;
const DRAFTS = 5;
// Those who ask for the same list at the same time share what is read: other organisations do not.
const ORGANIZATIONS = SECONDS < 1 ? 2 : 16;
const MB = 1_000_000;

/** A request of ours, and what stands beside it: the least that a server can do for the same. */
interface Operation {
  readonly name: string;
  readonly next: () => Buffer;
  readonly beside: '/list' | '/insert' | '/bytes';
  readonly clients: readonly number[];
  readonly aim?: BenchAim;
  /** It writes: kilobytes on disk each are shown. */
  readonly aimKilobytes?: number;
}

interface Measured extends LoadResult, Used {
  readonly count: number;
}

/**
 * The operations of the API on the whole platform, each beside a bare node:http server with the native driver on the same store, in
 * alternating rounds; then the platform at rest.
 */
export async function run(): Promise<readonly BenchFigure[]> {
  if (process.env['BENCH_BARE']) return becomeBareServer(JSON.parse(process.env['BENCH_BARE']) as BareJob);
  const platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '100000000', PAGE_RATE_LIMIT_PER_MINUTE: '100000000' },
  });
  const figures: BenchFigure[] = [];
  try {
    const { operations, bare } = await prepare(platform);
    for (const operation of operations)
      for (const clients of operation.clients) figures.push(...(await compare(platform, bare, operation, clients)));
    bare.close();
    figures.push(...(await atRest(platform)));
  } finally {
    await platform.close();
  }
  return figures;
}

const SELLER = ['--name', 'Bench', '--mode', 'test', '--iban', 'NL91ABNA0417164300', '--btw-id', 'NL001234567B01'];
const CUSTOMER = { name: 'Customer', countryCode: 'NL' };
const MAILED = { ...CUSTOMER, name: 'Mailed', email: 'customer@example.com' };
const LINES = [
  { description: 'Advice', quantity: 2, unitPriceCents: 9_500 },
  { description: 'Travel', quantity: 31.5, unitPriceCents: 23 },
  { description: 'Licence', quantity: 1, unitPriceCents: 49_900 },
];

/** An organisation with its invoices, and what issues more of them. */
async function seller(platform: RunningPlatform) {
  const { id: organizationId } = await platform.admin('org', 'create', ...SELLER);
  const { key } = await platform.admin('key', 'create', '--org', organizationId!, '--scopes', 'all');
  const api = new Api(platform.url, key);
  const invoiceOf = async (customer: object) => {
    const { body } = await api.post<{ data: { id: string } }>('/api/v1/customers', customer);
    return { customerId: body.data.id, lines: LINES };
  };
  const [invoice, mailed] = [await invoiceOf(CUSTOMER), await invoiceOf(MAILED)];
  for (let nth = 0; nth < INVOICES + DRAFTS; nth++) {
    const { status } = await api.post('/api/v1/invoices', { ...invoice, send: nth < INVOICES });
    if (status !== 201) throw new Error(`the data of the bench were refused with ${status}`);
  }
  return { organizationId, key: key!, api, invoice, mailed };
}

async function prepare(platform: RunningPlatform): Promise<{ operations: readonly Operation[]; bare: BareServer }> {
  const { organizationId, key, api, invoice, mailed } = await seller(platform);
  const others: string[] = [];
  while (others.length < ORGANIZATIONS - 1) others.push((await seller(platform)).key);
  const listed = await api.get<{ data: { public_token: string; status: string }[] }>('/api/v1/invoices');
  const token = listed.body.data.find(({ status }) => status === 'sent')!.public_token;
  const page = await (await fetch(`${platform.url}/p/${token}`)).arrayBuffer();
  const { mongodbUri } = JSON.parse(readFileSync(`${platform.dataDir}/platform.json`, 'utf8')) as BareJob;
  const bytes = Buffer.from(page).toString('base64');
  const bare = await startBareServer({ mongodbUri, organizationId: organizationId!, bytes }, platform.dataDir);
  return { operations: operationsFor([key, ...others], invoice, mailed, token), bare };
}

function operationsFor(keys: readonly string[], invoice: object, mailed: object, token: string): readonly Operation[] {
  const [authorization = '', ...others] = keys.map((key) => `authorization: Bearer ${key}`);
  const post = (path: string, body: object) => () =>
    httpRequest('POST', `/api/v1${path}`, [authorization, `idempotency-key: ${randomUUID()}`], body);
  const get = (path: string, ...headers: string[]): (() => Buffer) => {
    const request = httpRequest('GET', path, headers);
    return () => request;
  };
  return [
    { name: 'create customer', next: post('/customers', CUSTOMER), beside: '/insert', clients: [32, 1] },
    {
      name: 'issue, 3 lines, no mail',
      next: post('/invoices', { ...invoice, send: true }),
      beside: '/insert',
      clients: [32, 1],
      aimKilobytes: 60,
    },
    {
      name: 'issue with PDF and e-mail',
      next: post('/invoices', { ...mailed, send: true }),
      beside: '/insert',
      clients: [32],
    },
    {
      name: 'list of 50',
      next: get('/api/v1/invoices', authorization),
      beside: '/list',
      clients: [32, 1],
      aim: { of: 'ratio', atLeast: 0.6 },
    },
    {
      name: `list of 50, of ${keys.length} organisations in turn`,
      next: inTurn([authorization, ...others].map((each) => get('/api/v1/invoices', each))),
      beside: '/list',
      clients: [32],
    },
    { name: 'invoice page', next: get(`/p/${token}`), beside: '/bytes', clients: [32] },
    { name: 'PDF', next: get(`/p/${token}/invoice.pdf`), beside: '/bytes', clients: [32] },
  ];
}

function inTurn(requests: readonly (() => Buffer)[]): () => Buffer {
  let nth = 0;
  return () => requests[nth++ % requests.length]!();
}

async function compare(
  { url, dataDir }: RunningPlatform,
  bare: BareServer,
  { name, next, beside, aim, aimKilobytes }: Operation,
  clients: number,
): Promise<BenchFigure[]> {
  const port = Number(new URL(url).port);
  const rounds: { ours: Measured; theirs: Measured }[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const ours = await measure(dataDir, port, next, clients);
    const theirs = await measure(dataDir, bare.port, () => httpRequest('GET', beside, []), clients);
    // The first warms both up.
    if (round >= 0) rounds.push({ ours, theirs });
  }
  const of = (value: (round: { ours: Measured; theirs: Measured }) => number) => spreadOf(rounds.map(value));
  const what = `${name}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
  const cpu = Object.keys(rounds[0]!.ours.micros).map((process) => [
    process,
    of(({ ours }) => (ours.micros[process] ?? 0) / ours.count).median,
  ]);
  const kilobytes = of(({ ours }) => (ours.bytesWritten ?? NaN) / ours.count / 1_000);
  return [
    {
      name: what,
      unit: '/s',
      ours: of(({ ours }) => ours.perSecond),
      beside: { name: `bare node:http ${beside}`, value: of(({ theirs }) => theirs.perSecond) },
      cpuMicros: Object.fromEntries(cpu) as Record<string, number>,
      ...(aim && { aim }),
    },
    {
      name: `${what}, p50`,
      unit: 'ms',
      ours: of(({ ours }) => ours.p50Ms),
      beside: besideOf(
        beside,
        of(({ theirs }) => theirs.p50Ms),
      ),
    },
    {
      name: `${what}, p99`,
      unit: 'ms',
      ours: of(({ ours }) => ours.p99Ms),
      beside: besideOf(
        beside,
        of(({ theirs }) => theirs.p99Ms),
      ),
    },
    ...(aimKilobytes && Number.isFinite(kilobytes.median)
      ? [{ name: `${what}, written`, unit: 'kB', ours: kilobytes, aim: { of: 'value', atMost: aimKilobytes } as const }]
      : []),
  ];
}

const besideOf = (path: string, value: BenchFigure['ours']): BenchFigure['beside'] & object => ({
  name: `bare node:http ${path}`,
  value,
});

async function measure(dataDir: string, port: number, next: () => Buffer, clients: number): Promise<Measured> {
  const used = watchProcesses(dataDir);
  const result = await httpLoadOf(port, next, SECONDS, clients);
  return { ...result, ...used(), count: result.perSecond * SECONDS };
}

/** What the platform costs when nobody asks for anything. */
async function atRest({ dataDir }: RunningPlatform): Promise<BenchFigure[]> {
  await new Promise((resolve) => setTimeout(resolve, CALM_SECONDS * 1_000));
  const used = watchProcesses(dataDir);
  await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1_000));
  const perSecond = Object.entries(used().micros).map(([name, micros]) => [name, micros / IDLE_SECONDS] as const);
  const { addedUp, ofNoFile } = residentBytes(dataDir);
  const whole = perSecond.reduce((sum, [, micros]) => sum + micros, 0) / 1_000;
  return [
    {
      name: 'at rest, processor a second',
      unit: 'ms',
      ours: single(whole),
      cpuMicros: Object.fromEntries(perSecond),
      aim: { of: 'value', atMost: 8 },
    },
    {
      name: 'at rest, resident',
      unit: 'MB',
      ours: single(addedUp / MB),
      aim: { of: 'value', atMost: 1_000 },
    },
    { name: 'at rest, resident, without pages of files', unit: 'MB', ours: single(ofNoFile / MB) },
  ];
}
