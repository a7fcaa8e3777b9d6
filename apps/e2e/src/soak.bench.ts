import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { quantile, single, waitFor, type BenchFigure } from '@invoicing/testing';
import { Api } from './api';
import { RunningPlatform } from './running-platform';
import { residentByProcess, watchProcesses } from './testing/processor-time';
import { startReceiver, type ReceivedWebhook } from './webhook-receiver';

/** 1800 for the half hour that docs/performance.md tells of. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 60);
/** Of each of these a second, evenly: a machine that cannot keep up shows it as lag. */
const PER_SECOND = 5;
const SAMPLES = 60;
// The first part warms up; the rest is compared, its first third with its last.
const WARM = 0.25;
const MB = 1_000_000;

interface Sample {
  /** Invoices issued so far. */
  readonly issued: number;
  readonly fileBytes: number;
  readonly resident: Readonly<Record<string, number>>;
}

/**
 * A constant load for a long time: customers, invoices that are issued with a webhook each, lists and pages of them. What must not grow
 * is memory, what an invoice adds to the store's file, and the time until its webhook came.
 */
export async function run(): Promise<readonly BenchFigure[]> {
  const env = { RATE_LIMIT_PER_MINUTE: '100000000', PAGE_RATE_LIMIT_PER_MINUTE: '100000000' };
  const [platform, receiver] = [await RunningPlatform.start({ env }), await startReceiver()];
  try {
    const traffic = await prepare(platform, receiver.url);
    const lag = lagOf(receiver.received);
    const samples: Sample[] = [];
    const used = watchProcesses(platform.dataDir);
    const startedAt = performance.now();
    for (let nth = 1; nth <= SAMPLES; nth++) {
      while (performance.now() - startedAt < (nth * SECONDS * 1_000) / SAMPLES) await traffic.oneTurn();
      samples.push({ issued: traffic.issuedAt.size, ...sizesOf(platform.dataDir) });
    }
    const processor = Object.values(used().micros).reduce((sum, each) => sum + each, 0) / 1_000 / SECONDS;
    await traffic.over();
    const late = await lag.all(traffic.issuedAt);
    return [...figuresOf(samples, late), { name: 'processor a second', unit: 'ms', ours: single(processor) }];
  } finally {
    receiver.close();
    await platform.close();
  }
}

async function prepare(platform: RunningPlatform, webhookUrl: string) {
  const seller = ['--name', 'Soak', '--mode', 'test', '--iban', 'NL91ABNA0417164300', '--btw-id', 'NL001234567B01'];
  const { id: organizationId = '' } = await platform.admin('org', 'create', ...seller);
  const { key } = await platform.admin('key', 'create', '--org', organizationId, '--scopes', 'all');
  await platform.admin('webhook', 'create', '--org', organizationId, '--url', webhookUrl, '--events', 'invoice.issued');
  const api = new Api(platform.url, key);
  const [underWay, issuedAt] = [new Set<Promise<void>>(), new Map<string, number>()];
  let token = '';
  const customer = { name: 'Customer', countryCode: 'NL' };
  const { body } = await created<{ id: string }>(api, '/api/v1/customers', customer);
  const lines = [{ description: 'Advice', quantity: 2, unitPriceCents: 9_500 }];
  const issue = async (): Promise<void> => {
    const { body: issued } = await created<{ id: string; public_token: string }>(api, '/api/v1/invoices', {
      ...{ customerId: body.data.id, lines, send: true },
    });
    issuedAt.set(issued.data.id, performance.now());
    token = issued.data.public_token;
  };
  await issue();
  const each = [
    issue,
    async () => void (await created(api, '/api/v1/customers', customer)),
    async () => read(api, '/api/v1/invoices'),
    async () => void (await (await fetch(`${platform.url}/p/${token}`)).arrayBuffer()),
  ];
  let nth = 0;
  const startedAt = performance.now();
  return {
    issuedAt,
    /** Asks for the next when its time has come, whether or not the one before was answered. */
    oneTurn: async (): Promise<void> => {
      const due = startedAt + (nth * 1_000) / (PER_SECOND * each.length);
      await setTimeout(Math.max(0, due - performance.now()));
      const asked = each[nth++ % each.length]!().finally(() => underWay.delete(asked));
      underWay.add(asked);
      if (underWay.size > 500) await asked;
    },
    over: () => Promise.all(underWay),
  };
}

async function created<T>(api: Api, path: string, body: object) {
  const answer = await api.post<{ data: T }>(path, body, { 'idempotency-key': randomUUID() });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}`);
  return answer;
}

async function read(api: Api, path: string): Promise<void> {
  const { status } = await api.get(path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
}

/** When the webhook of each invoice came. */
function lagOf(received: ReceivedWebhook[]) {
  const arrivedAt = new Map<string, number>();
  const push = received.push.bind(received);
  received.push = (...webhooks) => {
    for (const { body } of webhooks) {
      const { data } = JSON.parse(body) as { data: { invoiceId: string } };
      arrivedAt.set(data.invoiceId, performance.now());
    }
    return push();
  };
  return {
    /** Milliseconds from each answer to its webhook, in the order of the answers. Waits for the last. */
    all: async (issuedAt: ReadonlyMap<string, number>): Promise<number[]> => {
      await waitFor(() => [...issuedAt.keys()].every((id) => arrivedAt.has(id)), 60_000);
      return [...issuedAt].map(([id, at]) => Math.max(0, arrivedAt.get(id)! - at));
    },
  };
}

function sizesOf(dataDir: string): Omit<Sample, 'issued'> {
  const { blocks } = statSync(join(dataDir, 'store', 'store.mdb'));
  return { fileBytes: blocks * 512, resident: residentByProcess(dataDir) };
}

/** The third after warming up, and the last one. */
function thirdsOf<T>(all: readonly T[]): [T[], T[]] {
  const compared = all.slice(Math.floor(all.length * WARM));
  const third = Math.max(2, Math.floor(compared.length / 3));
  return [compared.slice(0, third), compared.slice(-third)];
}

function figuresOf(samples: readonly Sample[], lagMs: readonly number[]): BenchFigure[] {
  const beside = (value: number): BenchFigure['beside'] & object => ({ name: 'its first third', value: single(value) });
  const flat = { of: 'ratio', atMost: 1.1 } as const;
  const [early, late] = thirdsOf(samples);
  const [soon, after] = thirdsOf(lagMs);
  const whole = ({ resident }: Sample): number => Object.values(resident).reduce((sum, each) => sum + each, 0) / MB;
  const of = (some: readonly Sample[], value: (sample: Sample) => number): number => quantile(some.map(value), 0.5);
  const addedBy = (some: readonly Sample[]): number =>
    (some.at(-1)!.fileBytes - some[0]!.fileBytes) / Math.max(1, some.at(-1)!.issued - some[0]!.issued) / 1_000;
  return [
    {
      name: `resident, all, last third of ${SECONDS} s`,
      unit: 'MB',
      ours: single(of(late, whole)),
      beside: beside(of(early, whole)),
      aim: flat,
    },
    ...Object.keys(samples.at(-1)!.resident).map((name) => {
      const value = ({ resident }: Sample): number => (resident[name] ?? 0) / MB;
      return { name: `resident, ${name}`, unit: 'MB', ours: single(of(late, value)), beside: beside(of(early, value)) };
    }),
    {
      name: "the store's file, an invoice with its customer and webhook",
      unit: 'kB',
      ours: single(addedBy(late)),
      beside: beside(addedBy(early)),
    },
    {
      name: 'answer to webhook, p50',
      unit: 'ms',
      ours: single(quantile(after, 0.5)),
      beside: beside(quantile(soon, 0.5)),
    },
    {
      name: 'answer to webhook, p99',
      unit: 'ms',
      ours: single(quantile(after, 0.99)),
      beside: beside(quantile(soon, 0.99)),
    },
  ];
}
