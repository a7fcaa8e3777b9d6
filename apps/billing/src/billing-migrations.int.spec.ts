import { randomUUID } from 'node:crypto';
import { connectMongo, migrate, type Connection, type Db, type Migration } from '@invoicing/mongo';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { billingMigrations } from './billing-migrations';
import { openInvoices } from './invoices/invoice-store';

let store: TestStore;
let connection: Connection;

beforeAll(async () => {
  store = await startTestStore();
});
beforeEach(async () => {
  connection = await store.connect('billing');
  await connection.dropDatabase();
});
afterAll(() => store?.close());

const PAYMENTS = 1_200;

/** Payments and indexes as version 1 left them. */
async function writeVersion1(): Promise<void> {
  const invoices = connection.db!.collection<{ _id: string }>('invoices');
  await invoices.createIndex({ series: 1, seq: 1 }, { unique: true, name: 'series_seq' });
  await invoices.createIndex({ publicToken: 1 }, { unique: true });
  const made = Array.from({ length: PAYMENTS }, (_, index) => ({
    ...{ _id: randomUUID(), organizationId: `organization-${index % 3}`, publicToken: randomUUID() },
    ...{ series: `p${index % 3}/invoice/2026`, seq: index + 1, kind: 'invoice', totals: { inclCents: 12_100 } },
    dueDate: index < 700 ? '2100-01-15' : '2020-01-15',
  }));
  await invoices.insertMany(made);
  const payments = connection.db!.collection<{ _id: string }>('payments');
  await payments.createIndex({ 'payment.provider': 1, 'payment.id': 1 }, { unique: true });
  const paid = { provider: 'sandbox', method: 'ideal', paidAt: new Date(), amountCents: 12_100, checkoutId: null };
  await payments.insertMany(made.map(({ _id }) => ({ _id, payment: { ...paid, id: `sb_${_id}` } })));
}

/** The same migrations in a process that is killed at its nth command to a collection. */
function dyingAt(command: number): Migration[] {
  let left = command;
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get: (inner, name) => {
        const value = Reflect.get(inner, name) as unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (name === 'collection') return dying(Reflect.apply(value, inner, args) as object);
          if (left-- === 0) throw new Error('killed');
          return Reflect.apply(value, inner, args) as unknown;
        };
      },
    });
  return billingMigrations.map(({ name, run }) => ({ name, run: (db: Db) => run(dying(db)) }));
}

test('a store of version 1 is brought up, killed at each command on the way', async () => {
  await writeVersion1();
  let lives = 0;
  for (; lives < 100; lives++) {
    try {
      await migrate(connection, dyingAt(lives));
      break;
    } catch (error) {
      expect(String((error as Error).cause)).toMatch('killed');
    }
  }
  expect(lives).toBeGreaterThan(10);
  expect(lives).toBeLessThan(100);
  const payments = connection.db!.collection('payments');
  for (const organization of [0, 1, 2])
    expect(await payments.countDocuments({ organizationId: `organization-${organization}` })).toBe(PAYMENTS / 3);
  const entries = connection.db!.collection('account_entries');
  expect(await entries.countDocuments()).toBe(PAYMENTS);
  expect(await entries.distinct('invoiceId')).toHaveLength(PAYMENTS);
  const invoices = connection.db!.collection('invoices');
  expect(await invoices.countDocuments({ dueAt: new Date('2100-01-15T10:00:00Z') })).toBe(700);
  // What was overdue before is not told.
  expect(await invoices.countDocuments({ dueAt: { $exists: true } })).toBe(700);
  const indexes = [...(await payments.indexes()), ...(await (await openInvoices(connection)).collection.indexes())];
  const unique = indexes.filter((each) => (each as { unique?: boolean }).unique).map(({ key }) => Object.keys(key)[0]);
  expect(unique.length).toBeGreaterThan(0);
  expect(new Set(unique)).toEqual(new Set(['organizationId']));
});

test('of replicas that start at once one brings it up, and all go on', async () => {
  await writeVersion1();
  const { name: database } = connection;
  const replicas = await Promise.all(
    Array.from({ length: 4 }, () => connectMongo({ uri: store.uri, database, migrations: billingMigrations })),
  );
  const records = await connection.db!.collection('migrations').find().toArray();
  expect(records.map(({ _id, finishedAt }) => [_id as unknown as string, finishedAt instanceof Date])).toEqual(
    billingMigrations.map(({ name }) => [name, true]),
  );
  await Promise.all(replicas.map((each) => each.close()));
});
