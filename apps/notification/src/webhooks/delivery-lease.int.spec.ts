import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { startTestNats, startTestStore, waitFor } from '@invoicing/testing';
import { startReceiver } from '../testing/http-receiver';
import { paidPayload, publishEvents, sampleEvent } from '../testing/publish-event';
import { startWebhookWorker, testEndpoint } from '../testing/webhook-worker';
import { newWebhookSecret } from './sign-webhook';

test('an attempt that outlasts its lease keeps it: no other process makes it too', async () => {
  const [store, nats] = await Promise.all([startTestStore(), startTestNats()]);
  const slow = await startReceiver(
    (_webhook, response) => void setTimeout(3_500).then(() => response.writeHead(200).end()),
  );
  const options = { mongoUri: store.uri, natsUrl: nats.url, timeLimitMs: 10_000, leaseMs: 1_500 };
  const workers = [await startWebhookWorker(options), await startWebhookWorker(options)];
  const { endpoints, deliveries } = workers[0]!;
  const organizationId = randomUUID();
  await endpoints.ensure(testEndpoint(randomUUID(), organizationId, slow.url, newWebhookSecret()), {
    kind: 'operator',
    id: 'test',
  });
  await publishEvents(nats.url, [sampleEvent({ organizationId, invoicePaid: paidPayload() })]);
  const [delivery] = await waitFor(async () => {
    const found = await deliveries.list({ organizationId }, 10);
    return found[0]?.status === 'delivered' && found;
  }, 30_000);
  expect(delivery!.attempts).toHaveLength(1);
  expect(slow.received).toHaveLength(1);
  await Promise.all(workers.map((worker) => worker.close()));
  await Promise.all([slow.close(), store.close(), nats.close()]);
}, 40_000);
