import { randomUUID } from 'node:crypto';
import { CustomersService, ReferencesService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { connectMongo, nativeCollection } from '@invoicing/mongo';
import { openChannel, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testCall, testIdentity, type TestStore } from '@invoicing/testing';
import { catalogMigrations } from './catalog-migrations';
import { openCustomers } from './customers/customer-store';
import { startCatalog } from './service';

let store: TestStore;
let catalog: Awaited<ReturnType<typeof startCatalog>>;
let customers: RpcClient<typeof CustomersService>;
let references: RpcClient<typeof ReferencesService>;
const closing: (() => void)[] = [];

beforeAll(async () => {
  store = await startTestStore();
  const config = {
    host: '127.0.0.1',
    port: 0,
    mongoUri: store.uri,
    identity: testIdentity('catalog'),
    viesUrl: 'http://127.0.0.1:1',
  };
  catalog = await startCatalog(config, createLogger('catalog', 'silent'));
  const as = (identity: string) => {
    const channel = openChannel(`127.0.0.1:${catalog.port}`, testIdentity(identity));
    closing.push(() => channel.close());
    return channel;
  };
  customers = as('admin').client(CustomersService);
  references = as('billing').client(ReferencesService);
});
afterAll(async () => {
  for (const close of closing) close();
  await catalog?.close();
  await store?.close();
});

const create = async (organizationId: string, name: string, companyName?: string): Promise<string> =>
  (
    await customers.createCustomer(
      { organizationId, details: { name, companyName } },
      testCall({ operationId: randomUUID() }),
    )
  ).id;
const find = async (organizationId: string, text: string, limit = 0): Promise<string[]> =>
  (await references.findCustomers({ organizationId, text, limit }, testCall())).customerIds;

test('customers are found by the beginnings of words of their names, of their own organisation only, the newest first', async () => {
  const [organizationId, other] = [randomUUID(), randomUUID()];
  const jose = await create(organizationId, 'José Bakker');
  const bakery = await create(organizationId, 'Piet', 'Bakkerij De Zon');
  await create(other, 'José Bakker');
  expect(await find(organizationId, 'BAK')).toEqual([bakery, jose]);
  expect(await find(organizationId, 'bak', 1)).toEqual([bakery]);
  expect(await find(organizationId, 'bakker jos')).toEqual([jose]);
  for (const nothing of ['akker', '', '.*', 'jose de zon']) expect(await find(organizationId, nothing)).toEqual([]);
  const update = { organizationId, customerId: jose, details: { name: 'Smit' }, updateMask: ['name'] };
  await customers.updateCustomer(update, testCall());
  expect([await find(organizationId, 'jos'), await find(organizationId, 'smi')]).toEqual([[], [jose]]);
  // What is archived has documents that are looked for; what is erased is no longer called so.
  await customers.archiveCustomer({ organizationId, customerId: jose, undo: false }, testCall());
  expect(await find(organizationId, 'smi')).toEqual([jose]);
  await customers.beginErasure({ organizationId, customerId: jose }, testCall());
  expect(await find(organizationId, 'smi')).toEqual([]);
});

test('customers of the version before are found once the service has started', async () => {
  const organizationId = randomUUID();
  const id = await create(organizationId, 'Oude Klant');
  const connection = await connectMongo({ uri: store.uri, database: 'catalog', migrations: [] });
  const stored = nativeCollection(await openCustomers(connection));
  await stored.updateOne({ organizationId, _id: id }, { $unset: { nameWords: 1 } });
  expect(await find(organizationId, 'oude')).toEqual([]);
  for (const { run } of catalogMigrations) await run(connection.db!);
  expect(await find(organizationId, 'oude')).toEqual([id]);
  await connection.close();
});
