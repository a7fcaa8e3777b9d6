import { randomUUID } from 'node:crypto';
import { BillingStatus, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { rolesByAction, type Role } from '@invoicing/rules';
import { testCall, testPerson } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from './testing/billing-harness';

let harness: BillingHarness;
let organizationId: string;
let customerId: string;
beforeAll(async () => {
  harness = await startBillingHarness();
  const request = { details: { name: 'Verkoper BV' }, plan: Plan.STANDARD, mode: Mode.LIVE };
  const call = testCall({ operationId: randomUUID() });
  organizationId = (await harness.as('admin').organizations.createOrganization(request, call)).id;
  customerId = harness.peers.addCustomer(organizationId, {});
});
afterAll(() => harness.close());
afterEach(() => jest.restoreAllMocks());

const create = (role: Role, changes: object = {}, context = testPerson(organizationId, role)) =>
  harness.as('application').invoices.createInvoice(
    {
      organizationId,
      customerId,
      lines: [{ unitPriceCents: 1_000, vatTreatment: VatTreatment.STANDARD_21 }],
      send: false,
      post: false,
      requireEInvoice: false,
      ...changes,
    },
    context,
  );

test('catalog is told for whom billing asks', async () => {
  const context = testPerson(organizationId, 'sales');
  await create('sales', {}, context);
  expect(harness.peers.principals.at(-1)).toEqual(context.principal);
});

test('who may write drafts but not issue cannot send either', async () => {
  jest.replaceProperty(rolesByAction as Record<string, readonly Role[]>, 'invoices.issue', ['owner']);
  await expect(create('sales', { send: true })).rejects.toMatchObject({ kind: 'forbidden' });
  expect((await create('sales')).number).toMatch(/^CONCEPT-/);
  expect((await create('owner', { send: true })).number).toMatch(/-0001$/);
});

test('people cannot say that a document was paid before it was made', async () => {
  const prepayment = { provider: 'bank', method: 'transfer', id: 'x', paidAt: new Date(), amountCents: 1_210 };
  await expect(create('owner', { send: true, prepayment })).rejects.toMatchObject({ kind: 'forbidden' });
});

test('an owner changes the settings, but not the plan', async () => {
  const update = (changes: object) =>
    harness.as('application').organizations.updateOrganization(
      {
        organizationId,
        details: {},
        plan: Plan.UNSPECIFIED,
        billingStatus: BillingStatus.UNSPECIFIED,
        ...changes,
      },
      testPerson(organizationId, 'owner'),
    );
  expect((await update({ details: { city: 'Gouda' } })).details?.city).toBe('Gouda');
  await expect(update({ plan: Plan.FREE })).rejects.toMatchObject({ kind: 'forbidden' });
  await expect(update({ billingStatus: BillingStatus.ACTIVE })).rejects.toMatchObject({ kind: 'forbidden' });
});
