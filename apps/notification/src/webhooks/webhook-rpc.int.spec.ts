import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import {
  WebhooksService,
  type CreateEndpointRequest,
  type Delivery,
} from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PaymentRecorded } from '@invoicing/contracts/invoicing/events/v1/events';
import { testCall, testPerson, waitFor } from '@invoicing/testing';
import { startReceiver, type HttpReceiver } from '../testing/http-receiver';
import { paidPayload, publishEvents, sampleEvent } from '../testing/publish-event';
import { startTestNotification, type TestNotification } from '../testing/start-test-notification';

let service: TestNotification;
let organizationId: string;
const closers: (() => unknown)[] = [];
beforeAll(async () => (service = await startTestNotification()));
afterAll(() => service.close());
beforeEach(() => (organizationId = service.billing.addOrganization()));
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const webhooks = (identity = 'admin') => service.channel(identity).client(WebhooksService);

async function receiver(answer?: Parameters<typeof startReceiver>[0]): Promise<HttpReceiver> {
  const made = await startReceiver(answer);
  closers.push(() => made.close());
  return made;
}

async function endpointAt(url: string, changes: Partial<CreateEndpointRequest> = {}) {
  const { endpoint, secret } = await webhooks().createEndpoint(
    { organizationId, url, events: [], ...changes },
    testCall(),
  );
  return { id: endpoint!.id, secret };
}

const paidEvent = () => sampleEvent({ organizationId, invoicePaid: paidPayload() });
const publish = (...events: ReturnType<typeof paidEvent>[]) => publishEvents(service.nats.url, events);

async function deliveries(): Promise<Delivery[]> {
  const request = { organizationId, endpointId: undefined, limit: 0 };
  return (await webhooks().listDeliveries(request, testCall())).deliveries;
}

const settled = (count = 1): Promise<Delivery[]> =>
  waitFor(async () => {
    const found = await deliveries();
    return found.filter(({ status }) => status !== 'pending').length === count && found;
  });

test('a paid invoice reaches every endpoint of its organisation that wants it, signed, once', async () => {
  const [first, second, stranger] = [await receiver(), await receiver(), await receiver()];
  const { secret } = await endpointAt(`${first.url}/hook`);
  await endpointAt(second.url, { events: ['invoice.paid'] });
  await endpointAt(stranger.url, { organizationId: service.billing.addOrganization() });
  const event = paidEvent();
  await publish(event, event);
  await settled(2);
  await publish(event);
  const last = paidEvent();
  await publish(last);
  await settled(4);

  expect(first.received.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, last.id]);
  expect(second.received).toHaveLength(2);
  expect(stranger.received).toEqual([]);
  const { body, headers, path } = first.received[0]!;
  expect(path).toBe('/hook');
  expect(new Webhook(secret).verify(body, headers)).toMatchObject({
    type: 'invoice.paid',
    data: { invoiceId: event.invoicePaid!.invoiceId, payment: { amountCents: 12_100 } },
  });
  expect((await deliveries())[0]).toMatchObject({
    eventId: last.id,
    eventType: 'invoice.paid',
    status: 'delivered',
    attempts: [{ status: 204, error: '' }],
    nextAttemptAt: undefined,
  });
});

test('an endpoint gets what it asks for: invoice.paid when it says nothing; other events from when it asks for them', async () => {
  const [silent, curious] = [await receiver(), await receiver()];
  const { id: silentId } = await endpointAt(silent.url);
  const { id: endpointId } = await endpointAt(curious.url, { events: ['payment.recorded', 'payment.recorded'] });
  const { endpoints } = await webhooks().listEndpoints({ organizationId }, testCall());
  expect(new Map(endpoints.map(({ id, events }) => [id, events]))).toEqual(
    new Map([
      [silentId, ['invoice.paid']],
      [endpointId, ['payment.recorded']],
    ]),
  );
  const recorded = () =>
    sampleEvent({
      organizationId,
      type: 'payment.recorded',
      paymentRecorded: PaymentRecorded.fromPartial({ moved: { amountCents: 5_000, openCents: 7_100 } }),
    });
  await publish(recorded(), paidEvent());
  await settled(2);
  const changed = await webhooks().updateEndpoint({ endpointId, events: ['invoice.paid', 'mail.failed'] }, testCall());
  expect(changed.events).toEqual(['invoice.paid', 'mail.failed']);
  await publish(recorded(), paidEvent());
  await settled(4);
  const types = ({ received }: HttpReceiver) => received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  expect(types(silent)).toEqual(['invoice.paid', 'invoice.paid']);
  expect(types(curious)).toEqual(['payment.recorded', 'invoice.paid']);
  for (const events of [[], ['invoice.*'], ['webhook.test']])
    await expect(webhooks().updateEndpoint({ endpointId, events }, testCall())).rejects.toMatchObject({
      code: 'validation',
    });
});

test('what is refused is tried again after 5 s with the same id, and every attempt is in the log', async () => {
  let refusals = 1;
  const hook = await receiver(
    (_webhook, response) => void response.writeHead(refusals-- > 0 ? 500 : 200).end('x'.repeat(5_000)),
  );
  await endpointAt(hook.url);
  await publish(paidEvent());
  const [delivery] = await settled();
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 500 }, { status: 200 }] });
  expect(delivery!.attempts[0]!.responseExcerpt).toHaveLength(1_024);
  const [first, second] = hook.received;
  expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(4_990);
}, 30_000);

test('410 disables the endpoint for good; disabled by the operator, enabled again', async () => {
  const gone = await receiver((_webhook, response) => void response.writeHead(410).end());
  const { id } = await endpointAt(gone.url);
  await publish(paidEvent());
  const [delivery] = await settled();
  expect(delivery).toMatchObject({ status: 'failed', attempts: [{ status: 410 }] });
  const shown = await waitFor(async () => {
    const { endpoints } = await webhooks().listEndpoints({ organizationId }, testCall());
    return endpoints[0]?.enabled === false && endpoints[0];
  });
  expect(shown.disabledReason).toBe('gone');
  await publish(paidEvent());
  await expect(webhooks().redeliver({ deliveryId: delivery!.id }, testCall())).rejects.toMatchObject({
    code: 'endpoint_disabled',
  });
  await expect(webhooks().sendTestEvent({ endpointId: id }, testCall())).rejects.toMatchObject({ kind: 'blocked' });

  expect(await webhooks().enableEndpoint({ endpointId: id, catchUp: false }, testCall())).toMatchObject({
    enabled: true,
    disabledReason: '',
  });
  expect(await webhooks().disableEndpoint({ endpointId: id }, testCall())).toMatchObject({
    enabled: false,
    disabledReason: 'operator',
  });
  expect(gone.received).toHaveLength(1);
});

test('events while an endpoint is disabled are held; a catch-up sends them oldest first, one after the other', async () => {
  let open = 0;
  const hook = await receiver((_webhook, response) => {
    const overlaps = ++open > 1;
    setTimeout(() => {
      open--;
      response.writeHead(overlaps ? 409 : 204).end();
    }, 20);
  });
  const { id: endpointId } = await endpointAt(hook.url);
  await webhooks().disableEndpoint({ endpointId }, testCall());
  const events = Array.from({ length: 12 }, paidEvent);
  for (const [at, event] of events.entries()) {
    await publish(event);
    await waitFor(async () => (await deliveries()).length === at + 1);
  }
  expect(new Set((await deliveries()).map(({ status }) => status))).toEqual(new Set(['held']));

  await webhooks().enableEndpoint({ endpointId, catchUp: false }, testCall());
  await webhooks().sendTestEvent({ endpointId }, testCall());
  await waitFor(() => hook.received.length === 1);
  expect((await deliveries()).filter(({ status }) => status === 'held')).toHaveLength(12);

  await webhooks().enableEndpoint({ endpointId, catchUp: true }, testCall());
  await waitFor(async () => (await deliveries()).every(({ status }) => status === 'delivered'));
  const ids = hook.received.slice(1).map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual(events.map(({ id }) => id));
}, 30_000);

test('what has not arrived of a period is sent again, by endpoint and by organisation; what has arrived is not', async () => {
  const hook = await receiver();
  const { id: endpointId } = await endpointAt(hook.url);
  const other = await endpointAt(hook.url, { events: ['invoice.paid'] });
  await webhooks().disableEndpoint({ endpointId: other.id }, testCall());
  await publish(paidEvent());
  await settled(2);
  await webhooks().disableEndpoint({ endpointId }, testCall());
  await publish(paidEvent());
  await settled(4);
  const between = new Date();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await publish(paidEvent());
  await settled(6);

  const redeliver = async (request: Parameters<ReturnType<typeof webhooks>['redeliverPeriod']>[0]) =>
    (await webhooks().redeliverPeriod(request, testCall())).deliveries;
  await expect(redeliver({ endpointId })).rejects.toMatchObject({ code: 'endpoint_disabled' });
  await expect(redeliver({})).rejects.toMatchObject({ code: 'validation' });
  await expect(redeliver({ organizationId, from: between, to: between })).rejects.toMatchObject({ code: 'validation' });
  await webhooks().enableEndpoint({ endpointId, catchUp: false }, testCall());
  expect(await redeliver({ endpointId, to: between })).toBe(1);
  await waitFor(() => hook.received.length === 2);
  // The other endpoint is still disabled, and two of the three have arrived.
  await waitFor(async () => (await deliveries()).filter(({ status }) => status === 'held').length === 4);
  expect(await redeliver({ organizationId, from: between })).toBe(1);
  await waitFor(async () => (await deliveries()).filter(({ status }) => status === 'delivered').length === 3);
  expect(await redeliver({ organizationId })).toBe(0);
  expect(hook.received).toHaveLength(3);
}, 30_000);

test('an endpoint that has failed for five days is disabled; one success before that starts the count anew', async () => {
  let status = 500;
  const hook = await receiver((_webhook, response) => void response.writeHead(status).end());
  const { id } = await endpointAt(hook.url);
  const endpoints = service.collection('endpoints');
  const failingSince = async () => (await endpoints.findOne<{ failingSince?: Date }>({ _id: id }))?.failingSince;
  const longAgo = () =>
    endpoints.updateOne({ _id: id }, { $set: { failingSince: new Date(Date.now() - 5.01 * 86_400_000) } });

  await publish(paidEvent());
  await waitFor(failingSince);
  await longAgo();
  status = 200;
  await webhooks().sendTestEvent({ endpointId: id }, testCall());
  await waitFor(async () => (await failingSince()) === undefined);

  await longAgo();
  status = 500;
  await webhooks().sendTestEvent({ endpointId: id }, testCall());
  await waitFor(async () => {
    const { endpoints: shown } = await webhooks().listEndpoints({ organizationId }, testCall());
    return shown[0]?.disabledReason === 'failing';
  });
  await waitFor(async () => (await deliveries()).every(({ status: each }) => each !== 'pending'));
});

test('a delivery is sent again by hand, with the same id, also when it had arrived', async () => {
  const hook = await receiver();
  await endpointAt(hook.url);
  const event = paidEvent();
  await publish(event);
  const [delivery] = await settled();
  await webhooks().redeliver({ deliveryId: delivery!.id }, testCall());
  await waitFor(() => hook.received.length === 2);
  expect(hook.received.map(({ headers }) => headers['webhook-id'])).toEqual([event.id, event.id]);
  await waitFor(async () => (await settled())[0]!.attempts.length === 2);
  await expect(webhooks().redeliver({ deliveryId: `${randomUUID()}:x` }, testCall())).rejects.toMatchObject({
    kind: 'absent',
  });
});

test('while a secret is rotated both verify; a rotation again leaves two', async () => {
  const hook = await receiver();
  const { id, secret: first } = await endpointAt(hook.url);
  const { secret: second } = await webhooks().rotateSecret({ endpointId: id }, testCall());
  const verifies = (secret: string): boolean => {
    const { body, headers } = hook.received.at(-1)!;
    try {
      return new Webhook(secret).verify(body, headers) !== undefined;
    } catch {
      return false;
    }
  };
  await webhooks().sendTestEvent({ endpointId: id }, testCall());
  await waitFor(() => hook.received.length === 1);
  expect([first, second].map(verifies)).toEqual([true, true]);

  const { secret: third } = await webhooks().rotateSecret({ endpointId: id }, testCall());
  await webhooks().sendTestEvent({ endpointId: id }, testCall());
  await waitFor(() => hook.received.length === 2);
  expect([first, second, third].map(verifies)).toEqual([false, true, true]);

  // A day later only the newest is left.
  const endpoints = service.collection('endpoints');
  await endpoints.updateOne({ _id: id }, { $set: { 'secrets.1.validUntil': new Date(Date.now() - 1) } });
  await webhooks().sendTestEvent({ endpointId: id }, testCall());
  await waitFor(() => hook.received.length === 3);
  expect([second, third].map(verifies)).toEqual([false, true]);
});

test('a secret that leaked ends at once', async () => {
  const hook = await receiver();
  const { id, secret: leaked } = await endpointAt(hook.url);
  const { secret: fresh } = await webhooks().rotateSecret({ endpointId: id, now: true }, testCall());
  await webhooks().sendTestEvent({ endpointId: id }, testCall());
  await waitFor(() => hook.received.length === 1);
  const { body, headers } = hook.received[0]!;
  expect(() => new Webhook(leaked).verify(body, headers)).toThrow();
  expect(new Webhook(fresh).verify(body, headers)).toBeDefined();
});

test('secrets are shown once and lie sealed in the store', async () => {
  const { id, secret } = await endpointAt('https://example.com/hook');
  expect(JSON.stringify(await webhooks().listEndpoints({ organizationId }, testCall()))).not.toContain(secret);
  const endpoints = service.collection('endpoints');
  expect(JSON.stringify(await endpoints.findOne({ _id: id }))).not.toContain(secret);
});

test('the same creation again meets the same endpoint', async () => {
  const context = testCall({ operationId: randomUUID() });
  const request = { organizationId, url: 'https://example.com/', events: [] };
  expect(await webhooks().createEndpoint(request, context)).toEqual(await webhooks().createEndpoint(request, context));
});

test('bad input: every fault at once, unknown organisations and ids, callers that may not', async () => {
  const call = (request: Partial<CreateEndpointRequest>, identity?: string) =>
    webhooks(identity).createEndpoint(
      { organizationId, url: 'https://example.com', events: [], ...request },
      testCall(),
    );
  await expect(call({ url: 'https://10.0.0.1/', events: ['invoice.paid', 'nope'] })).rejects.toMatchObject({
    code: 'validation',
    details: [{ path: '/url' }, { path: '/events/1' }],
  });
  await expect(call({ organizationId: randomUUID() })).rejects.toMatchObject({ kind: 'absent' });
  await expect(call({ organizationId: 'x' })).rejects.toMatchObject({ code: 'validation' });
  await expect(call({}, 'checkout')).rejects.toMatchObject({ kind: 'forbidden' });
  for (const method of [
    'disableEndpoint',
    'enableEndpoint',
    'rotateSecret',
    'sendTestEvent',
    'updateEndpoint',
  ] as const) {
    const unknown = { endpointId: randomUUID(), catchUp: false, events: ['invoice.paid'] };
    await expect(webhooks()[method](unknown, testCall())).rejects.toMatchObject({ kind: 'absent' });
  }
});

test('a person reaches what is of their organisation; an id of another one is not there', async () => {
  const hook = await receiver();
  const { id: endpointId } = await endpointAt(hook.url);
  const webhooksOfPeople = webhooks('application');
  const mine = { organizationId };
  const person = () => testPerson(organizationId, 'developer');
  const delivery = await webhooksOfPeople.sendTestEvent({ endpointId, ...mine }, person());

  const elsewhere = { organizationId: service.billing.addOrganization() };
  const stranger = () => testPerson(elsewhere.organizationId, 'owner');
  for (const method of ['disableEndpoint', 'enableEndpoint', 'rotateSecret', 'sendTestEvent'] as const)
    await expect(
      webhooksOfPeople[method]({ endpointId, ...elsewhere, catchUp: false }, stranger()),
    ).rejects.toMatchObject({
      code: 'not_found',
      publicMessage: 'endpoint does not exist',
    });
  await expect(webhooksOfPeople.redeliver({ deliveryId: delivery.id, ...elsewhere }, stranger())).rejects.toMatchObject(
    { publicMessage: 'delivery does not exist' },
  );

  await webhooksOfPeople.redeliver({ deliveryId: delivery.id, ...mine }, person());
  await webhooksOfPeople.rotateSecret({ endpointId, ...mine }, person());
  expect(await webhooksOfPeople.disableEndpoint({ endpointId, ...mine }, person())).toMatchObject({ enabled: false });
  expect(await webhooksOfPeople.enableEndpoint({ endpointId, ...mine, catchUp: false }, person())).toMatchObject({
    enabled: true,
  });
});

test('what a process that died had taken is taken over when its lease is over', async () => {
  const hook = await receiver();
  const { id } = await endpointAt(hook.url);
  const collection = service.collection('deliveries');
  const eventId = randomUUID();
  await collection.insertOne({
    _id: `${eventId}:${id}`,
    eventId,
    endpointId: id,
    organizationId,
    eventType: 'invoice.paid',
    body: '{}',
    status: 'pending',
    tries: 0,
    attempts: [],
    createdAt: new Date(),
    dueAt: new Date(Date.now() + 1_000),
    lease: 'of a process that died',
  } as never);
  const startedAt = Date.now();
  await waitFor(() => hook.received.length === 1);
  expect(Date.now() - startedAt).toBeGreaterThan(900);
  await settled();
});
