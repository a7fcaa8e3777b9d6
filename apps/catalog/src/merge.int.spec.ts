import { randomUUID } from 'node:crypto';
import {
  ArchivedFilter,
  CustomersService,
  HistoryService,
  ProductsService,
  ReferencesService,
  type Customer,
  type CustomerDetails,
  type Product,
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
let history: RpcClient<typeof HistoryService>;
let references: RpcClient<typeof ReferencesService>;
let operator: RpcClient<typeof CustomersService>;
let match: RpcClient<typeof CustomersService>['matchCustomer'];

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
  customers = as('application').client(CustomersService);
  products = as('application').client(ProductsService);
  history = as('application').client(HistoryService);
  references = as('billing').client(ReferencesService);
  operator = as('admin').client(CustomersService);
  ({ matchCustomer: match } = as('checkout').client(CustomersService));
});
afterAll(async () => {
  for (const channel of channels) channel.close();
  await catalog?.close();
  await store?.close();
});

const organizationId = randomUUID();
const person = () => testPerson(organizationId, 'sales', { operationId: randomUUID() });
const create = (details: CustomerDetails): Promise<Customer> =>
  customers.createCustomer({ organizationId, details }, person());
const merge = (from: Customer, into: Customer) =>
  customers.mergeCustomers({ organizationId, customerId: from.id, intoCustomerId: into.id }, person());
const resolve = (...customerIds: string[]) =>
  references.resolveReferences({ organizationId, customerIds, productIds: [] }, testCall());

test('the one that goes leaves the lists and is answered for by the one that stays, along a chain too', async () => {
  const [a, b, c] = await Promise.all(['Jansen', 'Janssen', 'Janssens'].map((name) => create({ name })));
  expect((await merge(a!, b!)).id).toBe(b!.id);
  expect((await merge(a!, b!)).id).toBe(b!.id);
  await merge(b!, c!);
  const listed = await customers.listCustomers({ organizationId, limit: 0 }, person());
  expect(listed.customers.map(({ id }) => id)).toEqual([c!.id]);
  const archived = { organizationId, limit: 0, archived: ArchivedFilter.ONLY };
  expect((await customers.listCustomers(archived, person())).customers).toHaveLength(2);
  const found = await resolve(a!.id, c!.id);
  expect(new Set(found.customers.map(({ id }) => id))).toEqual(new Set([c!.id]));
  expect(found.mergedCustomers).toEqual({ [a!.id]: c!.id });
  const { entries } = await history.listHistory({ organizationId, limit: 0 }, testPerson(organizationId, 'owner'));
  expect(entries.filter(({ action }) => action === 'customer.merged')).toHaveLength(2);
});

test('who pays at a checkout as the one that went is the one that stays', async () => {
  const [from, into] = await Promise.all([
    create({ name: 'Pien', email: 'pien@example.nl' }),
    create({ name: 'Pien Bakker', email: 'p.bakker@example.nl' }),
  ]);
  await merge(from, into);
  const met = await match({ organizationId, details: { name: 'P.', email: 'Pien@example.nl' } }, testCall());
  expect(met.id).toBe(into.id);
});

test('brought back, it stands for itself again', async () => {
  const [from, into] = await Promise.all([create({ name: 'Een' }), create({ name: 'Twee' })]);
  await merge(from, into);
  const asked = { organizationId, customerId: from.id, undo: true };
  expect((await customers.archiveCustomer(asked, person())).mergedInto).toBeUndefined();
  expect((await resolve(from.id)).customers.map(({ id }) => id)).toEqual([from.id]);
});

test('never with itself, into one that is merged, or into another organisation', async () => {
  const [a, b, c] = await Promise.all(['A', 'B', 'C'].map((name) => create({ name })));
  await expect(merge(a!, a!)).rejects.toMatchObject({ kind: 'invalid', details: [{ path: '/intoCustomerId' }] });
  await merge(a!, b!);
  await expect(merge(c!, a!)).rejects.toMatchObject({ kind: 'invalid' });
  await expect(merge(b!, a!)).rejects.toMatchObject({ kind: 'invalid' });
  await expect(merge(a!, c!)).rejects.toMatchObject({ kind: 'invalid' });
  const elsewhere = testPerson(randomUUID(), 'sales');
  await expect(
    customers.mergeCustomers({ organizationId, customerId: b!.id, intoCustomerId: c!.id }, elsewhere),
  ).rejects.toMatchObject({ kind: 'absent' });
  const foreign = await customers.createCustomer(
    { organizationId: elsewhere.principal!.organizationId!, details: { name: 'D' } },
    { ...elsewhere, operationId: randomUUID() },
  );
  await expect(merge(b!, foreign)).rejects.toMatchObject({ kind: 'absent' });
});

describe('products', () => {
  const make = (name: string, unitPriceCents = 100): Promise<Product> =>
    products.createProduct({ organizationId, details: { name, unitPriceCents } }, person());
  const mergeProducts = (from: Product, into: Product) =>
    products.mergeProducts({ organizationId, productId: from.id, intoProductId: into.id }, person());
  const resolved = (...productIds: string[]) =>
    references.resolveReferences({ organizationId, customerIds: [], productIds }, testCall());

  test('the one that goes is answered for by the one that stays, along a chain too, until it is brought back', async () => {
    const [a, b, c] = await Promise.all([make('Uur', 9_000), make('Uren', 9_500), make('Per uur', 10_000)]);
    expect((await mergeProducts(a, b)).id).toBe(b.id);
    expect((await mergeProducts(a, b)).id).toBe(b.id);
    await mergeProducts(b, c);
    const { products: listed } = await products.listProducts({ organizationId, limit: 0 }, person());
    expect(listed.map(({ id }) => id)).toEqual([c.id]);
    const found = await resolved(a.id);
    expect(found.products.map(({ id, details }) => [id, details?.unitPriceCents])).toEqual([[c.id, 10_000]]);
    expect(found.mergedProducts).toEqual({ [a.id]: c.id });
    const { entries } = await history.listHistory({ organizationId, limit: 0 }, testPerson(organizationId, 'owner'));
    expect(entries.filter(({ action }) => action === 'product.merged')).toHaveLength(2);

    const undo = { organizationId, productId: a.id, undo: true };
    expect((await products.archiveProduct(undo, person())).mergedInto).toBeUndefined();
    expect((await resolved(a.id)).products.map(({ id }) => id)).toEqual([a.id]);
  });

  test('never with itself, into one that is merged, or into another organisation', async () => {
    const [a, b, c] = await Promise.all([make('A'), make('B'), make('C')]);
    await expect(mergeProducts(a, a)).rejects.toMatchObject({ kind: 'invalid', details: [{ path: '/intoProductId' }] });
    await mergeProducts(a, b);
    await expect(mergeProducts(c, a)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(mergeProducts(a, c)).rejects.toMatchObject({ kind: 'invalid' });
    await expect(
      products.mergeProducts(
        { organizationId, productId: b.id, intoProductId: c.id },
        testPerson(randomUUID(), 'sales'),
      ),
    ).rejects.toMatchObject({ kind: 'absent' });
  });

  test('two that are merged into each other at once still answer', async () => {
    const [a, b] = await Promise.all([make('Heen'), make('Weer')]);
    await Promise.allSettled([mergeProducts(a, b), mergeProducts(b, a)]);
    expect((await resolved(a.id, b.id)).products).toHaveLength(2);
  });
});

test('one that was merged and is then erased is not found any more, nor the one that stands for it by its id', async () => {
  const [from, into] = [await create({ name: 'Jansen' }), await create({ name: 'Jansen BV' })];
  await merge(from, into);
  expect((await resolve(from.id)).customers.map(({ id }) => id)).toEqual([into.id]);
  await operator.beginErasure({ organizationId, customerId: from.id }, testCall());
  expect((await resolve(from.id)).customers).toEqual([]);
  expect((await resolve(into.id)).customers.map(({ id }) => id)).toEqual([into.id]);
});
