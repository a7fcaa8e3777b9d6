import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Api, type Answer } from './api';
import { creationsOf, withField, type Creation } from './body-fields';
import { RunningPlatform } from './running-platform';

// What one key may see and make, proven on the running platform: every check is driven by the API's own document.

jest.setTimeout(60_000);

interface Made {
  readonly id: string;
}
interface Data<T> {
  readonly data: T;
}
interface Tenant {
  readonly orgId: string;
  readonly profileId: string;
  readonly key: string;
  readonly api: Api;
  readonly customerId: string;
  readonly productId: string;
}

const LISTS = ['customers', 'products', 'invoices', 'subscriptions', 'checkouts'];
const MAIL_ADDRESS = 'nobody-logs-me@example.nl';

let platform: RunningPlatform;
let ours: Tenant;
let theirs: Tenant;
let billing: { key: string; api: Api };
/** Keys of ours, each restricted to one profile. */
let shop: { profileId: string; key: string; api: Api };
let market: { profileId: string; key: string; api: Api };
let creations: readonly Creation[];

async function keyFor(...flags: string[]): Promise<{ key: string; api: Api }> {
  const { key } = await platform.admin<{ key: string }>('key', 'create', ...flags);
  return { key, api: new Api(platform.url, key) };
}

async function restrictedKey(orgId: string, name: string) {
  const { id: profileId } = await platform.admin<Made>('profile', 'create', '--org', orgId, '--name', name);
  return { profileId, ...(await keyFor('--org', orgId, '--profile', profileId, '--scopes', 'all')) };
}

async function tenant(name: string): Promise<Tenant> {
  const org = await platform.admin<Made & { profile: Made }>('org', 'create', '--name', name, '--mode', 'test');
  await platform.admin('provider', 'connect', '--org', org.id, '--provider', 'sandbox');
  const { key, api } = await keyFor('--org', org.id, '--scopes', 'all');
  const make = async (path: string, body: object): Promise<string> =>
    (await api.post<Data<Made>>(path, body)).body.data.id;
  return {
    orgId: org.id,
    profileId: org.profile.id,
    key,
    api,
    customerId: await make('/api/v1/customers', { name, email: MAIL_ADDRESS }),
    productId: await make('/api/v1/products', { name, unitPriceCents: 100 }),
  };
}

/** The id that belongs in a field of that name. A field that is new here fails, so that somebody decides what it may name. */
function idFor(field: unknown, { orgId, profileId, customerId, productId }: Tenant): string {
  const ids: Record<string, string> = { orgId, profileId, customerId, productId };
  const id = ids[String(field)];
  if (id === undefined) throw new Error(`nobody says what ${String(field)} may name`);
  return id;
}

const idFields = ({ fields }: Creation) => fields.filter(({ schema }) => schema.format === 'uuid');

/** The example of the document with our own ids: a body that is accepted. */
// A schedule whose time has come would make invoices while the tests look at what there is.
const goodBody = (creation: Creation): unknown => {
  const body = idFields(creation).reduce(
    (made, { path }) => withField(made, path, idFor(path.at(-1), ours)),
    creation.example,
  );
  return hasField(creation, ['startDate']) ? withField(body, ['startDate'], '2030-01-01') : body;
};

const apiFor = ({ path }: Creation): Api => (path === '/api/v1/credits' ? billing.api : ours.api);

/** All of an answer that does not differ from one request to the next. */
function face({ status, headers, body }: Answer<unknown>) {
  const varying = /^(date|x-request-id|ratelimit-.*)$/;
  return { status, body, headers: [...headers].filter(([name]) => !varying.test(name)) };
}

beforeAll(async () => {
  platform = await RunningPlatform.start({
    env: { RATE_LIMIT_PER_MINUTE: '100000', PAGE_RATE_LIMIT_PER_MINUTE: '100000', LOG_LEVEL: 'trace' },
  });
  [ours, theirs] = await Promise.all([tenant('Bakkerij De Zon'), tenant('Slagerij De Maan')]);
  [shop, market, billing] = await Promise.all([
    restrictedKey(ours.orgId, 'Winkel'),
    restrictedKey(ours.orgId, 'Markt'),
    keyFor('--platform'),
  ]);
  const document = await ours.api.get<Parameters<typeof creationsOf>[0]>('/api/v1/openapi');
  // A clock belongs to no one but its organisation: it makes nothing that could be listed.
  creations = creationsOf(document.body).filter(({ path }) => !path.startsWith('/api/v1/sandbox/'));
});
afterAll(() => platform?.close());

test('the examples of the document are accepted, with our own ids', async () => {
  expect(creations.map(({ path }) => path).sort()).toEqual(
    [...LISTS, 'credits'].map((name) => `/api/v1/${name}`).sort(),
  );
  for (const creation of creations) {
    const answer = await apiFor(creation).post(creation.path, goodBody(creation));
    const { status, body } = answer;
    expect([creation.path, status, status === 201 ? '' : body]).toEqual([creation.path, 201, '']);
  }
});

test('a foreign id looks exactly like an absent one, in every id field', async () => {
  let compared = 0;
  for (const creation of creations.filter(({ path }) => path !== '/api/v1/credits')) {
    for (const { path } of idFields(creation)) {
      const ask = (id: string) => ours.api.post(creation.path, withField(goodBody(creation), path, id));
      const foreign = face(await ask(idFor(path.at(-1), theirs)));
      expect(foreign).toMatchObject({ status: 400, body: { error: 'validation' } });
      expect(face(await ask(idFor(path.at(-1), theirs).toUpperCase()))).toEqual(foreign);
      expect(face(await ask(randomUUID()))).toEqual(foreign);
      compared++;
    }
  }
  expect(compared).toBeGreaterThanOrEqual(6);
});

test('no list shows anything of another organisation', async () => {
  for (const name of LISTS) {
    const mine = await ours.api.get<Data<Made[]>>(`/api/v1/${name}`);
    const other = await theirs.api.get<Data<Made[]>>(`/api/v1/${name}`);
    const ids = new Set(mine.body.data.map(({ id }) => id));
    expect(ids.size).toBeGreaterThan(0);
    expect(other.body.data.filter(({ id }) => ids.has(id))).toEqual([]);
  }
});

test('a key of one profile sees and makes only what is that profile’s, in replays too', async () => {
  const lines = [{ unitPriceCents: 1000 }];
  const bodies = {
    invoices: { customerId: ours.customerId, lines },
    subscriptions: { customerId: ours.customerId, freq: 'monthly', lines, startDate: '2030-01-01' },
    checkouts: { title: 'Taart', lines },
  };
  for (const [name, body] of Object.entries(bodies)) {
    const path = `/api/v1/${name}`;
    const replayable = { 'idempotency-key': `${name}-1` };
    const make = async ({ api }: { api: Api }) => api.post<Data<Made>>(path, body, replayable);
    const inShop = await make(shop);
    const inMarket = await make(market);
    const again = await make(shop);
    const unrestricted = await make(ours);
    expect([inShop.status, inMarket.status, unrestricted.status]).toEqual([201, 201, 201]);
    expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([inShop.body, 'true']);
    expect(inMarket.headers.get('idempotent-replayed')).toBeNull();
    const made = [inShop, inMarket, unrestricted].map((answer) => answer.body.data.id);
    expect(new Set(made).size).toBe(3);

    const seen = async ({ api }: { api: Api }) => (await api.get<Data<Made[]>>(path)).body.data.map(({ id }) => id);
    expect({ name, ids: await seen(shop) }).toEqual({ name, ids: [made[0]] });
    expect({ name, ids: await seen(market) }).toEqual({ name, ids: [made[1]] });
    expect(await seen(ours)).toEqual(expect.arrayContaining(made));
  }
});

test('another profile is forbidden, whether or not it exists and whoever it belongs to', async () => {
  const body = { customerId: ours.customerId, lines: [{ unitPriceCents: 1 }] };
  const ask = async (profileId: string) => face(await shop.api.post('/api/v1/invoices', { ...body, profileId }));
  const forbidden = await ask(randomUUID());
  expect(forbidden).toMatchObject({ status: 403, body: { error: 'forbidden' } });
  for (const id of [market.profileId, ours.profileId, theirs.profileId, market.profileId.toUpperCase()])
    expect(await ask(id)).toEqual(forbidden);
  expect((await ask(shop.profileId.toUpperCase())).status).toBe(201);
});

test('what is for the platform needs its flag, and the flag opens nothing else', async () => {
  const forbidden = { status: 403, body: { error: 'forbidden' } };
  for (const api of [ours.api, shop.api])
    expect(await api.post('/api/v1/credits', { orgId: ours.orgId, credits: 1 })).toMatchObject(forbidden);
  for (const creation of creations.filter(({ path }) => path !== '/api/v1/credits'))
    expect(await billing.api.post(creation.path, goodBody(creation))).toMatchObject(forbidden);
  for (const name of ['me', ...LISTS]) expect(await billing.api.get(`/api/v1/${name}`)).toMatchObject(forbidden);
});

test('fields that nobody may set are refused at every level, and nothing is written', async () => {
  const counts = () => Promise.all(LISTS.map((name) => ours.api.get<Data<Made[]>>(`/api/v1/${name}`)));
  const before = (await counts()).map(({ body }) => body);
  const computed = ['id', 'number', 'status', 'total_incl', 'public_token', 'organizationId', 'vatCents', 'createdAt'];
  for (const creation of creations)
    for (const { path } of creation.fields.filter(({ schema }) => schema.properties))
      for (const name of computed.filter((each) => !hasField(creation, [...path, each]))) {
        const answer = await apiFor(creation).post(
          creation.path,
          withField(goodBody(creation), [...path, name], randomUUID()),
        );
        expect({ path: [creation.path, ...path, name], status: answer.status, body: answer.body }).toMatchObject({
          status: 400,
          body: {
            error: 'validation',
            // An object that the example goes without misses its own fields, too.
            details: expect.arrayContaining([expect.objectContaining({ path: `/${[...path, name].join('/')}` })]),
          },
        });
      }
  expect((await counts()).map(({ body }) => body)).toEqual(before);
});

const hasField = ({ fields }: Creation, path: readonly (string | number)[]): boolean =>
  fields.some((each) => each.path.join('/') === path.join('/'));

test('operators and prototypes are refused in every string field', async () => {
  const hostile = [{ $gt: '' }, { $ne: null }, ['x'], JSON.parse('{"__proto__":{"admin":true}}'), '__proto__'];
  let asked = 0;
  for (const creation of creations)
    for (const { path } of creation.fields.filter(({ schema }) => schema.type === 'string'))
      for (const value of hostile) {
        const answer = await apiFor(creation).post(creation.path, withField(goodBody(creation), path, value));
        expect({ path: [creation.path, ...path], value, status: answer.status, body: answer.body }).toMatchObject({
          status: 400,
          body: { error: 'validation' },
        });
        asked++;
      }
  expect(asked).toBeGreaterThan(150);
});

test('a payer is only sent on to an address that is one', async () => {
  const ask = (redirectUrl: string) =>
    ours.api.post('/api/v1/checkouts', { title: 'Taart', lines: [{ unitPriceCents: 100 }], redirectUrl });
  const refused = [
    'javascript:alert(1)',
    'JAVASCRIPT://shop.example/%0aalert(1)',
    'data:text/html,x',
    '//shop.example/',
    '/thanks',
    'https:shop.example',
    'https://user@shop.example/',
    'https://user:word@shop.example/',
    'https://shop.example/\r\nset-cookie: a=b',
    'https://shop.example/\nx',
    'https://shop.example/\tx',
    'https://shop.example\\@evil.example/',
    'http://shop.example/',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'ftp://shop.example/',
    'https://',
  ];
  for (const url of refused)
    expect({ url, ...(await ask(url)) }).toMatchObject({ url, status: 400, body: { error: 'validation' } });
  expect((await ask('https://shop.example/thanks?order=1#top')).status).toBe(201);
});

// Last: it reads what all others left behind.
test('keys are kept as hashes; no log has a key, an e-mail address or a public token', async () => {
  const [invoice] = (await ours.api.get<Data<{ public_token: string }[]>>('/api/v1/invoices')).body.data;
  const token = invoice!.public_token;
  await fetch(`${platform.url}/p/${token}`);
  await fetch(`${platform.url}/p/${token}/nothing`);
  await fetch(`${platform.url}/api/v1/me?key=${ours.key}`, { headers: { authorization: `Basic ${ours.key}` } });
  await ours.api.post('/api/v1/customers', { name: 1, email: MAIL_ADDRESS });
  await platform.stop();

  const files = readdirSync(platform.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      path: join(entry.parentPath, entry.name),
      bytes: readFileSync(join(entry.parentPath, entry.name)),
    }));
  const holding = (text: string, under = '') =>
    files.filter(({ path, bytes }) => path.includes(under) && bytes.includes(text)).map(({ path }) => path);
  for (const { key } of [ours, theirs, shop, market, billing]) expect(holding(key)).toEqual([]);
  // The search finds what is there: the visible part of a key, in the store and nowhere else.
  const shown = ours.key.slice(0, 14);
  expect(holding(shown, '/store/').length).toBeGreaterThan(0);
  expect(holding(shown, '/logs/')).toEqual([]);
  expect(holding('"route":"/api/v1/me"', '/logs/').length).toBeGreaterThan(0);
  for (const text of [MAIL_ADDRESS, token]) expect(holding(text, '/logs/')).toEqual([]);
});
