import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { BillingStatus, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { type AppError } from '@invoicing/errors';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';
import { addDays, businessDate } from './business-date';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
let organizationId: string;
let customerId: string;

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

const operation = () => testCall({ operationId: randomUUID() });
const today = () => businessDate(new Date(), 'Europe/Amsterdam');

beforeEach(async () => {
  const created = await admin.organizations.createOrganization(
    { details: { name: 'Bakkerij De Zon' }, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED },
    operation(),
  );
  organizationId = created.id;
  customerId = harness.peers.addCustomer(organizationId, {});
});

const line = (unitPriceCents: number) => ({ unitPriceCents, vatTreatment: VatTreatment.UNSPECIFIED });
const create = (more: { send?: boolean; issueDate?: string; lines?: ReturnType<typeof line>[] }) =>
  harness
    .as('gateway')
    .invoices.createInvoice(
      { organizationId, customerId, lines: [line(100)], send: true, post: false, requireEInvoice: false, ...more },
      operation(),
    );
const set = (issuePolicy: object) =>
  admin.organizations.updateOrganization(
    {
      organizationId,
      details: {},
      plan: Plan.UNSPECIFIED,
      billingStatus: BillingStatus.UNSPECIFIED,
      issuePolicy,
    },
    testCall(),
  );
const faults = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: AppError) => (error.details ?? []).map(({ path, message }) => `${path} ${message}`),
  );

test('what a caller sends is dated from a year back to 60 days ahead; a draft takes any day until it is issued', async () => {
  expect(await faults(create({ issueDate: addDays(today(), -365) }))).toEqual([]);
  expect(await faults(create({ issueDate: addDays(today(), 60) }))).toEqual([]);
  const tooEarly = addDays(today(), -366);
  expect(await faults(create({ issueDate: tooEarly }))).toEqual([expect.stringMatching(/^\/issueDate must be from/)]);
  expect(await faults(create({ issueDate: addDays(today(), 61) }))).toHaveLength(1);
  const draft = await create({ issueDate: tooEarly, send: false });
  const issue = () => admin.invoices.issueInvoice({ organizationId, invoiceId: draft.id, skipEmail: true }, testCall());
  expect(await faults(issue())).toHaveLength(1);
  await set({ daysBack: 400 });
  expect(await faults(issue())).toEqual([]);
});

test('nothing is issued into a closed period, and a period closes when it is over', async () => {
  const yesterday = addDays(today(), -1);
  expect(await faults(set({ closedUntil: today() }))).toEqual([expect.stringMatching(/^\/closedUntil/)]);
  expect((await set({ closedUntil: yesterday })).issuePolicy).toEqual({
    closedUntil: yesterday,
    daysBack: 365,
    daysAhead: 60,
  });
  expect(await faults(create({ issueDate: yesterday }))).toEqual([
    `/issueDate lies in a closed period: the books are closed until ${yesterday}`,
  ]);
  expect(await faults(create({}))).toEqual([]);
  await set({ closedUntil: '' });
  expect(await faults(create({ issueDate: yesterday }))).toEqual([]);
});

test('an invoice below zero is not sent: a credit note is; zero is sent, and a draft may be anything', async () => {
  expect(await faults(create({ lines: [line(-100)] }))).toEqual([expect.stringMatching(/^\/lines .*credit note/)]);
  expect(await faults(create({ lines: [line(-100)], send: false }))).toEqual([]);
  expect(await faults(create({ lines: [line(100), line(-100)] }))).toEqual([]);
});

test('two profiles never print the same number', async () => {
  const profile = (name: string, numberFormat?: string) =>
    admin.organizations.createProfile({ organizationId, name, ...(numberFormat && { numberFormat }) }, operation());
  expect(await faults(profile('Same', '{YYYY}-{SEQ:5}'))).toEqual([expect.stringMatching(/^\/numberFormat/)]);
  expect(await faults(profile('As credit notes', 'C-{YYYY}-{SEQ:4}'))).toHaveLength(1);
  const made = await Promise.all([profile('Webshop'), profile('Market')]);
  expect(made.map(({ numberFormat }) => numberFormat).sort()).toEqual(['P2-{YYYY}-{SEQ:4}', 'P3-{YYYY}-{SEQ:4}']);
});

test('verify tells of numbers that two documents show, and of dates out of order', async () => {
  const other = await admin.organizations.createProfile({ organizationId, name: 'Webshop' }, operation());
  await create({ issueDate: today() });
  await create({ issueDate: addDays(today(), -1) });
  const verify = async () => (await admin.invoices.verifyNumbers({ organizationId }, testCall())).series;
  expect(await verify()).toMatchObject([{ count: 2, numbersUnique: true, datesOutOfOrder: 1, gapless: true }]);
  // As a store from before formats were compared may hold it.
  const connection = await harness.store.connect('other');
  await connection
    .getClient()
    .db('billing')
    .collection('organizations')
    .updateOne({ 'profiles.id': other.id }, { $set: { 'profiles.$.numberFormat': '{YYYY}-{SEQ:4}' } });
  await harness.as('gateway').invoices.createInvoice(
    {
      organizationId,
      customerId,
      profileId: other.id,
      lines: [line(100)],
      send: true,
      post: false,
      requireEInvoice: false,
    },
    operation(),
  );
  expect((await verify()).map(({ numbersUnique }) => numbersUnique)).toEqual([false, false]);
});
