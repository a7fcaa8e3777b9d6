import { randomUUID } from 'node:crypto';
import {
  ArchivedFilter,
  CustomersService,
  HistoryService,
  ProductsService,
  ReferencesService,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { openChannel, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testCall, testIdentity, testPerson, type TestStore } from '@invoicing/testing';
import { startCatalog } from './service';

let store: TestStore;
let catalog: Awaited<ReturnType<typeof startCatalog>>;
const channels: RpcChannel[] = [];
let customers: RpcClient<typeof CustomersService>;
let products: RpcClient<typeof ProductsService>;
let references: RpcClient<typeof ReferencesService>;
let history: RpcClient<typeof HistoryService>;

beforeAll(async () => {
  store = await startTestStore();
  catalog = await startCatalog(
    {
      host: '127.0.0.1',
      port: 0,
      mongoUri: store.uri,
      identity: testIdentity('catalog'),
      viesUrl: 'http://127.0.0.1:1',
    },
    createLogger('catalog', 'silent'),
  );
  const as = (identity: string): RpcChannel => {
    const channel = openChannel(`127.0.0.1:${catalog.port}`, testIdentity(identity));
    channels.push(channel);
    return channel;
  };
  history = as('application').client(HistoryService);
  const { matchCustomer } = as('checkout').client(CustomersService);
  customers = { ...as('admin').client(CustomersService), matchCustomer };
  products = as('admin').client(ProductsService);
  references = as('billing').client(ReferencesService);
});

afterAll(async () => {
  for (const channel of channels) channel.close();
  await catalog?.close();
  await store?.close();
});

const operation = (operationId = randomUUID()) => testCall({ operationId });
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('creation', () => {
  test('an operation that runs again, even at the same time, makes one customer', async () => {
    const organizationId = randomUUID();
    const call = operation();
    const request = { organizationId, details: { name: 'Jansen', city: 'Gouda' } };
    const answers = await Promise.all(many(16, () => customers.createCustomer(request, call)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([call.operationId]));
    expect(answers[0]).toMatchObject({ organizationId, details: { name: 'Jansen', city: 'Gouda', email: undefined } });
    const listed = await customers.listCustomers({ organizationId, limit: 0 }, testCall());
    expect(listed.customers).toEqual([answers[0]]);
  });

  test('a register number of any form is kept; where a KvK number is expected, every answer says that it is none', async () => {
    const organizationId = randomUUID();
    const make = (details: object) =>
      customers.createCustomer({ organizationId, details: { name: 'Jansen', ...details } }, operation());
    const odd = await make({ kvkNumber: 'HRB 12345', countryCode: 'NL' });
    const warning = { code: 'not_a_kvk_number', field: '/kvkNumber', message: expect.stringContaining('8 digits') };
    expect(odd).toMatchObject({ details: { kvkNumber: 'HRB 12345' }, warnings: [warning] });
    expect(await customers.getCustomer({ organizationId, customerId: odd.id }, testCall())).toEqual(odd);
    for (const fine of [{}, { kvkNumber: '1234 5678' }, { kvkNumber: 'HRB 12345', countryCode: 'DE' }])
      expect((await make(fine)).warnings).toEqual([]);
    const mended = { organizationId, customerId: odd.id, details: { name: '', kvkNumber: '12345678' } };
    expect((await customers.updateCustomer({ ...mended, updateMask: ['kvkNumber'] }, testCall())).warnings).toEqual([]);
  });

  test('an operation id of another organisation is a conflict and shows nothing of it', async () => {
    const call = operation();
    await products.createProduct({ organizationId: randomUUID(), details: { name: 'Uur', unitPriceCents: 1 } }, call);
    await expect(
      products.createProduct({ organizationId: randomUUID(), details: { name: 'Uur', unitPriceCents: 1 } }, call),
    ).rejects.toMatchObject({ kind: 'conflict' });
  });

  test('violations arrive whole', async () => {
    await expect(
      customers.createCustomer({ organizationId: randomUUID(), details: { name: '', email: 'x' } }, operation()),
    ).rejects.toMatchObject({
      code: 'validation',
      details: [{ path: '/name' }, { path: '/email' }],
    });
    await expect(
      products.createProduct({ organizationId: 'x', details: { name: 'x', unitPriceCents: 1 } }, operation()),
    ).rejects.toMatchObject({ details: [{ path: '/organizationId' }] });
  });

  test('external ids need not be unique', async () => {
    const request = { organizationId: randomUUID(), details: { name: 'Jansen', externalId: 'c-1' } };
    const made = await Promise.all(many(3, () => customers.createCustomer(request, operation())));
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  });
});

test('lists are newest first, limited, and of one organisation', async () => {
  const organizationId = randomUUID();
  for (let index = 0; index < 5; index++)
    await products.createProduct(
      { organizationId, details: { name: `p${index}`, unitPriceCents: index, vatRateBps: 900 } },
      operation(),
    );
  await products.createProduct(
    { organizationId: randomUUID(), details: { name: 'x', unitPriceCents: 1 } },
    operation(),
  );
  const { products: newest } = await products.listProducts({ organizationId, limit: 3 }, testCall());
  expect(newest.map(({ details }) => details)).toMatchObject([{ name: 'p4' }, { name: 'p3' }, { name: 'p2' }]);
  await expect(products.listProducts({ organizationId, limit: 101 }, testCall())).rejects.toMatchObject({
    details: [{ path: '/limit' }],
  });
});

test("another organisation's ids look like unknown ones", async () => {
  const [mine, theirs] = [randomUUID(), randomUUID()];
  const own = await customers.createCustomer({ organizationId: mine, details: { name: 'own' } }, operation());
  const foreign = await customers.createCustomer({ organizationId: theirs, details: { name: 'x' } }, operation());
  const product = await products.createProduct(
    { organizationId: mine, details: { name: 'Uur', unitPriceCents: 9500 } },
    operation(),
  );
  const customerIds = [own.id, foreign.id, own.id, randomUUID(), 'no uuid'];
  const resolved = await references.resolveReferences(
    { organizationId: mine, customerIds, productIds: [product.id, own.id] },
    testCall(),
  );
  expect(resolved).toEqual({ customers: [own], products: [product], mergedCustomers: {}, mergedProducts: {} });

  const wanted = { kind: 'absent', code: 'not_found', publicMessage: 'the customer does not exist' };
  for (const customerId of [foreign.id, randomUUID()])
    await expect(customers.getCustomer({ organizationId: mine, customerId }, testCall())).rejects.toMatchObject(wanted);
  expect(await customers.getCustomer({ organizationId: mine, customerId: own.id }, testCall())).toEqual(own);
});

describe('matching', () => {
  const match = (organizationId: string, details: { name: string; [field: string]: string }, call = operation()) =>
    customers.matchCustomer({ organizationId, details }, call);

  test('the strongest thing known decides; the oldest wins', async () => {
    const organizationId = randomUUID();
    const create = (details: { name: string; [field: string]: string }) =>
      customers.createCustomer({ organizationId, details }, operation());
    const byExternalId = await create({ name: 'a', externalId: 'e-1', email: 'one@x.nl' });
    const byBtwId = await create({ name: 'b', btwId: 'NL001234567B01', email: 'books@x.nl' });
    await create({ name: 'c', btwId: 'NL001234567B01' });
    const byEmail = await create({ name: 'd', email: 'Two@X.nl' });

    const ids = async (details: { name: string; [field: string]: string }) => (await match(organizationId, details)).id;
    expect(await ids({ name: 'z', externalId: 'e-1', btwId: 'NL001234567B01' })).toBe(byExternalId.id);
    expect(await ids({ name: 'z', btwId: 'nl001234567b01', email: 'two@x.nl' })).toBe(byBtwId.id);
    expect(await ids({ name: 'z', email: 'two@x.NL' })).toBe(byEmail.id);
    // The integrator's id is new: its e-mail finds the customer without one, but never takes another's.
    expect(await ids({ name: 'z', externalId: 'e-2', email: 'two@x.nl' })).toBe(byEmail.id);
    const fresh = await ids({ name: 'z', externalId: 'e-2', email: 'one@x.nl' });
    expect(fresh).not.toBe(byExternalId.id);
    // One bookkeeper, another company.
    const company = await match(organizationId, { name: 'z', btwId: 'NL002345678B01', email: 'books@x.nl' });
    expect(company.details).toMatchObject({ btwId: 'NL002345678B01' });
  });

  test('equal matches at once make one customer', async () => {
    const organizationId = randomUUID();
    const details = { name: 'Payer', email: 'payer@x.nl' };
    const answers = await Promise.all(many(24, () => match(organizationId, details)));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const { customers: all } = await customers.listCustomers({ organizationId, limit: 0 }, testCall());
    expect(all).toHaveLength(1);
  });

  test('an operation that runs again meets what it made', async () => {
    const organizationId = randomUUID();
    const call = operation();
    const answers = await Promise.all(many(8, () => match(organizationId, { name: 'nobody knows' }, call)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([call.operationId]));
    // Without anything to know a customer by, another operation is another customer.
    expect((await match(organizationId, { name: 'nobody knows' })).id).not.toBe(call.operationId);
  });
});

describe('changes', () => {
  const operator = () => testCall({ principal: { service: 'admin', userId: 'joris' } });
  const create = (organizationId: string, details: { name: string; [field: string]: string }) =>
    customers.createCustomer({ organizationId, details }, operation());
  type Update = Partial<Parameters<typeof customers.updateCustomer>[0]>;
  const update = (customerId: string, details: { name?: string; [field: string]: string }, rest: Update = {}) =>
    customers.updateCustomer(
      { organizationId: '', customerId, details: { name: '', ...details }, updateMask: Object.keys(details), ...rest },
      operator(),
    );

  test('a field is set, another is cleared, the rest stays; the document says who did it', async () => {
    const made = await create(randomUUID(), { name: 'Jansen', email: 'a@x.nl', city: 'Gouda' });
    expect(made.revision).toBe(1);
    const changed = await update(made.id, { email: 'b@x.nl' }, { updateMask: ['email', 'city', 'company_name'] });
    expect(changed).toMatchObject({ revision: 2, updatedBy: { kind: 'operator', id: 'joris' } });
    expect(changed.details).toMatchObject({ name: 'Jansen', email: 'b@x.nl' });
    expect(changed.details?.city).toBeUndefined();
    expect(await customers.getCustomer({ organizationId: '', customerId: made.id }, testCall())).toEqual(changed);
    // What is so already changes nothing.
    expect(await update(made.id, { email: 'b@x.nl' })).toEqual(changed);
  });

  test('the language of its documents is chosen, and no longer', async () => {
    const made = await create(randomUUID(), { name: 'Jansen' });
    expect(made.details?.language).toBeUndefined();
    expect((await update(made.id, { language: 'fr' })).details).toMatchObject({ name: 'Jansen', language: 'fr' });
    const cleared = await update(made.id, {}, { updateMask: ['language'] });
    expect(cleared.details?.language).toBeUndefined();
  });

  test('what does not fit, or is no field, is refused', async () => {
    const { id } = await create(randomUUID(), { name: 'Jansen' });
    const wrong = [
      [update(id, { name: '' }), '/name'],
      [update(id, { email: 'x' }), '/email'],
      [update(id, { language: 'es' }), '/language'],
      [update(id, { colour: 'red' }), '/updateMask'],
      [update(id, {}), '/updateMask'],
    ] as const;
    for (const [call, path] of wrong) await expect(call).rejects.toMatchObject({ details: [{ path }] });
    await expect(update(randomUUID(), { name: 'x' })).rejects.toMatchObject({ kind: 'absent' });
    const elsewhere = update(id, { name: 'x' }, { organizationId: randomUUID() });
    await expect(elsewhere).rejects.toMatchObject({ kind: 'absent' });
  });

  test('nobody loses what another changed meanwhile', async () => {
    const { id, revision } = await create(randomUUID(), { name: 'Jansen' });
    await update(id, { city: 'Gouda' }, { revision });
    await expect(update(id, { city: 'Delft' }, { revision })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'revision_conflict',
      publicMessage: expect.stringMatching(/city by joris/) as string,
    });
    const cities = Array.from({ length: 8 }, (_, at) => update(id, { city: `${at}` }, { revision: 2 }));
    const outcomes = await Promise.allSettled(cities);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('a customer is matched by what it is known by now, not by what it was', async () => {
    const organizationId = randomUUID();
    const match = (email: string) =>
      customers.matchCustomer({ organizationId, details: { name: 'Payer', email } }, operation());
    const { id } = await match('old@x.nl');
    await update(id, { email: 'new@x.nl' });
    expect((await match('new@x.nl')).id).toBe(id);
    expect((await match('old@x.nl')).id).not.toBe(id);
  });

  test('what is archived is hidden from lists until it is asked for or shown again, and still resolves', async () => {
    const organizationId = randomUUID();
    const [one, other] = [
      await create(organizationId, { name: 'one' }),
      await create(organizationId, { name: 'other' }),
    ];
    const list = async (archived?: ArchivedFilter) =>
      (await customers.listCustomers({ organizationId, limit: 0, archived }, testCall())).customers.map(({ id }) => id);
    const archive = (undo: boolean) =>
      customers.archiveCustomer({ organizationId: '', customerId: one.id, undo }, operator());
    expect((await archive(false)).archivedAt).toBeInstanceOf(Date);
    expect(await list()).toEqual([other.id]);
    expect(await list(ArchivedFilter.INCLUDED)).toEqual([other.id, one.id]);
    expect(await list(ArchivedFilter.ONLY)).toEqual([one.id]);
    const resolved = await references.resolveReferences(
      { organizationId, customerIds: [one.id], productIds: [] },
      testCall(),
    );
    expect(resolved.customers).toHaveLength(1);
    expect((await archive(true)).archivedAt).toBeUndefined();
    expect(await list()).toEqual([other.id, one.id]);
  });

  test('a text finds by name, company, e-mail address, city and own id; a cursor goes through all that fit', async () => {
    const organizationId = randomUUID();
    const details = [
      { name: 'Anna (Gouda)' },
      { name: 'x', companyName: 'Goudasmid BV' },
      { name: 'x', email: 'info@gouda.nl' },
      { name: 'x', city: 'GOUDA' },
      { name: 'x', externalId: 'gouda-1' },
      { name: 'Delft' },
    ];
    const made: string[] = [];
    for (const each of details) made.unshift((await create(organizationId, each)).id);
    const found: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages === 0 || cursor; pages++) {
      const page = await customers.listCustomers({ organizationId, limit: 2, text: 'gouda', cursor }, testCall());
      found.push(...page.customers.map(({ id }) => id));
      ({ cursor } = page);
    }
    expect(found).toEqual(made.slice(1));
    const literal = await customers.listCustomers({ organizationId, limit: 0, text: 'A (g' }, testCall());
    expect(literal.customers.map(({ id }) => id)).toEqual([made.at(-1)]);
  });

  test('a product changes in the same way, its price to 0 too', async () => {
    const organizationId = randomUUID();
    const product = { name: 'Uur', unitPriceCents: 9_500, sku: 'U-1' };
    const { id: productId } = await products.createProduct({ organizationId, details: product }, operation());
    const request = { organizationId, productId, details: { name: '', unitPriceCents: 0 } };
    const changed = await products.updateProduct({ ...request, updateMask: ['unit_price_cents', 'sku'] }, operator());
    expect(changed).toMatchObject({ revision: 2, details: { name: 'Uur', unitPriceCents: 0, sku: undefined } });
    await products.archiveProduct({ organizationId, productId, undo: false }, operator());
    const listed = await products.listProducts({ organizationId, limit: 0 }, testCall());
    expect(listed.products).toEqual([]);
    expect(await products.getProduct({ organizationId: '', productId }, testCall())).toMatchObject({ id: productId });
  });

  test("an organisation's history is one list, newest first, for those who may read it", async () => {
    const organizationId = randomUUID();
    const { id } = await create(organizationId, { name: 'Jansen' });
    await update(id, { name: 'De Vries' });
    await customers.archiveCustomer({ organizationId, customerId: id, undo: false }, operator());
    const read = (role: 'owner' | 'viewer', cursor?: string) =>
      history.listHistory({ organizationId, limit: 2, cursor }, testPerson(organizationId, role));
    const first = await read('owner');
    const operatorActor = { kind: 'operator', id: 'joris', label: undefined };
    expect(first.entries).toMatchObject([
      { action: 'customer.archived', by: operatorActor, subject: { kind: 'customer', id, label: 'De Vries' } },
      { action: 'customer.updated', fields: ['name'], revision: 2, at: expect.any(Date) as Date },
    ]);
    const last = await read('owner', first.cursor);
    expect(last.entries).toMatchObject([{ action: 'customer.created', subject: { label: 'Jansen' } }]);
    expect(last.cursor).toBeUndefined();
    await expect(read('viewer')).rejects.toMatchObject({ kind: 'forbidden' });
  });
});

describe('erasure', () => {
  const jansen = { name: 'Jansen', email: 'jansen@example.nl', externalId: 'J-1', city: 'Gouda' };
  const made = async (organizationId: string) =>
    (await customers.createCustomer({ organizationId, details: jansen }, operation())).id;

  test('nothing new refers to a customer that is being erased, nobody is matched with it, and it changes no more', async () => {
    const organizationId = randomUUID();
    const customerId = await made(organizationId);
    await customers.beginErasure({ organizationId: '', customerId }, testCall());
    const again = await customers.beginErasure({ organizationId: '', customerId }, testCall());
    expect(again).toMatchObject({ revision: 2, erasedAt: expect.any(Date) as Date, details: jansen });
    const ids = { organizationId, customerIds: [customerId], productIds: [] };
    expect((await references.resolveReferences(ids, testCall())).customers).toEqual([]);
    for (const known of [{ externalId: jansen.externalId }, { email: jansen.email }]) {
      const details = { name: 'Jansen', ...known };
      const { id } = await customers.matchCustomer({ organizationId, details }, operation());
      expect(id).not.toBe(customerId);
    }
    const conflict = { kind: 'conflict', publicMessage: expect.stringContaining('erased') as string };
    const request = { organizationId, customerId };
    const change = { details: { name: 'X' }, updateMask: ['name'] };
    await expect(customers.updateCustomer({ ...request, ...change }, testCall())).rejects.toMatchObject(conflict);
    await expect(customers.archiveCustomer({ ...request, undo: true }, testCall())).rejects.toMatchObject(conflict);
    expect((await customers.listCustomers({ organizationId, limit: 0, text: 'Gouda' }, testCall())).customers).toEqual(
      [],
    );
  });

  test('a record that invoices refer to stays without how to reach the person; another one goes', async () => {
    const organizationId = randomUUID();
    const [referredTo, other] = [await made(organizationId), await made(organizationId)];
    const finish = (customerId: string, isReferredTo: boolean) =>
      customers.finishErasure({ organizationId, customerId, isReferredTo }, testCall());
    await expect(finish(other, false)).rejects.toMatchObject({ kind: 'conflict' });
    for (const customerId of [referredTo, other])
      await customers.beginErasure({ organizationId, customerId }, testCall());
    expect([await finish(referredTo, true), await finish(other, false)]).toEqual([
      { removed: false },
      { removed: true },
    ]);
    const { details } = await customers.getCustomer({ organizationId, customerId: referredTo }, testCall());
    expect(details).toEqual({ ...details, name: 'Jansen', city: 'Gouda', email: undefined, externalId: undefined });
    await expect(customers.getCustomer({ organizationId, customerId: other }, testCall())).rejects.toMatchObject({
      kind: 'absent',
    });
    const { entries } = await history.listHistory({ organizationId, limit: 10 }, testPerson(organizationId, 'owner'));
    expect(entries.filter(({ subject }) => subject?.id === other)).toMatchObject([
      { action: 'customer.erased', subject: { label: 'erased' } },
      { action: 'customer.erasure_begun', subject: { label: 'erased' } },
      { action: 'customer.created' },
    ]);
  });
});
