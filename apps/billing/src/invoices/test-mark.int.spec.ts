import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { connectMongo } from '@invoicing/mongo';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
beforeAll(async () => (harness = await startBillingHarness()));
afterAll(() => harness?.close());

const operation = () => testCall({ operationId: randomUUID() });
const lines = [{ unitPriceCents: 100, vatTreatment: VatTreatment.UNSPECIFIED }];
const page = async (token: string) => {
  const response = await fetch(`http://127.0.0.1:${harness.billing.httpPort}/p/${token}`);
  return response.text();
};

async function issuedIn(mode: Mode) {
  const { organizations, invoices } = harness.as('admin');
  const details = { name: 'Bakkerij De Zon' };
  const organization = await organizations.createOrganization({ details, plan: Plan.UNSPECIFIED, mode }, operation());
  const customerId = harness.peers.addCustomer(organization.id, {});
  const wanted = { organizationId: organization.id, customerId, lines, send: true, post: false };
  const { id, publicToken } = await invoices.createInvoice({ ...wanted, requireEInvoice: false }, operation());
  const note = await invoices.creditInvoice(
    { organizationId: organization.id, invoiceId: id, lines: [], reason: '' },
    operation(),
  );
  const get = (invoiceId: string) => invoices.getInvoice({ organizationId: organization.id, invoiceId }, testCall());
  return { id, publicToken, get, noteId: note.id };
}

test('documents of a test organisation say so, on their page too, and so do those from before it was kept', async () => {
  const made = await issuedIn(Mode.TEST);
  expect([(await made.get(made.id)).test, (await made.get(made.noteId)).test]).toEqual([true, true]);
  const connection = await connectMongo({ uri: harness.store.uri, database: 'billing' });
  const invoices = connection.collection<{ _id: string; test?: boolean }>('invoices');
  expect(await invoices.findOne({ _id: made.noteId })).toMatchObject({ test: true });
  expect(await page((await made.get(made.noteId)).publicToken)).toContain('<strong>TEST</strong>');
  // Before its page was looked at: what was sealed is read once.
  await invoices.updateOne({ _id: made.id }, { $unset: { test: 1 } });
  await connection.close();
  expect((await made.get(made.id)).test).toBe(true);
  expect(await page(made.publicToken)).toContain('<strong>TEST</strong>');
});

test('live documents carry no mark', async () => {
  const made = await issuedIn(Mode.LIVE);
  expect([(await made.get(made.id)).test, (await made.get(made.noteId)).test]).toEqual([false, false]);
  expect(await page(made.publicToken)).not.toContain('TEST');
});
