import { randomUUID } from 'node:crypto';
import { RecordAccountPaymentRequest } from '@invoicing/contracts/invoicing/billing/v1/account';
import { CreateInvoiceRequest } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { testCall, testPerson } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let organizationId: string;
let customerId: string;
beforeAll(async () => {
  harness = await startBillingHarness();
  const request = { details: { name: 'Verkoper BV' }, plan: Plan.STANDARD, mode: Mode.LIVE };
  organizationId = (
    await harness.as('admin').organizations.createOrganization(request, testCall({ operationId: randomUUID() }))
  ).id;
  customerId = harness.peers.addCustomer(organizationId, { name: 'Sterre' });
});
afterAll(() => harness.close());

const owner = () => ({ ...testPerson(organizationId, 'owner'), operationId: randomUUID() });
const overview = (months = 0) => harness.as('application').overviews.getOverview({ organizationId, months }, owner());

async function create(unitPriceCents: number, changes: object = {}): Promise<string> {
  const lines = [{ description: 'Advies', unitPriceCents, vatTreatment: VatTreatment.ZERO }];
  const asked = CreateInvoiceRequest.fromPartial({ organizationId, customerId, lines, send: true, ...changes });
  return (await harness.as('application').invoices.createInvoice(asked, owner())).id;
}

const pay = (invoiceId: string, amountCents: number, date?: string) =>
  harness
    .as('application')
    .accounts.recordPayment(
      RecordAccountPaymentRequest.fromPartial({ organizationId, invoiceId, amountCents, provider: 'bank', date }),
      owner(),
    );

test('an organisation that has nothing has twelve months of nothing', async () => {
  const found = await overview();
  expect(found).toMatchObject({ draftCount: 0, openCount: 0, hasIssued: false, isPartial: false, currency: 'EUR' });
  expect(found.months).toHaveLength(12);
  expect(found.months.at(-1)?.month).toBe(new Date().toISOString().slice(0, 7));
  expect(found.months.every(({ inCents, outCents }) => inCents === 0 && outCents === 0)).toBe(true);
});

test('what needs somebody, counted and added up; money by the day on which it moved', async () => {
  const draft = await create(700, { send: false });
  const open = await create(1_000);
  await create(2_000, { issueDate: '2026-01-05', dueDate: '2026-01-19' });
  const overpaid = await create(3_000);
  await pay(open, 250);
  const before = new Date(Date.now() - 40 * 86_400_000).toISOString().slice(0, 10);
  await pay(overpaid, 3_500, before);
  const found = await overview();
  expect(found).toMatchObject({
    ...{ draftCount: 1, openCount: 2, openCents: 2_750, overdueCount: 1, overdueCents: 2_000, overpaidCount: 1 },
    ...{ hasIssued: true, isPartial: false },
  });
  expect(found.drafts.map(({ id, customerName }) => [id, customerName])).toEqual([[draft, 'Sterre']]);
  expect(found.overpaid.map(({ id }) => id)).toEqual([overpaid]);
  expect(found.newest).toHaveLength(4);
  const money = Object.fromEntries(found.months.map(({ month, inCents }) => [month, inCents]));
  expect(money[before.slice(0, 7)]).toBe(3_500);
  expect(money[new Date().toISOString().slice(0, 7)]).toBe(250);
  expect((await overview(1)).months).toHaveLength(1);
});

test('another organisation has none of it', async () => {
  const stranger = testPerson(randomUUID(), 'owner');
  await expect(
    harness.as('application').overviews.getOverview({ organizationId, months: 0 }, stranger),
  ).rejects.toMatchObject({ kind: 'absent' });
});
