import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { connectMongo, type Connection } from '@invoicing/mongo';
import { waitFor } from '@invoicing/testing';
import { Api, type Answer } from './api';
import { RunningPlatform } from './running-platform';

/** A dry run answers exactly what the request itself would be answered, but for what it says is made up, and stores nothing. */
const RUNS = Number(process.env['DRY_RUNS'] ?? 150);
const DRY = { 'dry-run': 'true' };

let platform: RunningPlatform;
let store: Connection;
let api: Api;
let billing: Api;
let organizationId: string;
let customers: string[];
let product: string;

interface Documents {
  readonly pdf: string;
  readonly eInvoice: string | null;
  readonly expiresAt: string;
}

interface Tried {
  readonly totals?: Record<'exclCents' | 'vatCents' | 'inclCents', number>;
  readonly documents?: Documents;
  readonly data: Record<string, unknown>;
  readonly dryRun: true;
  readonly examples: readonly string[];
}

beforeAll(async () => {
  platform = await RunningPlatform.start({ env: { RATE_LIMIT_PER_MINUTE: '1000000' } });
  const seller = ['--kvk-number', '12345678', '--btw-id', 'NL001234567B01', '--iban', 'NL91ABNA0417164300'];
  const address = ['--address-line1', 'Dam 1', '--postal-code', '1012 JS', '--city', 'Amsterdam', '--country', 'NL'];
  const made = await platform.admin('org', 'create', '--name', 'Dry', '--mode', 'test', ...seller, ...address);
  organizationId = String(made['id']);
  await platform.admin('provider', 'connect', '--org', organizationId, '--provider', 'sandbox');
  api = new Api(
    platform.url,
    (await platform.admin('key', 'create', '--org', organizationId, '--scopes', 'all'))['key'],
  );
  billing = new Api(platform.url, (await platform.admin('key', 'create', '--platform'))['key']);
  const created = await Promise.all(
    [
      {
        name: 'With mail',
        email: 'a@example.nl',
        ...{
          addressLine1: 'Dam 2',
          postalCode: '1012 JS',
          city: 'Amsterdam',
          countryCode: 'NL',
          kvkNumber: '87654321',
        },
      },
      { name: 'Without mail' },
    ].map((body) => api.post<{ data: { id: string } }>('/api/v1/customers', body)),
  );
  customers = created.map(({ body }) => body.data.id);
  const sold = { name: 'P', unitPriceCents: 1_234, vatRateBps: 900 };
  product = (await api.post<{ data: { id: string } }>('/api/v1/products', sold)).body.data.id;
  const { mongodbUri } = JSON.parse(readFileSync(`${platform.dataDir}/platform.json`, 'utf8')) as {
    mongodbUri: string;
  };
  store = await connectMongo({ uri: mongodbUri, database: 'billing' });
}, 120_000);
afterAll(async () => {
  await store?.close();
  await platform?.close();
});

const uuid = '11111111-1111-4111-8111-111111111111';
const text = fc.string({ minLength: 0, maxLength: 40 });
const line = () =>
  fc.record(
    {
      productId: fc.constantFrom(product, uuid),
      description: text,
      quantity: fc.constantFrom(1, 2.5, 0, -1),
      unitPriceCents: fc.integer({ min: -100, max: 100_000 }),
      vatTreatment: fc.constantFrom('standard', 'low', 'exempt', 'reverse_charge', 'nonsense'),
      discountBps: fc.integer({ min: 0, max: 11_000 }),
    },
    { requiredKeys: [] },
  );
const terms = () => ({
  lines: fc.array(line(), { maxLength: 3 }),
  customerId: fc.constantFrom(...customers, uuid),
  reference: text,
  note: text,
  pricesIncludeVat: fc.boolean(),
});
const goodLine = () =>
  fc.record(
    {
      description: fc.constant('Advice'),
      quantity: fc.constantFrom(1, 2.5),
      unitPriceCents: fc.integer({ min: 1, max: 100_000 }),
    },
    { requiredKeys: ['description', 'unitPriceCents'] },
  );
const goodTerms = () => ({
  lines: fc.array(goodLine(), { minLength: 1, maxLength: 3 }),
  pricesIncludeVat: fc.boolean(),
  reference: fc.constantFrom('PO-1', 'PO-2'),
});
/** Requests that are accepted: most of what is made up at random is not. */
const goodRequests = () =>
  fc.oneof(
    fc
      .record({ ...goodTerms(), customerId: fc.constantFrom(...customers), send: fc.boolean() })
      .map((body) => ['/api/v1/invoices', body] as const),
    fc
      .record({
        ...goodTerms(),
        customerId: fc.constantFrom(...customers),
        freq: fc.constantFrom('weekly', 'yearly'),
        startDate: fc.constant('2031-02-28'),
      })
      .map((body) => ['/api/v1/subscriptions', body] as const),
    fc.record({ ...goodTerms(), title: fc.constant('Workshop') }).map((body) => ['/api/v1/checkouts', body] as const),
  );
/** Requests of every operation that creates, good and bad. */
const requests = () => fc.oneof(goodRequests(), anyRequests());
const anyRequests = () =>
  fc.oneof(
    fc
      .record(
        {
          name: text,
          email: fc.constantFrom('a@example.nl', 'nobody'),
          countryCode: fc.constantFrom('NL', 'ZZ'),
          kvkNumber: text,
        },
        { requiredKeys: ['name'] },
      )
      .map((body) => ['/api/v1/customers', body] as const),
    fc
      .record(
        {
          name: text,
          unitPriceCents: fc.integer({ min: -10, max: 10_000 }),
          vatRateBps: fc.constantFrom(0, 900, 2_100, 10_001),
        },
        { requiredKeys: ['name', 'unitPriceCents'] },
      )
      .map((body) => ['/api/v1/products', body] as const),
    fc
      .record(
        { ...terms(), send: fc.boolean(), issueDate: fc.constantFrom('2020-01-01', 'today') },
        { requiredKeys: ['lines', 'customerId', 'send'] },
      )
      .map((body) => ['/api/v1/invoices', body] as const),
    fc
      .record(
        {
          ...terms(),
          freq: fc.constantFrom('weekly', 'monthly', 'hourly'),
          startDate: fc.constantFrom('2031-02-28', '2031-02-30'),
        },
        { requiredKeys: ['lines', 'customerId', 'freq', 'startDate'] },
      )
      .map((body) => ['/api/v1/subscriptions', body] as const),
    fc
      .record(
        { title: text, lines: fc.array(line(), { maxLength: 2 }), methods: fc.constantFrom(['ideal'], ['giropay']) },
        { requiredKeys: ['title', 'lines'] },
      )
      .map((body) => ['/api/v1/checkouts', body] as const),
    fc
      .record({ orgId: fc.constantFrom(organizationId, uuid), credits: fc.integer({ min: -1, max: 50 }), reason: text })
      .map((body) => ['/api/v1/credits', body] as const),
  );

const send = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer<unknown>> =>
  (path === '/api/v1/credits' ? billing : api).post(path, body, headers);

/** What is not made up, as text that can be compared. */
function without(data: Record<string, unknown>, examples: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !examples.includes(`/data/${name}`)));
}

test('every request is answered by a dry run as by itself', async () => {
  const tried: Record<string, number> = {};
  const shown: { documents: Documents; inclCents: number; id: string }[] = [];
  await fc.assert(
    fc.asyncProperty(fc.constant(undefined).chain(requests), async ([path, body]) => {
      const dry = await send(path, body, DRY);
      const real = await send(path, body);
      tried[`${path} ${real.status}`] = (tried[`${path} ${real.status}`] ?? 0) + 1;
      if (real.status !== 201) {
        expect([dry.status, dry.body]).toEqual([real.status, real.body]);
        return;
      }
      const { data, dryRun, examples, totals, documents, ...beside } = dry.body as Tried;
      const { data: made, ...besideReal } = real.body as { data: Record<string, unknown> };
      expect([dry.status, dry.headers.get('dry-run'), dryRun]).toEqual([200, 'true', true]);
      expect(Object.keys(data).sort()).toEqual(Object.keys(made).sort());
      expect(without(data, examples)).toEqual(without(made, examples));
      expect(beside).toEqual(besideReal);
      expect([path, totals !== undefined]).toEqual([path, path === '/api/v1/invoices']);
      if (documents) shown.push({ documents, inclCents: totals!.inclCents, id: made['id'] as string });
    }),
    { numRuns: RUNS },
  );
  // Every operation was met with an acceptance.
  const accepted = Object.keys(tried).filter((each) => each.endsWith(' 201'));
  expect(accepted.map((each) => each.split(' ')[0]!.slice('/api/v1/'.length)).sort()).toEqual([
    ...['checkouts', 'credits', 'customers', 'invoices', 'products', 'subscriptions'],
  ]);
  await checkSums(shown);
  if (process.env['DRY_RUNS']) process.stdout.write(`${JSON.stringify(tried)}\n`);
}, 3_600_000);

/** The newest documents that were made add up to what their dry runs said. */
async function checkSums(shown: readonly { inclCents: number; id: string }[]): Promise<void> {
  const { body } = await api.get<{ data: { id: string; total_incl: number }[] }>('/api/v1/invoices');
  const made = new Map(body.data.map(({ id, total_incl }) => [id, total_incl]));
  const newest = shown.filter(({ id }) => made.has(id));
  expect(newest.length).toBeGreaterThan(3);
  expect(newest.map(({ id }) => made.get(id))).toEqual(newest.map(({ inclCents }) => inclCents));
}

test('the PDF and the e-invoice of a dry run can be looked at without a key, and nothing is stored for it', async () => {
  const before = await hashAtRest();
  const body = { customerId: customers[0], lines: [{ description: 'Advies', unitPriceCents: 10_000 }], send: true };
  const { data, totals, documents } = (await send('/api/v1/invoices', body, DRY)).body as Tried;
  expect(totals).toEqual({ exclCents: 10_000, vatCents: 2_100, inclCents: 12_100 });
  expect(Date.parse(documents!.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
  const [pdf, eInvoice] = await Promise.all([fetch(documents!.pdf), fetch(documents!.eInvoice!)]);
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  expect((await pdf.text()).slice(0, 5)).toBe('%PDF-');
  expect(await eInvoice.text()).toContain(`<cbc:ID>${String(data['number'])}</cbc:ID>`);
  const draft = (await send('/api/v1/invoices', { ...body, send: false }, DRY)).body as Tried;
  expect(draft.documents).toMatchObject({ eInvoice: null });
  expect((await fetch(documents!.pdf.replace(/.(?=\/invoice\.pdf)/, '!'))).status).toBe(404);
  expect((await fetch(draft.documents!.pdf.replace('.pdf', '.xml'))).status).toBe(404);
  expect(await hashOfStore()).toBe(before);
}, 60_000);

test('dry runs leave the store as it is', async () => {
  const before = await hashAtRest();
  await fc.assert(
    fc.asyncProperty(fc.constant(undefined).chain(requests), async ([path, body]) => {
      await send(path, body, DRY);
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  );
  expect(await hashOfStore()).toBe(before);
}, 3_600_000);

test('anything but true in the header is refused, and nothing is made', async () => {
  const before = await hashAtRest();
  for (const value of ['false', 'TRUE', '1', 'yes'])
    expect((await send('/api/v1/customers', { name: 'x' }, { 'dry-run': value })).body).toMatchObject({
      error: 'validation',
    });
  expect(await hashOfStore()).toBe(before);
});

/** Once what was made before has been told, mailed and settled: two looks a second apart find the same. */
async function hashAtRest(): Promise<string> {
  let last = '';
  const isAtRest = async (): Promise<boolean> => {
    const before = last;
    last = await hashOfStore();
    return last === before;
  };
  await waitFor(isAtRest, 30_000, 1_000);
  return last;
}

/** Of every document of every database but what the edge notes about requests themselves: rates, keys that were used, heartbeats. */
async function hashOfStore(): Promise<string> {
  const client = store.getClient();
  const hash = createHash('sha256');
  const { databases } = await client.db().admin().listDatabases();
  for (const { name } of databases.filter((each) => !['admin', 'local', 'config', 'gateway'].includes(each.name))) {
    const database = client.db(name);
    const collections = await database.listCollections().toArray();
    for (const collection of collections.map((each) => each.name).sort())
      for await (const document of database.collection(collection).find().sort({ _id: 1 }))
        hash.update(`${name}.${collection} ${JSON.stringify(document)}\n`);
  }
  return hash.digest('hex');
}
