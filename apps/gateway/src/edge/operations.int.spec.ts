import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { BillingStatus, Plan, type Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { waitFor } from '@invoicing/testing';
import { newKeyText } from '../keys/key-text';
import { operations } from '../routes/route-table';
import { type Operation } from '../routes/route';
import { goodBodyOf, type KnownIds } from '../testing/good-bodies';
import { mutantsOf } from '../testing/mutants';
import { startEdge, startTestGateway, type Answer, type TestGateway } from '../testing/test-gateway';
import { compileValidator } from './validator';

// Generated from the route table: what every operation must do, whatever it is.

let edge: Awaited<ReturnType<typeof startEdge>>;
let gateway: TestGateway;
/** The same store, two requests a minute. */
let strict: TestGateway;
let ids: KnownIds;
let keys: Record<'organization' | 'platform' | 'revoked' | 'expired' | 'free' | 'arrears' | 'profile', string>;

beforeAll(async () => {
  edge = await startEdge();
  ({ gateway } = edge);
  strict = await startTestGateway(edge.store, edge.services, { rateLimitPerMinute: 2 });
  const organization = edge.services.addOrganization();
  const revoked = await gateway.createKey({ organizationId: organization.id });
  await gateway.revokeKey(revoked.id);
  const keyOf = async (request: Parameters<TestGateway['createKey']>[0]) => (await gateway.createKey(request)).secret;
  const ofNew = (options: Parameters<typeof edge.services.addOrganization>[0]) =>
    keyOf({ organizationId: edge.services.addOrganization(options).id });
  keys = {
    organization: await keyOf({ organizationId: organization.id }),
    profile: await keyOf({ organizationId: organization.id, profileId: organization.profiles[1]?.id }),
    platform: await keyOf({ platform: true }),
    revoked: revoked.secret,
    expired: await keyOf({ organizationId: organization.id, expiresAt: new Date(Date.now() + 200) }),
    free: await ofNew({ plan: Plan.FREE }),
    arrears: await ofNew({ billingStatus: BillingStatus.ARREARS }),
  };
  ids = { organization, customerId: await newCustomer(organization), productId: randomUUID() };
});

afterAll(async () => {
  await strict.close();
  await edge.close();
});

async function newCustomer(organization: Organization): Promise<string> {
  const { secret } = await gateway.createKey({ organizationId: organization.id });
  const answer = await gateway.send('POST', '/api/v1/customers', { key: secret, body: { name: 'Jan' } });
  return (answer.body as { data: { id: string } }).data.id;
}

const keyFor = (route: Operation): string => (route.platform ? keys.platform : keys.organization);
const refusal = ({ status, body }: Answer) => ({ status, body: body as unknown });

describe.each(operations.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const good = (): unknown => goodBodyOf(route, ids);
  const ask = (key: string | undefined, headers?: Record<string, string>, body: unknown = good()): Promise<Answer> =>
    gateway.send(route.method, route.path, { key, body, headers: headers ?? {} });
  const createKey = async (limits: object = {}) =>
    (await gateway.createKey(route.platform ? { platform: true } : { organizationId: ids.organization.id, ...limits }))
      .secret;

  test('answers as its schema says', async () => {
    const answer = await ask(keyFor(route), { 'x-request-id': 'my-own-id' });
    expect(answer.status).toBe(route.body ? 201 : 200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(compileValidator(route.data)(answer.body.data)).toEqual([]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': 'my-own-id',
      'ratelimit-limit': '1000000',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'ratelimit-reset': expect.stringMatching(/^[1-9]\d*$/),
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('401: no key, and every kind of bad one', async () => {
    const header = async (authorization: string) => ask(undefined, { authorization });
    const good = keyFor(route);
    const answers = [
      await ask(undefined),
      await header(good),
      await header(`Basic ${good}`),
      await header('Bearer'),
      await ask('ik_test_short'),
      await ask(`${good.slice(0, -1)}${good.endsWith('0') ? '1' : '0'}`),
      await ask(newKeyText('test')),
      await ask(keys.revoked),
      await waitFor(async () => {
        const expired = await ask(keys.expired);
        return expired.status === 401 && expired;
      }),
    ];
    for (const answer of answers) expect(refusal(answer)).toEqual({ status: 401, body: { error: 'unauthorized' } });
  });

  test('403: another kind of key, or a key without the scope', async () => {
    const forbidden = { status: 403, body: { error: 'forbidden' } };
    expect(refusal(await ask(route.platform ? keys.organization : keys.platform))).toEqual(forbidden);
    if (!route.scope || route.platform) return;
    const others = operations.flatMap(({ scope, platform }) =>
      scope && !platform && scope !== route.scope ? [scope] : [],
    );
    const scopeless = await ask(await createKey({ scopes: others }));
    expect(refusal(scopeless)).toEqual(forbidden);
    expect(scopeless.headers.get('www-authenticate')).toContain(`error="insufficient_scope", scope="${route.scope}"`);
    expect(scopeless.headers.get('link')).toBe('</docs/errors#forbidden>; rel="help"');
    expect((await ask(await createKey({ scopes: [route.scope] }))).status).toBeLessThan(300);
  });

  test('429: beyond the limit, with a truthful Retry-After and no charge', async () => {
    // The other replica may still believe in the maintenance of the operation before.
    const probe = await createKey();
    await waitFor(async () => (await strict.send('GET', '/api/v1/me', { key: probe })).status !== 501);
    const key = await createKey();
    const hit = () => strict.send(route.method, route.path, { key, body: good() });
    const accepted = [await hit(), await hit()];
    expect(accepted.map(({ headers }) => headers.get('ratelimit-remaining'))).toEqual(['1', '0']);
    const refused = [await hit(), await hit()];
    for (const answer of refused) {
      expect(refusal(answer)).toEqual({ status: 429, body: { error: 'rate_limited' } });
      const seconds = Number(answer.headers.get('retry-after'));
      expect(seconds).toBeGreaterThanOrEqual(1);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(answer.headers.get('ratelimit-reset')).toBe(String(seconds));
    }
  });

  if (!route.platform)
    test('402: the plan has no API access', async () => {
      expect(refusal(await ask(keys.free))).toEqual({ status: 402, body: { error: 'plan_limit_api' } });
    });

  test('501 in maintenance, 500 without a word when something breaks', async () => {
    await gateway.setMaintenance(true);
    expect(refusal(await ask(keyFor(route)))).toEqual({ status: 501, body: { error: 'unavailable' } });
    await gateway.setMaintenance(false);
    if (!route.body) return;
    edge.services.state.beforeWrite = () => Promise.reject(new Error('password is hunter2'));
    const broken = await ask(keyFor(route));
    edge.services.state.beforeWrite = async () => undefined;
    expect(refusal(broken)).toEqual({ status: 500, body: { error: 'generic' } });
  });

  test('405 names the methods there are', async () => {
    const answer = await gateway.send('DELETE', route.path, { key: keyFor(route) });
    expect(refusal(answer)).toEqual({ status: 405, body: { error: 'method_not_allowed' } });
    expect(answer.headers.get('allow')).toContain(route.method);
  });

  if (route.errors.includes('billing_readonly'))
    test('402: arrears block sending, drafts still work', async () => {
      const { customerId: _theirs, ...body } = good() as { customerId: string; profileId: string };
      const created = await gateway.send('POST', '/api/v1/customers', { key: keys.arrears, body: { name: 'Jan' } });
      const own = { ...body, profileId: undefined, customerId: created.body.data.id as string };
      const sent = await ask(keys.arrears, {}, { ...own, send: true });
      expect(refusal(sent)).toEqual({ status: 402, body: { error: 'billing_readonly' } });
      expect((await ask(keys.arrears, {}, { ...own, send: false })).status).toBe(201);
    });

  if (!route.body) return;
  const schema = route.body;
  const withKey = (key: string) => ({ 'idempotency-key': key });

  test('400: every rule of its schema, broken one by one', async () => {
    const before = edge.services.state.operations.length;
    const mutants = mutantsOf(schema, good());
    expect(mutants.length).toBeGreaterThan(20);
    for (const { name, body, path } of mutants) {
      const answer = await ask(keyFor(route), {}, body);
      const paths = ((answer.body.details ?? []) as { path: string }[]).map((each) => each.path);
      expect({ name, status: answer.status, error: answer.body.error, paths }).toEqual({
        name,
        status: 400,
        error: 'validation',
        paths: expect.arrayContaining([path]),
      });
    }
    expect(edge.services.state.operations).toHaveLength(before);
  });

  test('400: what is no JSON object', async () => {
    for (const body of ['', '{', '[]', 'null', '1', '"x"', '{"a":1}x', '\u0000', '['.repeat(100_000)]) {
      const answer = await ask(keyFor(route), { 'content-type': 'application/json' }, body);
      expect({ sent: body.slice(0, 9), ...refusal(answer) }).toMatchObject({
        status: 400,
        body: { error: 'validation' },
      });
    }
  });

  test('413 and 415', async () => {
    const large = await ask(keyFor(route), {}, JSON.stringify({ name: 'x'.repeat(1024 * 1024) }));
    expect(refusal(large)).toEqual({ status: 413, body: { error: 'payload_too_large' } });
    const text = JSON.stringify(good());
    const types: Record<string, string>[] = [
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/x-www-form-urlencoded' },
      { 'content-type': 'application/json; charset=utf-16' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ];
    for (const headers of types) {
      const answer = await ask(keyFor(route), headers, text);
      expect(refusal(answer)).toEqual({ status: 415, body: { error: 'unsupported_media_type' } });
    }
    const bomb = await fetch(gateway.url + route.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keyFor(route)}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: gzipSync(text),
    });
    expect(bomb.status).toBe(415);
  });

  test('Dry-Run: true is 200, says what is made up, is counted, and keeps no Idempotency-Key', async () => {
    const key = keyFor(route);
    const dry = { 'dry-run': 'true', ...withKey(randomUUID()) };
    const first = await ask(key, dry);
    expect([first.status, first.headers.get('dry-run')]).toEqual([200, 'true']);
    expect(first.body).toMatchObject({
      dryRun: true,
      examples: route.examples(good() as never).map((name) => `/data/${name}`),
    });
    expect(Number(first.headers.get('ratelimit-remaining'))).toBeGreaterThanOrEqual(0);
    const again = await ask(key, dry);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, null]);
    for (const value of ['false', '1', 'TRUE']) expect((await ask(key, { 'dry-run': value })).status).toBe(400);
  });

  test('the same Idempotency-Key: replay, conflict, in flight', async () => {
    const key = keyFor(route);
    const name = randomUUID();
    const first = await ask(key, withKey(name));
    const again = await ask(key, withKey(name));
    expect(first.status).toBe(201);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
    expect(first.headers.get('idempotent-replayed')).toBeNull();

    // The order of the fields is not the body.
    const turned = Object.fromEntries(Object.entries(good() as object).reverse());
    expect((await ask(key, withKey(name), turned)).text).toBe(first.text);

    const changed = { ...(good() as object), ...changedBody(route) };
    expect(refusal(await ask(key, withKey(name), changed))).toEqual({
      status: 409,
      body: { error: 'idempotency_conflict' },
    });

    let release = (): void => undefined;
    edge.services.state.beforeWrite = () => new Promise((resolve) => (release = resolve));
    const arrived = edge.services.state.operations.length;
    const slow = ask(key, withKey(`${name}-slow`));
    await waitFor(() => edge.services.state.operations.length > arrived);
    const meanwhile = await ask(key, withKey(`${name}-slow`));
    edge.services.state.beforeWrite = async () => undefined;
    release();
    expect(refusal(meanwhile)).toEqual({ status: 409, body: { error: 'idempotency_in_flight' } });
    // As long again as it has run, at least a second.
    expect(meanwhile.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    const done = await slow;
    expect((await ask(key, withKey(`${name}-slow`))).text).toBe(done.text);
  });

  test('an unclear end keeps its key for the same request, a refusal frees it', async () => {
    const key = keyFor(route);
    const name = randomUUID();
    edge.services.state.afterWrite = () => Promise.reject(new Error('lost'));
    expect((await ask(key, withKey(name))).status).toBe(500);
    edge.services.state.afterWrite = async () => undefined;
    const { operations: seen } = edge.services.state;
    expect((await ask(key, withKey(name), { ...(good() as object), ...changedBody(route) })).status).toBe(409);
    expect((await ask(key, withKey(name))).status).toBe(201);
    // Both attempts were one operation: the services met the same id.
    expect(seen.at(-1)).toBe(seen.at(-2));
    expect((await ask(key, withKey(`${name}-x`), { unknown: 1 })).status).toBe(400);
    expect((await ask(key, withKey(`${name}-x`))).status).toBe(201);
  });

  test('400: an Idempotency-Key that is empty or too long', async () => {
    for (const name of ['', 'x'.repeat(201)])
      expect((await ask(keyFor(route), withKey(name))).body).toMatchObject({ error: 'validation' });
    expect((await ask(keyFor(route), withKey(randomUUID().padEnd(200, 'x')))).status).toBe(201);
  });

  if ('profileId' in (schema['properties'] as object))
    test('403: a restricted key names another profile; its own is used when it names none', async () => {
      const [other, own] = ids.organization.profiles.map(({ id }) => id);
      const named = (profileId: string | undefined) => ({ ...(good() as object), profileId });
      expect(refusal(await ask(keys.profile, {}, named(other)))).toEqual({ status: 403, body: { error: 'forbidden' } });
      expect((await ask(keys.profile, {}, named(own))).status).toBe(201);
      const silent = await ask(keys.profile, {}, named(undefined));
      expect(edge.services.state.invoices.get(silent.body.data.id as string)?.profileId).toBe(own);
    });
});

/** A change that keeps the body valid. */
function changedBody(route: Operation): object {
  const fields = route.body?.['properties'] as Record<string, unknown>;
  if ('name' in fields) return { name: 'Another name' };
  if ('title' in fields) return { title: 'Another title' };
  if ('credits' in fields) return { credits: 7 };
  if ('by' in fields) return { by: 'PT7S' };
  if ('type' in fields) return { type: 'invoice.credited' };
  return { lines: [{ description: 'Another line', unitPriceCents: 1 }] };
}

test('a list of subscriptions is whole, however many pages the service gives it in', async () => {
  const organization = edge.services.addOrganization();
  const { secret } = await gateway.createKey({ organizationId: organization.id });
  const customerId = await newCustomer(organization);
  const body = { customerId, freq: 'monthly', lines: [{ unitPriceCents: 1 }] };
  for (let count = 0; count < 5; count++)
    expect((await gateway.send('POST', '/api/v1/subscriptions', { key: secret, body })).status).toBe(201);
  const answer = await gateway.send('GET', '/api/v1/subscriptions', { key: secret });
  const { data } = answer.body as { data: { id: string }[] };
  expect(new Set(data.map(({ id }) => id)).size).toBe(5);
});
