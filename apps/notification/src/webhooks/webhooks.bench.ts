import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { connectMongo } from '@invoicing/mongo';
import { quantile, single, spreadOf, waitFor, type BenchFigure, type Spread } from '@invoicing/testing';
import { becomeSink, startCountingSink, type CountingSink } from '../testing/counting-sink';
import { startHangingEndpoint } from '../testing/hanging-endpoint';
import { startEventSource } from '../testing/event-source';
import { becomePart, startFragileWebhooks, type FragileWebhooks } from '../testing/fragile-webhooks';
import { startReceiver } from '../testing/http-receiver';
import { paidPayload, publishEvents, sampleEvent } from '../testing/publish-event';
import { startWebhookWorker, testEndpoint } from '../testing/webhook-worker';
import { openEndpointStore } from './endpoint-store';
import { newWebhookSecret, webhookHeaders } from './sign-webhook';
import { webhookBody } from './webhook-body';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 3_000);
const WARM_UP_EVENTS = Math.min(EVENTS, 1_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const ENDPOINTS = 8;
const CONNECTIONS = 128;
const IDLE_EVENTS = Math.min(EVENTS, 300);
const IDLE_PAUSE_MS = 20;
const PACED_EVENTS = Math.min(EVENTS, 1_000);
const PACED_PAUSE_MS = 15;
const TIMES = { timeLimitMs: 15_000, leaseMs: 4_000 };

/** Throughput beside a bare loop, latency when idle, and what an endpoint that hangs costs the others. */
export async function run(): Promise<readonly BenchFigure[]> {
  if (becomeSink() || (await becomePart())) return new Promise<never>(() => undefined);
  return [await throughput(), ...(await idleLatency()), await besideHangingEndpoint()];
}

async function throughput(): Promise<BenchFigure> {
  const sink = await startCountingSink();
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    await bareLoop(sink.url, WARM_UP_EVENTS * ENDPOINTS);
    rates.bare.push(await bareLoop(sink.url, EVENTS * ENDPOINTS));
    rates.ours.push(await deliveries(sink));
  }
  sink.close();
  return {
    name: `webhook deliveries, ${ENDPOINTS} endpoints`,
    unit: '/s',
    ours: spreadOf(rates.ours),
    beside: { name: 'bare undici loop', value: spreadOf(rates.bare) },
    aim: { of: 'ratio', atLeast: 0.35 },
  };
}

/** Signs and posts as fast as it can, with as many connections as the worker may use. */
async function bareLoop(url: string, posts: number): Promise<number> {
  const dispatcher = new Agent({ connections: CONNECTIONS, pipelining: 1 });
  const secrets = [newWebhookSecret()];
  const body = webhookBody(sampleEvent({ invoicePaid: paidPayload() }))!;
  let left = posts;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) {
        const headers = {
          'content-type': 'application/json',
          ...webhookHeaders(secrets, randomUUID(), new Date(), body),
        };
        const response = await request(url, { method: 'POST', dispatcher, headers, body });
        await response.body.dump();
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1_000;
  await dispatcher.close();
  return posts / seconds;
}

/** From a full stream to the last delivery that the sink has seen: consume, store, sign, post, store the outcome. */
async function deliveries(sink: CountingSink): Promise<number> {
  const parts = await startFragileWebhooks(0, TIMES);
  const organizationId = await withEndpoints(
    parts,
    Array.from({ length: ENDPOINTS }, () => sink.url),
  );
  const drain = async (count: number): Promise<number> => {
    const events = Array.from({ length: count }, () => sampleEvent({ organizationId, invoicePaid: paidPayload() }));
    await publishEvents(parts.natsUrl, events);
    const before = await sink.count();
    const startedAt = performance.now();
    const worker = await startWebhookWorker({ ...parts, ...TIMES });
    await waitFor(async () => (await sink.count()) - before >= count * ENDPOINTS, 120_000, 10);
    const seconds = (performance.now() - startedAt) / 1_000;
    await worker.close();
    return (count * ENDPOINTS) / seconds;
  };
  await drain(WARM_UP_EVENTS);
  const rate = await drain(EVENTS);
  await parts.close();
  return rate;
}

async function idleLatency(): Promise<BenchFigure[]> {
  const parts = await startFragileWebhooks(1, TIMES);
  const latencies = await latenciesOf(parts, 1, [], IDLE_EVENTS, IDLE_PAUSE_MS, true);
  await parts.close();
  const at = (share: number): Spread => single(quantile(latencies, share));
  return [
    { name: 'event commit → receipt when idle, p50', unit: 'ms', ours: at(0.5) },
    {
      name: 'event commit → receipt when idle, p99',
      unit: 'ms',
      ours: at(0.99),
      aim: { of: 'value', atMost: 25 },
    },
  ];
}

async function besideHangingEndpoint(): Promise<BenchFigure> {
  const p99: Record<'living' | 'dead', number[]> = { living: [], dead: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const third of ['living', 'dead'] as const) {
      const parts = await startFragileWebhooks(1, TIMES);
      const other = third === 'dead' ? await startHangingEndpoint() : await startReceiver();
      p99[third].push(quantile(await latenciesOf(parts, 2, [other.url], PACED_EVENTS, PACED_PAUSE_MS), 0.99));
      await Promise.all([parts.close(), other.close()]);
    }
  }
  return {
    name: 'p99 commit → receipt of two endpoints beside one that hangs',
    unit: 'ms',
    ours: spreadOf(p99.dead),
    beside: { name: 'beside one that answers', value: spreadOf(p99.living) },
    aim: { of: 'ratio', atMost: 1.05 },
  };
}

/** Commits events and measures each until `count` receivers of ours have it; `others` are endpoints beside them. */
async function latenciesOf(
  parts: FragileWebhooks,
  count: number,
  others: readonly string[],
  events: number,
  pauseMs: number,
  oneByOne = false,
): Promise<number[]> {
  const committed = new Map<string, number>();
  const latencies: number[] = [];
  const receivers = await Promise.all(
    Array.from({ length: count }, () =>
      startReceiver(({ headers, at }, response) => {
        latencies.push(at - (committed.get(headers['webhook-id']!) ?? at));
        response.writeHead(204).end();
      }),
    ),
  );
  const organizationId = await withEndpoints(parts, [...receivers.map(({ url }) => url), ...others]);
  const source = await startEventSource(parts);
  for (let index = 0; index < events; index++) {
    const event = sampleEvent({ organizationId, invoicePaid: paidPayload() });
    const startedAt = now();
    committed.set(event.id, startedAt);
    await source.commit(event);
    if (oneByOne) await waitFor(() => latencies.length === (index + 1) * count, 10_000, 2);
    await setTimeout(pauseMs);
  }
  await waitFor(() => latencies.length >= events * count, 30_000);
  await source.close();
  await Promise.all(receivers.map((receiver) => receiver.close()));
  return latencies;
}

async function withEndpoints({ mongoUri }: FragileWebhooks, urls: readonly string[]): Promise<string> {
  const connection = await connectMongo({ uri: mongoUri, database: 'notification' });
  const endpoints = await openEndpointStore(connection);
  const organizationId = randomUUID();
  for (const url of urls)
    await endpoints.ensure(testEndpoint(randomUUID(), organizationId, url, newWebhookSecret()), {
      kind: 'operator',
      id: 'test',
    });
  await connection.close();
  return organizationId;
}

/** Finer than Date.now, on the same clock. */
const now = (): number => performance.timeOrigin + performance.now();
