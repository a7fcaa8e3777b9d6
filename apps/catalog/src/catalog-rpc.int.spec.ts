import { randomUUID } from 'node:crypto';
import {
  CustomersService,
  ProductsService,
  ReferencesService,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { openChannel, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testCall, testIdentity, type TestStore } from '@invoicing/testing';
import { startCatalog } from './service';

let store: TestStore;
let catalog: Awaited<ReturnType<typeof startCatalog>>;
const channels: RpcChannel[] = [];
let customers: RpcClient<typeof CustomersService>;
let products: RpcClient<typeof ProductsService>;
let references: RpcClient<typeof ReferencesService>;

beforeAll(async () => {
  store = await startTestStore();
  catalog = await startCatalog(
    { host: '127.0.0.1', port: 0, mongoUri: store.uri, identity: testIdentity('catalog') },
    createLogger('catalog', 'silent'),
  );
  const as = (identity: string): RpcChannel => {
    const channel = openChannel(`127.0.0.1:${catalog.port}`, testIdentity(identity));
    channels.push(channel);
    return channel;
  };
  const { matchCustomer } = as('checkout').client(CustomersService);
  customers = { ...as('admin').client(CustomersService), matchCustomer };
  products = as('gateway').client(ProductsService);
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
  expect(resolved).toEqual({ customers: [own], products: [product] });

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
