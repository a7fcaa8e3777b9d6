import { randomUUID } from 'node:crypto';
import { startTestNats, startTestStore, waitFor, type TestNats, type TestStore } from '@invoicing/testing';
import { startReceiver, type HttpReceiver } from '../testing/http-receiver';
import { paidPayload, publishEvents, sampleEvent } from '../testing/publish-event';
import { startWebhookWorker, testEndpoint } from '../testing/webhook-worker';
import { newWebhookSecret } from './sign-webhook';

const EVENTS = 300;

let store: TestStore;
let nats: TestNats;
beforeAll(async () => {
  [store, nats] = await Promise.all([startTestStore(), startTestNats()]);
});
afterAll(() => Promise.all([store.close(), nats.close()]));

const idsOf = ({ received }: HttpReceiver) => new Set(received.map(({ headers }) => headers['webhook-id']));

test('an endpoint that hangs delays no other; when it answers again, what waited for it goes on at once', async () => {
  let [isHanging, open, most] = [true, 0, 0];
  const hanging = await startReceiver((_webhook, response) => {
    most = Math.max(most, ++open);
    response.on('close', () => open--);
    if (!isHanging) response.writeHead(200).end();
  });
  const answering = await startReceiver();
  const options = { mongoUri: store.uri, natsUrl: nats.url, timeLimitMs: 2_000, leaseMs: 6_000 };
  const workers = [await startWebhookWorker(options), await startWebhookWorker(options)];
  const organizationId = randomUUID();
  const { endpoints, deliveries } = workers[0]!;
  const slow = testEndpoint(randomUUID(), organizationId, hanging.url, newWebhookSecret());
  await endpoints.ensure(slow, { kind: 'operator', id: 'test' });
  const quick = testEndpoint(randomUUID(), organizationId, answering.url, newWebhookSecret());
  await endpoints.ensure(quick, { kind: 'operator', id: 'test' });

  await publishEvents(
    nats.url,
    Array.from({ length: EVENTS }, () => sampleEvent({ organizationId, invoicePaid: paidPayload() })),
  );
  await waitFor(() => idsOf(answering).size === EVENTS, 40_000);
  // Sixteen at once in each of two processes.
  expect(most).toBeLessThanOrEqual(32);
  expect((await deliveries.firstOfNextQueue(''))?.endpointId).toBe(slow._id);

  isHanging = false;
  const delivered = async () => {
    const all = await deliveries.list({ organizationId, endpointId: slow._id }, EVENTS);
    // Those whose attempt failed wait for their schedule.
    return all.length === EVENTS && all.every(({ status, tries }) => status === 'delivered' || tries > 0);
  };
  await waitFor(delivered, 40_000, 100);
  expect(idsOf(hanging).size).toBe(EVENTS);

  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all([hanging.close(), answering.close()]);
}, 100_000);
