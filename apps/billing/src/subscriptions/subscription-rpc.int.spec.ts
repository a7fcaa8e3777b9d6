import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { EInvoiceRules, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import {
  Frequency,
  SubscriptionStatus,
  SubscriptionsService,
  type RunSubscriptionsResponse,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { openChannel, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { testCall, testIdentity } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
const channels: RpcChannel[] = [];
let gateway: RpcClient<typeof SubscriptionsService>;
let admin: RpcClient<typeof SubscriptionsService>;
let organizationId: string;
let customerId: string;

const as = (caller: string): RpcClient<typeof SubscriptionsService> => {
  const channel = openChannel(`127.0.0.1:${harness.billing.port}`, testIdentity(caller));
  channels.push(channel);
  return channel.client(SubscriptionsService);
};
const operation = (operationId = randomUUID()) => testCall({ operationId });

beforeAll(async () => {
  harness = await startBillingHarness();
  gateway = as('gateway');
  admin = as('admin');
  const request = {
    details: { name: 'Verkoper BV', timezone: 'UTC', btwId: 'NL001234567B01' },
    plan: Plan.STANDARD,
    mode: Mode.LIVE,
  };
  organizationId = (await harness.as('admin').organizations.createOrganization(request, operation())).id;
  customerId = harness.peers.addCustomer(organizationId, {});
});
afterAll(async () => {
  for (const channel of channels) channel.close();
  await harness?.close();
});

const nextYear = new Date().getUTCFullYear() + 1;
const input = () => ({
  organizationId,
  customerId,
  freq: Frequency.QUARTERLY,
  interval: undefined,
  autoSendEmail: true,
  autoSendPost: false,
  lines: [
    {
      quantity: '1.5',
      unitPriceCents: 1000,
      vatTreatment: VatTreatment.REDUCED_9,
      description: undefined,
      productId: undefined,
    },
  ],
  startDate: `${nextYear}-01-31`,
  profileId: undefined,
});

async function run(asOf: string | undefined): Promise<RunSubscriptionsResponse[]> {
  const made: RunSubscriptionsResponse[] = [];
  for await (const each of admin.runSubscriptions({ asOf }, testCall())) made.push(each);
  return made;
}

test('a subscription through its life', async () => {
  const created = await gateway.createSubscription(input(), operation());
  const { id } = created;
  expect(created).toMatchObject({
    ...input(),
    interval: 1,
    profileId: expect.any(String),
    status: SubscriptionStatus.ACTIVE,
    nextRunDate: `${nextYear}-01-31`,
    lastRunDate: undefined,
    lastError: '',
  });
  expect(
    (await gateway.listSubscriptions({ organizationId, profileId: undefined, limit: 0 }, testCall())).subscriptions,
  ).toEqual([created]);

  const preview = { organizationId, subscriptionId: id, count: 2 };
  expect((await admin.previewSubscription(preview, testCall())).occurrences).toEqual([
    { date: `${nextYear}-01-31`, totalInclCents: 1635 },
    { date: `${nextYear}-04-30`, totalInclCents: 1635 },
  ]);

  const made = await run(`${nextYear}-04-30`);
  expect(made).toMatchObject([
    { subscriptionId: id, periodDate: `${nextYear}-01-31`, error: '' },
    { subscriptionId: id, periodDate: `${nextYear}-04-30`, error: '' },
  ]);
  const { invoices } = harness.as('admin');
  const first = await invoices.getInvoice({ organizationId, invoiceId: made[0]!.invoiceId }, testCall());
  expect(first).toMatchObject({
    number: `${nextYear}-0001`,
    issueDate: `${nextYear}-01-31`,
    dueDate: `${nextYear}-02-14`,
  });
  // The e-mail is left to the event that the invoice carries.
  expect(harness.peers.mailed).toEqual([]);

  const request = { organizationId, subscriptionId: id };
  expect(await admin.pauseSubscription(request, testCall())).toMatchObject({ status: SubscriptionStatus.PAUSED });
  expect(await admin.resumeSubscription(request, testCall())).toMatchObject({ status: SubscriptionStatus.ACTIVE });
  expect(await admin.endSubscription(request, testCall())).toMatchObject({
    status: SubscriptionStatus.ENDED,
    nextRunDate: undefined,
    lastRunDate: `${nextYear}-04-30`,
  });
  await expect(admin.resumeSubscription(request, testCall())).rejects.toMatchObject({ code: 'subscription_ended' });
});

test('the next invoices of what is not saved yet: a new subscription, a change; and nothing is stored', async () => {
  const ahead = async (more: object) =>
    (await admin.previewSubscription({ organizationId, subscriptionId: '', count: 2, ...more }, testCall()))
      .occurrences;
  const before = (await gateway.listSubscriptions({ organizationId, limit: 0 }, testCall())).subscriptions;
  expect(await ahead({ created: { ...input(), organizationId: '' } })).toEqual([
    { date: `${nextYear}-01-31`, totalInclCents: 1635 },
    { date: `${nextYear}-04-30`, totalInclCents: 1635 },
  ]);
  expect((await gateway.listSubscriptions({ organizationId, limit: 0 }, testCall())).subscriptions).toEqual(before);
  await expect(ahead({ created: { ...input(), interval: 0 } })).rejects.toMatchObject({
    details: [{ path: '/interval' }],
  });

  const created = await gateway.createSubscription(input(), operation());
  const updated = {
    organizationId: '',
    subscriptionId: '',
    details: {
      ...{ lines: [{ ...input().lines[0]!, unitPriceCents: 2000 }], freq: Frequency.YEARLY },
      ...{ autoSendEmail: false, autoSendPost: false },
    },
    updateMask: ['lines', 'freq'],
    from: `${nextYear}-04-01`,
  };
  expect(await ahead({ subscriptionId: created.id, updated })).toEqual([
    { date: `${nextYear}-01-31`, totalInclCents: 1635 },
    { date: `${nextYear}-04-30`, totalInclCents: 3270 },
  ]);
  expect(await admin.getSubscription({ organizationId, subscriptionId: created.id }, testCall())).toEqual(created);
  // Whose it is stands beside it: what the nested request says of that counts for nothing.
  const foreign = { organizationId: randomUUID(), subscriptionId: created.id, updated: { ...updated, organizationId } };
  await expect(admin.previewSubscription({ count: 2, ...foreign }, testCall())).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('what does not fit, and who may not', async () => {
  await expect(
    gateway.createSubscription({ ...input(), freq: Frequency.UNSPECIFIED, interval: 0 }, operation()),
  ).rejects.toMatchObject({ details: [{ path: '/freq' }, { path: '/interval' }] });
  await expect(run('2027-02-30')).rejects.toMatchObject({ code: 'validation', details: [{ path: '/asOf' }] });
  const stream = gateway.runSubscriptions({ asOf: undefined }, testCall());
  await expect(stream[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'forbidden' });
  const foreign = {
    organizationId: randomUUID(),
    subscriptionId: (await gateway.createSubscription(input(), operation())).id,
  };
  await expect(admin.getSubscription(foreign, testCall())).rejects.toMatchObject({ code: 'not_found' });
});

test('any hundred accepted subscriptions can be listed: a page ends before it is too large for a message', async () => {
  const { id } = await harness
    .as('admin')
    .organizations.createOrganization(
      { details: { name: 'Groot BV' }, plan: Plan.STANDARD, mode: Mode.LIVE },
      operation(),
    );
  const buyer = harness.peers.addCustomer(id, {});
  const lines = Array.from({ length: 490 }, () => ({ ...input().lines[0]!, description: 'x'.repeat(2_000) }));
  const made: string[] = [];
  for (let count = 0; count < 10; count++) {
    const wanted = { ...input(), organizationId: id, customerId: buyer, lines };
    made.push((await gateway.createSubscription(wanted, operation())).id);
  }
  const listed: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await gateway.listSubscriptions({ organizationId: id, limit: 100, cursor }, testCall());
    listed.push(...page.subscriptions.map((each) => each.id));
    cursor = page.cursor;
  } while (cursor !== undefined);
  expect(listed).toEqual(made.reverse());
});

test('what it says is on each invoice, with the period it is for', async () => {
  const said = { pricesIncludeVat: true, reference: 'PO-1', note: 'Dank' };
  const ask = { ...input(), ...said, freq: Frequency.MONTHLY };
  const lines = [{ ...input().lines[0]!, quantity: '1', unitPriceCents: 1000, vatTreatment: VatTreatment.STANDARD_21 }];
  const { id } = await gateway.createSubscription({ ...ask, lines }, operation());
  expect(await admin.getSubscription({ organizationId, subscriptionId: id }, testCall())).toMatchObject(said);
  const made = (await run(`${nextYear}-02-28`)).filter((each) => each.subscriptionId === id);
  const invoices = await Promise.all(
    made.map(({ invoiceId }) => harness.as('admin').invoices.getInvoice({ organizationId, invoiceId }, testCall())),
  );
  const dayBefore = `${nextYear}-${nextYear % 4 === 0 ? '02-28' : '02-27'}`;
  expect(invoices[0]).toMatchObject({
    ...said,
    totals: { inclCents: 1000 },
    period: { from: `${nextYear}-01-31`, to: dayBefore },
  });
  expect(invoices[1]?.period?.to).toBe(`${nextYear}-03-30`);
});

test('terms change over gRPC field by field, an operator names the id alone, and the history has it all', async () => {
  const { id } = await gateway.createSubscription(input(), operation());
  const details = { freq: Frequency.MONTHLY, autoSendEmail: false, autoSendPost: false, lines: [], reference: 'PO 7' };
  const changed = await admin.updateSubscription(
    { organizationId: '', subscriptionId: id, details, updateMask: ['freq', 'reference'], from: `${nextYear}-05-01` },
    testCall(),
  );
  expect(changed).toMatchObject({
    freq: Frequency.QUARTERLY,
    autoSendEmail: true,
    laterTerms: [
      {
        from: `${nextYear}-05-01`,
        fields: ['freq', 'reference'],
        details: { freq: Frequency.MONTHLY, reference: 'PO 7' },
      },
    ],
    revision: 2,
  });
  expect(await admin.getSubscription({ organizationId: '', subscriptionId: id }, testCall())).toEqual(changed);
  await admin.pauseSubscription({ organizationId: '', subscriptionId: id }, testCall());
  const { entries } = await harness.as('admin').history.listHistory({ organizationId, limit: 3 }, testCall());
  expect(entries.map(({ action, fields, subject }) => [action, fields, subject?.id])).toEqual([
    ['subscription.paused', [], id],
    ['subscription.updated', ['freq', 'reference'], id],
    ['subscription.created', [], id],
  ]);
});

test('VAT that the law would not accept is warned of when terms are given, and refused where the organisation is strict', async () => {
  const person = harness.peers.addCustomer(organizationId, {});
  const reversed = {
    ...input(),
    customerId: person,
    lines: [{ ...input().lines[0]!, vatTreatment: VatTreatment.REVERSE_CHARGE }],
  };
  const created = await gateway.createSubscription(reversed, operation());
  const warning = { code: 'reverse_charge_to_private_person', field: '/lines/0/vatTreatment' };
  expect(created.warnings).toMatchObject([warning]);
  const of = { organizationId, subscriptionId: created.id };
  expect((await admin.getSubscription(of, testCall())).warnings).toEqual([]);
  const update = (details: object, updateMask: string[]) =>
    admin.updateSubscription({ ...of, details, updateMask } as never, testCall());
  expect((await update({ lines: reversed.lines }, ['lines'])).warnings).toMatchObject([warning]);
  const organizations = harness.as('admin').organizations;
  const rules = (strict: boolean) =>
    organizations.updateOrganization(
      { organizationId, details: {}, documentRules: { eInvoice: EInvoiceRules.UNSPECIFIED, strict } } as never,
      testCall(),
    );
  await rules(true);
  await expect(gateway.createSubscription(reversed, operation())).rejects.toMatchObject({ code: 'validation' });
  await expect(update({ lines: reversed.lines }, ['lines'])).rejects.toMatchObject({ code: 'validation' });
  // What was agreed before is not judged again.
  expect(await update({ note: 'Dank u', lines: [] }, ['note'])).toMatchObject({ note: 'Dank u', warnings: [] });
  await rules(false);
});
