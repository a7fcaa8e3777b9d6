import { randomUUID } from 'node:crypto';
import type { OutboxEntry } from '@invoicing/events';
import type { Connection } from '@invoicing/mongo';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { createInvoice } from '../invoices/create-invoice';
import { creditInvoice } from '../invoices/credit-invoice';
import type { Organization } from '../organizations/organization';
import type { SubscriptionPorts } from '../subscriptions/subscription-ports';
import { addCustomer, addOrganization, newWorld, realPorts, type TestWorld } from '../testing/real-ports';
import { accountInvoice, readAccount } from './account';
import { listEntries } from './list-entries';
import { lookAtDueInvoice } from './overdue-worker';
import { recordMovement } from './record-movement';
import { recordPayment } from './record-payment';
import { followDueEntry } from './refund-worker';

let store: TestStore;
let connection: Connection;
let world: TestWorld;
let ports: SubscriptionPorts;
let organization: Organization;

const call = () => ({ deadline: Date.now() + 20_000 });
// Due on 29 January in Amsterdam: that day ends at 23:00 UTC.
const ISSUED = '2027-01-15T12:00:00Z';
const LAST_MOMENT = '2027-01-29T22:59:59Z';
const PAST = '2027-01-29T23:00:01Z';

beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store?.close());
beforeEach(async () => {
  connection = await store.connect(`o${randomUUID().slice(0, 8)}`);
  world = newWorld(ISSUED);
  ports = await realPorts(connection, world);
  organization = await addOrganization(ports);
});

async function issue(): Promise<string> {
  const input = { customerId: addCustomer(world).id, lines: [{ unitPriceCents: 10_000 }], send: true };
  return (await createInvoice(ports, organization._id, { ...input, post: false }, call())).id;
}

async function lookAt(time: string, replicas: readonly SubscriptionPorts[] = [ports]): Promise<void> {
  world.now = new Date(time);
  await Promise.all(
    replicas.map(async (replica) => {
      while (await lookAtDueInvoice(replica));
      while (await followDueEntry(replica, call()));
    }),
  );
}

/** What is to be told that invoices are overdue; no broker is there to take it. */
async function told(): Promise<{ invoiceId: string; openCents: string }[]> {
  const entries = await connection.db!.collection<{ outbox?: OutboxEntry[] }>('account_entries').find().toArray();
  const bodies = entries.flatMap(({ outbox = [] }) => outbox.map(({ body }) => JSON.parse(body) as Told));
  return bodies.flatMap(({ invoiceOverdue }) => invoiceOverdue ?? []);
}
interface Told {
  readonly invoiceOverdue?: { readonly invoiceId: string; readonly openCents: string };
}

const operation = () => ({ id: randomUUID(), by: { kind: 'operator', id: 'root' } as const });
const pay = (invoiceId: string, amountCents: number, id: string = randomUUID()) =>
  recordPayment(
    ports,
    organization._id,
    invoiceId,
    { amountCents, provider: 'mollie', method: 'ideal', paymentId: id, paidAt: world.now },
    operation(),
  );

test('told once when the day of its due date has ended where the organisation is, by however many replicas', async () => {
  const invoiceId = await issue();
  await pay(invoiceId, 5_000);
  await lookAt(LAST_MOMENT);
  expect(await told()).toEqual([]);
  const replicas = await Promise.all([1, 2, 3].map(() => realPorts(connection, world)));
  await lookAt(PAST, replicas);
  await lookAt('2027-03-01T00:00:00Z', replicas);
  expect(await told()).toMatchObject([{ invoiceId, number: '2027-0001', openCents: 7_100, dueDate: '2027-01-29' }]);
  // It moves no money and is no entry of the books; what was sealed is as it was.
  const issued = await accountInvoice(ports, organization._id, invoiceId);
  expect(issued).not.toHaveProperty('dueAt');
  expect(listEntries(await readAccount(ports, issued))).toHaveLength(1);
});

test('never when nothing is open: paid, credited; but when a chargeback opens it again', async () => {
  const [paid, credited] = [await issue(), await issue()];
  await pay(paid, 12_100, 'tr_1');
  await creditInvoice(ports, organization._id, credited, { lines: [], reason: '' }, call());
  await lookAt(PAST);
  expect(await told()).toEqual([]);
  const movement = { provider: 'mollie', paymentId: 'tr_1', providerId: 'chb_1', amountCents: 12_100 };
  const back = { ...movement, kind: 'chargeback' as const, movedAt: world.now, reason: '', undone: false };
  await recordMovement(ports, organization._id, paid, back, operation(), call());
  await lookAt('2027-02-01T00:00:00Z');
  expect(await told()).toMatchObject([{ invoiceId: paid, openCents: 12_100 }]);
});

test('a look that is cut off is made again after its lease', async () => {
  const invoiceId = await issue();
  const dies = { ...ports, accounts: { ...ports.accounts, insert: () => Promise.reject(new Error('killed')) } };
  await lookAt(PAST, [dies]);
  expect(await told()).toEqual([]);
  await lookAt('2027-01-29T23:05:00Z');
  expect(await told()).toMatchObject([{ invoiceId }]);
});
