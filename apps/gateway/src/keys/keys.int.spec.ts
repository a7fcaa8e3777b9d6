import { randomUUID } from 'node:crypto';
import { KeysService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { openChannel, type RpcClient } from '@invoicing/rpc';
import { testCall, testIdentity, testPerson, waitFor } from '@invoicing/testing';
import { startEdge, startTestGateway, type TestGateway } from '../testing/test-gateway';
import { hashKeyText, newKeyText } from './key-text';
import { organizationScopes } from './scopes';

let edge: Awaited<ReturnType<typeof startEdge>>;
let other: TestGateway;
let admin: RpcClient<typeof KeysService>;
const closing: (() => void)[] = [];

beforeAll(async () => {
  edge = await startEdge();
  other = await startTestGateway(edge.store, edge.services);
  admin = keysAs('admin');
});
afterAll(async () => {
  for (const close of closing) close();
  await other.close();
  await edge.close();
});

function keysAs(identity: string): RpcClient<typeof KeysService> {
  const channel = openChannel(edge.gateway.rpcAddress, testIdentity(identity));
  closing.push(channel.close);
  return channel.client(KeysService);
}

const request = (limits: object) => ({
  organizationId: '',
  profileId: undefined,
  scopes: [],
  expiresAt: undefined,
  platform: false,
  ...limits,
});

test('a key is made, shown once and stored as a hash only', async () => {
  const { id: organizationId, profiles } = edge.services.addOrganization();
  const { key, secret } = await admin.createKey(
    request({
      organizationId,
      profileId: profiles[0]?.id,
      scopes: ['invoices:read'],
      expiresAt: new Date('2099-01-01'),
    }),
    testCall(),
  );
  expect(secret).toMatch(/^ik_test_[0-9A-Za-z]{49}$/);
  expect(key).toMatchObject({ organizationId, profileId: profiles[0]?.id, scopes: ['invoices:read'], platform: false });
  expect(secret.startsWith(key?.prefix ?? '-')).toBe(true);

  const { keys } = await admin.listKeys({ organizationId }, testCall());
  expect(keys).toEqual([key]);
  expect(JSON.stringify(keys)).not.toContain(secret);

  const stored = (await edge.store.connect('unused')).getClient().db('gateway').collection('keys');
  const [document] = await stored.find({ organizationId }).toArray();
  expect(document?.['hash']).toBe(hashKeyText(secret));
  expect(JSON.stringify(document)).not.toContain(secret.slice(14));
});

test('a key has the scopes that were said, and none when none were; all must be said', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const made = (scopes: string[]) => admin.createKey(request({ organizationId, scopes }), testCall());
  const none = await made([]);
  expect(none.key!.scopes).toEqual([]);
  const ask = async (path: string, key: string) => (await edge.gateway.send('GET', path, { key })).status;
  expect(await ask('/api/v1/invoices', none.secret)).toBe(403);
  expect(await ask('/api/v1/me', none.secret)).toBe(200);
  const all = await made(['all']);
  expect(all.key!.scopes).toEqual(organizationScopes);
  expect(await ask('/api/v1/invoices', all.secret)).toBe(200);
  await expect(made(['all', 'invoices:read'])).rejects.toMatchObject({ details: [{ path: '/scopes/0' }] });
});

test('lists are newest first, of one organisation or of all', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const made: string[] = [];
  for (let at = 0; at < 3; at++) made.push((await edge.gateway.createKey({ organizationId })).id);
  const own = await admin.listKeys({ organizationId }, testCall());
  expect(own.keys.map(({ id }) => id)).toEqual(made.reverse());
  const all = await admin.listKeys({ organizationId: undefined }, testCall());
  expect(all.keys.length).toBeGreaterThan(own.keys.length);
});

test('what makes no sense is refused, all at once', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const refuse = (limits: object, paths: string[]) =>
    expect(admin.createKey(request(limits), testCall())).rejects.toMatchObject({
      code: 'validation',
      details: paths.map((path) => expect.objectContaining({ path })),
    });
  await refuse({ organizationId: randomUUID() }, ['/organizationId']);
  await refuse({ organizationId, profileId: randomUUID(), scopes: ['credits:write', 'a:b'] }, [
    '/scopes/0',
    '/scopes/1',
    '/profileId',
  ]);
  await refuse({ organizationId, expiresAt: new Date(0) }, ['/expiresAt']);
  await refuse({ platform: true, organizationId, profileId: 'x', scopes: ['invoices:read'] }, [
    '/organizationId',
    '/profileId',
    '/scopes',
  ]);
  await expect(admin.revokeKey({ keyId: randomUUID() }, testCall())).rejects.toMatchObject({ kind: 'absent' });
});

test('people manage the keys of their organisation only, and no platform key', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const elsewhere = edge.services.addOrganization().id;
  const keys = keysAs('application');
  const person = () => testPerson(organizationId, 'developer');
  const { key } = await keys.createKey(request({ organizationId, scopes: ['invoices:read'] }), person());
  const stranger = { keyId: key!.id, organizationId: elsewhere };
  await expect(keys.revokeKey(stranger, testPerson(elsewhere, 'owner'))).rejects.toMatchObject({ kind: 'absent' });
  await expect(keys.listKeys({ organizationId: undefined }, person())).rejects.toMatchObject({ kind: 'absent' });
  for (const owner of [organizationId, ''])
    await expect(keys.createKey(request({ organizationId: owner, platform: true }), person())).rejects.toThrow();
  expect((await keys.listKeys({ organizationId }, person())).keys).toMatchObject([
    { id: key!.id, revokedAt: undefined },
  ]);
  expect((await keys.revokeKey({ keyId: key!.id, organizationId }, person())).revokedAt).toBeDefined();
});

test('services are told which key a request came with', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const { id, secret } = await edge.gateway.createKey({ organizationId, scopes: ['products:write'] });
  const body = { name: 'Uur', unit: 'uur', unitPriceCents: 9_500, vatRateBps: 2_100 };
  const { status } = await edge.gateway.send('POST', '/api/v1/products', { key: secret, body });
  expect(status).toBe(201);
  expect(edge.services.state.actors.at(-1)).toEqual({ kind: 'key', id, label: secret.slice(0, 14) });
});

test('a revoked key stops working on every replica within 2 s', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const { id, secret } = await edge.gateway.createKey({ organizationId });
  const statuses = async () => {
    const answers = await Promise.all(
      [edge.gateway, other].map((each) => each.send('GET', '/api/v1/me', { key: secret })),
    );
    return answers.map(({ status }) => status);
  };
  // Warm on both, so that what they remember is what is tested.
  expect(await statuses()).toEqual([200, 200]);
  await edge.gateway.revokeKey(id);
  expect((await statuses())[0]).toBe(401);
  await waitFor(async () => (await statuses())[1] === 401, 2_000);
});

test('a key expires while it is in use', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const { secret } = await edge.gateway.createKey({ organizationId, expiresAt: new Date(Date.now() + 1_500) });
  expect((await other.send('GET', '/api/v1/me', { key: secret })).status).toBe(200);
  await waitFor(async () => (await other.send('GET', '/api/v1/me', { key: secret })).status === 401, 3_000);
});

test('the last use of a key is known', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const replica = await startTestGateway(edge.store, edge.services);
  const { secret } = await replica.createKey({ organizationId });
  const before = Date.now();
  await replica.send('GET', '/api/v1/me', { key: secret });
  await replica.close();
  const { keys } = await admin.listKeys({ organizationId }, testCall());
  expect(keys[0]?.lastUsedAt?.getTime()).toBeGreaterThanOrEqual(before);
});

test('a flood of bad keys is limited by address; good keys from there, even new ones, work on', async () => {
  const { id: organizationId } = edge.services.addOrganization();
  const warm = (await edge.gateway.createKey({ organizationId })).secret;
  const ask = (key: string) => edge.gateway.send('GET', '/api/v1/me', { key });
  const flood: number[] = [];
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(newKeyText('live'))));
    flood.push(...answers.map(({ status }) => status));
    expect((await ask(warm)).status).toBe(200);
  }
  expect(new Set(flood.slice(0, 280))).toEqual(new Set([401]));
  expect(flood.slice(-50)).toEqual(Array(50).fill(429));
  const cold = (await edge.gateway.createKey({ organizationId })).secret;
  expect((await ask(cold)).status).toBe(200);
  expect(Number((await ask(newKeyText('live'))).headers.get('retry-after'))).toBeGreaterThan(0);
});

test('a key restricted to a profile sees only that profile, in replays too', async () => {
  const { id: organizationId, profiles } = edge.services.addOrganization();
  const [one, two] = await Promise.all(
    profiles.map(async ({ id }) => (await edge.gateway.createKey({ organizationId, profileId: id })).secret),
  );
  const { secret: all } = await edge.gateway.createKey({ organizationId });
  const customer = await edge.gateway.send('POST', '/api/v1/customers', { key: all, body: { name: 'Jan' } });
  const body = { customerId: customer.body.data.id as string, lines: [{ unitPriceCents: 1 }] };
  const headers = { 'idempotency-key': 'the same' };
  const made = await Promise.all(
    [one, two].map((key) => edge.gateway.send('POST', '/api/v1/invoices', { key, body, headers })),
  );
  const ids = made.map((answer) => answer.body.data.id as string);
  expect(ids[0]).not.toBe(ids[1]);
  const replayed = await edge.gateway.send('POST', '/api/v1/invoices', { key: two, body, headers });
  expect(replayed.body.data.id).toBe(ids[1]);
  const listed = async (key: string | undefined) =>
    ((await edge.gateway.send('GET', '/api/v1/invoices', { key })).body.data as { id: string }[]).map(({ id }) => id);
  expect(await listed(one)).toEqual([ids[0]]);
  expect(await listed(two)).toEqual([ids[1]]);
  expect((await listed(all)).sort()).toEqual([...ids].sort());
  expect((await edge.gateway.send('GET', '/api/v1/me', { key: two })).body.data.profile).toEqual({
    id: profiles[1]?.id,
    name: profiles[1]?.name,
  });
});
