import { randomUUID } from 'node:crypto';
import { connectMongo } from '@invoicing/mongo';
import { waitFor } from '@invoicing/testing';
import { startHangingEndpoint } from '../testing/hanging-endpoint';
import { startEventSource } from '../testing/event-source';
import { becomePart, startFragileWebhooks } from '../testing/fragile-webhooks';
import { startReceiver, type HttpReceiver } from '../testing/http-receiver';
import { paidPayload, sampleEvent } from '../testing/publish-event';
import { testEndpoint } from '../testing/webhook-worker';
import { openDeliveryStore } from './delivery-store';
import { openEndpointStore } from './endpoint-store';
import { newWebhookSecret, webhookSignature } from './sign-webhook';

const EVENTS = Number(process.env['CHAOS_EVENTS'] ?? 1_000);
const PER_SECOND = 40;
const WORKERS = 2;
const SETTLE_MS = 120_000;

/**
 * Events for two endpoints that live and one that accepts and never answers, while workers, store and broker are killed at random and
 * the broker's folder is deleted once. Afterwards every event must have reached both, signed, with one id and one body each.
 */
export async function run(): Promise<void> {
  if (await becomePart()) return new Promise(() => undefined);
  const parts = await startFragileWebhooks(WORKERS, { timeLimitMs: 1_000, leaseMs: 4_000 });
  const receivers = [await startReceiver(), await startReceiver()];
  const dead = await startHangingEndpoint();
  try {
    const organizationId = randomUUID();
    const secret = newWebhookSecret();
    const connection = await connectMongo({ uri: parts.mongoUri, database: 'notification' });
    const endpoints = await openEndpointStore(connection);
    const deliveries = await openDeliveryStore(connection);
    for (const url of [...receivers.map((receiver) => receiver.url), dead.url])
      await endpoints.ensure(testEndpoint(randomUUID(), organizationId, url, secret), { kind: 'operator', id: 'test' });
    const source = await startEventSource({ mongoUri: parts.mongoUri, natsUrl: parts.natsUrl, resendMs: 3_000 });

    const startedAt = Date.now();
    let committing = true;
    const killing = parts.killAtRandom(() => committing);
    const ids: string[] = [];
    for (let index = 0; index < EVENTS; index++) {
      const event = sampleEvent({ organizationId, invoicePaid: paidPayload() });
      await source.commit(event);
      ids.push(event.id);
      await new Promise((resolve) => setTimeout(resolve, 1_000 / PER_SECOND));
    }
    committing = false;
    const kills = await killing;
    const committedAt = Date.now();
    const stored = async (): Promise<number> => (await deliveries.list({ organizationId }, EVENTS * 4)).length;
    // The dead one's deliveries, too, must be there: an event whose handling was cut short comes again.
    await waitFor(
      async () => receivers.every((receiver) => distinct(receiver).size === EVENTS) && (await stored()) === EVENTS * 3,
      SETTLE_MS,
      100,
    ).catch(() => undefined);
    const settledMs = Date.now() - committedAt;

    receivers.forEach((receiver, index) => checkReceived(`endpoint ${index + 1}`, receiver, ids, secret));
    const count = await stored();
    if (count !== EVENTS * 3) throw new Error(`${count} deliveries are stored, not ${EVENTS * 3}`);
    const repeats = receivers.reduce((sum, { received }) => sum + received.length - EVENTS, 0);
    console.log(
      `killed: ${Object.entries(kills)
        .map(([kind, count]) => `${kind} ${count}`)
        .join(', ')}`,
    );
    console.log(
      `${EVENTS} events in ${((committedAt - startedAt) / 1_000).toFixed(1)} s, settled ${(settledMs / 1_000).toFixed(1)} s later`,
    );
    console.log(`0 lost; ${repeats} repeats, each with the same webhook-id and body`);
    await source.close();
    await connection.close();
  } finally {
    await parts.close();
    await Promise.all([...receivers, dead].map((each) => each.close()));
  }
}

const distinct = ({ received }: HttpReceiver): Set<string> =>
  new Set(received.map(({ headers }) => headers['webhook-id']!));

function checkReceived(name: string, receiver: HttpReceiver, ids: readonly string[], secret: string): void {
  const bodies = new Map<string, string>();
  for (const { body, headers } of receiver.received) {
    const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signature } = headers;
    if (signature !== webhookSignature(secret, id, Number(timestamp), body))
      throw new Error(`${name}: ${id} is not signed`);
    if ((bodies.get(id) ?? body) !== body) throw new Error(`${name}: ${id} came with two bodies`);
    bodies.set(id, body);
  }
  const lost = ids.filter((id) => !bodies.has(id));
  if (lost.length > 0)
    throw new Error(`${name}: ${lost.length} of ${ids.length} events are lost, ${lost[0]} among them`);
  if (bodies.size !== ids.length) throw new Error(`${name}: events came that nobody committed`);
}
