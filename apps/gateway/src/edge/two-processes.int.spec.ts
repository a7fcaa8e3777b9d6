import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeysService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { openChannel } from '@invoicing/rpc';
import { startTestStore, testCall, testIdentity, waitFor, type TestStore } from '@invoicing/testing';
import { startFakeServices, type FakeServices } from '../testing/fake-services';
import { bundleGateway, startGatewayProcess, type GatewayProcess } from '../testing/gateway-process';
import { send, type Answer } from '../testing/test-gateway';

// Two gateways as processes of their own over one store: what they must share, and what must survive when one is killed.

jest.setTimeout(120_000);

const LIMIT = 60;
const KILLS = Number(process.env['KILLS'] ?? 5);

let folder: string;
let store: TestStore;
let services: FakeServices;
let limited: GatewayProcess[];
let open: GatewayProcess[];

const start = (limit: number, env: NodeJS.ProcessEnv = {}) =>
  startGatewayProcess(folder, store, services.address, { RATE_LIMIT_PER_MINUTE: String(limit), ...env });

beforeAll(async () => {
  folder = bundleGateway();
  store = await startTestStore();
  services = await startFakeServices();
  limited = [await start(LIMIT), await start(LIMIT)];
  open = [await start(1_000_000), await start(1_000_000)];
});
afterAll(async () => {
  await Promise.all([...limited, ...open].map((each) => each.kill()));
  await services.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

async function newKey(organizationId = services.addOrganization().id): Promise<{ id: string; secret: string }> {
  const channel = openChannel(open[0]!.rpcAddress, testIdentity('admin'));
  const request = { organizationId, scopes: ['all'], expiresAt: undefined, platform: false };
  const { key, secret } = await channel.client(KeysService).createKey(request, testCall());
  channel.close();
  return { id: key!.id, secret };
}

test(`of 200 requests at once on two processes exactly ${LIMIT} are accepted`, async () => {
  const { secret: key } = await newKey();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => send(limited[at % 2]!.url, 'GET', '/api/v1/me', { key })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(200 - LIMIT);
});

test('Retry-After is true: waiting exactly that long succeeds', async () => {
  const { id, secret: key } = await newKey();
  // A minute that is nearly over, so that the test need not wait for a whole one.
  const rates = (await store.connect('unused')).getClient().db('gateway').collection<{ _id: string }>('rate');
  const hits = [{ at: Date.now() - 57_500, n: LIMIT }];
  await rates.updateOne({ _id: id }, { $set: { hits, now: Date.now(), granted: LIMIT } }, { upsert: true });
  const refused = await send(limited[0]!.url, 'GET', '/api/v1/me', { key });
  expect(refused.status).toBe(429);
  const seconds = Number(refused.headers.get('retry-after'));
  expect(seconds).toBeLessThanOrEqual(3);
  await sleep(seconds * 1000);
  expect((await send(limited[1]!.url, 'GET', '/api/v1/me', { key })).status).toBe(200);
});

test('200 concurrent requests with one idempotency key create one thing and answer byte-identical bodies', async () => {
  const { secret: key } = await newKey();
  const options = { key, body: { name: 'Jan' }, headers: { 'idempotency-key': randomUUID() } };
  const before = services.state.customers.size;
  const untilDone = async (at: number): Promise<Answer> => {
    for (;;) {
      const answer = await send(open[at % 2]!.url, 'POST', '/api/v1/customers', options);
      if (answer.status !== 409) return answer;
      expect(answer.body).toEqual({ error: 'idempotency_in_flight' });
      await sleep(20);
    }
  };
  const answers = await Promise.all(Array.from({ length: 200 }, (_, at) => untilDone(at)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]!.status).toBe(201);
  expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') !== 'true')).toHaveLength(1);
  expect(services.state.customers.size).toBe(before + 1);
});

test('a gateway killed in the middle of a POST: the repeat elsewhere creates nothing twice', async () => {
  const { id: keyId, secret: key } = await newKey();
  const records = (await store.connect('unused')).getClient().db('gateway').collection<{ _id: string }>('idempotency');
  for (let round = 0; round < KILLS; round++) {
    const victim = await start(1_000_000);
    const name = randomUUID();
    const options = { key, body: { name }, headers: { 'idempotency-key': name } };
    // Warm, so that the whole path is quick and the kill falls anywhere into it.
    await send(victim.url, 'GET', '/api/v1/me', { key });
    services.state.beforeWrite = () => sleep(5);
    services.state.afterWrite = () => sleep(5);
    const first = send(victim.url, 'POST', '/api/v1/customers', options).catch(() => undefined);
    await sleep((round * 30) / KILLS);
    await victim.kill();
    await first;
    services.state.beforeWrite = services.state.afterWrite = async () => undefined;
    // Two minutes pass for the record that the dead process may have left.
    await records.updateOne({ _id: `${keyId}:${name}` }, { $set: { leaseUntil: new Date(0) } });
    const again = await send(open[0]!.url, 'POST', '/api/v1/customers', options);
    expect(again.status).toBe(201);
    const third = await send(open[1]!.url, 'POST', '/api/v1/customers', options);
    expect([third.text, third.headers.get('idempotent-replayed')]).toEqual([again.text, 'true']);
    const made = [...services.state.customers.values()].filter(({ details }) => details?.name === name);
    expect(made.map(({ id }) => id)).toEqual([again.body.data.id]);
  }
});

test('a client that obeys Retry-After after a crash is served within seconds, and a slow call that lives is left alone', async () => {
  const { secret: key } = await newKey();
  const obey = async (options: Parameters<typeof send>[3]) => {
    const refusals: number[] = [];
    for (;;) {
      const answer = await send(open[0]!.url, 'POST', '/api/v1/customers', options);
      if (answer.status !== 409) return { answer, refusals };
      refusals.push(Number(answer.headers.get('retry-after')));
      await sleep(refusals.at(-1)! * 1_000);
    }
  };
  const begin = async (gateway: GatewayProcess) => {
    const options = { key, body: { name: randomUUID() }, headers: { 'idempotency-key': randomUUID() } };
    const first = send(gateway.url, 'POST', '/api/v1/customers', options).catch(() => undefined);
    await waitFor(() => reached);
    return { options, first };
  };
  let reached = false;
  let release = (): void => undefined;
  const hang = (): void => {
    reached = false;
    services.state.beforeWrite = () => {
      reached = true;
      services.state.beforeWrite = async () => undefined;
      return new Promise((resolve) => (release = resolve));
    };
  };

  hang();
  const victim = await start(1_000_000);
  const crashed = await begin(victim);
  await victim.kill();
  const afterCrash = await obey(crashed.options);
  expect(afterCrash.answer.status).toBe(201);
  // Growing, and only a handful: not one a second for two minutes.
  expect(afterCrash.refusals.length).toBeLessThanOrEqual(6);
  expect(afterCrash.refusals).toEqual([...afterCrash.refusals].sort((a, b) => a - b));
  release();

  hang();
  // One that waits for a write longer than a claim vouches for its process.
  const patient = await start(1_000_000, { DEADLINE_SCALE: '4' });
  const slow = await begin(patient);
  // Longer than a claim alone keeps the lease: the heartbeats of its process keep it.
  await sleep(7_500);
  expect((await send(open[0]!.url, 'POST', '/api/v1/customers', slow.options)).status).toBe(409);
  release();
  expect((await slow.first)!.status).toBe(201);
  await patient.kill();
});
