import { randomUUID } from 'node:crypto';
import { ReminderState, type Reminder } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import type { OutboxEntry } from '@invoicing/events';
import { connectMongo } from '@invoicing/mongo';
import { testCall, waitFor } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';
import { readPdfs, textOf } from '../documents/testing/read-pdf';
import { madeStatement } from '../testing/made-statement';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
let organizationId: string;

const operation = () => testCall({ operationId: randomUUID() });
const day = (after: number): string => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
const STEP = { costs: false, interest: false, texts: [] };

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

beforeEach(async () => {
  const details = { name: 'Bakkerij De Zon', countryCode: 'NL', kvkNumber: '12345678', btwId: 'NL001234567B01' };
  const request = { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  organizationId = (await admin.organizations.createOrganization(request, operation())).id;
  harness.peers.sendReminder = async () => ({ emailed: true, emailError: '' });
  harness.peers.beingPaid.clear();
  harness.peers.reminded.length = 0;
});

/** Due today: its first reminder is a week from now. */
async function issue(
  buyer: object = { name: 'Sanne de Wit', companyName: '' },
): Promise<{ id: string; customerId: string }> {
  const customerId = harness.peers.addCustomer(organizationId, buyer);
  const lines = [{ unitPriceCents: 10_000, vatTreatment: VatTreatment.UNSPECIFIED }];
  const request = {
    organizationId,
    customerId,
    lines,
    send: true,
    post: false,
    requireEInvoice: false,
    dueDate: day(0),
  };
  const { id } = await harness.as('gateway').invoices.createInvoice(request, operation());
  return { id, customerId };
}
const plan = (more: object = {}) =>
  admin.reminders.setReminderPlan(
    {
      ...{ organizationId, profileId: undefined, enabled: true, rates: [] },
      steps: [7, 14, 28].map((afterDays) => ({ ...STEP, afterDays })),
      ...more,
    },
    operation(),
  );
async function run(after: number, as = admin): Promise<Reminder[]> {
  const sent: Reminder[] = [];
  for await (const each of as.reminders.runReminders({ organizationId, asOf: day(after) }, testCall())) sent.push(each);
  return sent;
}
const list = async () =>
  (
    await admin.reminders.listReminders(
      { organizationId, invoiceId: undefined, limit: 0, cursor: undefined },
      testCall(),
    )
  ).reminders;
const told = async (invoiceId: string): Promise<object[]> => {
  const connection = await connectMongo({ uri: harness.store.uri, database: 'billing' });
  const kept = connection.db!.collection<{ outbox?: OutboxEntry[] }>('reminders');
  const found = await kept.find({ invoiceId } as never).toArray();
  await connection.close();
  return found.flatMap(({ outbox = [] }) =>
    outbox.map(({ body }) => (JSON.parse(body) as { invoiceReminded: object }).invoiceReminded),
  );
};

test('off until it is turned on; then each step once, by however many replicas, and told when it is sent', async () => {
  const { id } = await issue();
  expect(await run(30)).toEqual([]);
  await plan();
  const other = await harness.startSecond();
  const all = await Promise.all([admin, harness.as('admin', other), admin].map((as) => run(7, as)));
  await other.close();
  expect(all.flat()).toMatchObject([{ invoiceId: id, step: 1, channel: 'email', state: ReminderState.SENT }]);
  expect(await run(13)).toEqual([]);
  expect(await run(14)).toMatchObject([{ step: 2 }]);
  expect(harness.peers.reminded).toHaveLength(2);
  expect(await told(id)).toMatchObject([{ invoiceId: id, step: 1, channel: 'email', openCents: 12_100 }, { step: 2 }]);
});

test('after a silence the latest step only', async () => {
  await issue();
  await plan();
  expect(await run(100)).toMatchObject([{ step: 3 }]);
  expect(await run(101)).toEqual([]);
});

test('only what is open, is not being paid and is not excepted', async () => {
  const [paid, busy, kept, known, asked, plain] = await Promise.all([1, 2, 3, 4, 5, 6].map(() => issue()));
  await plan();
  const payment = {
    amountCents: 12_100,
    provider: 'bank',
    method: '',
    providerId: '',
    paidAt: undefined,
    reference: '',
    note: '',
  };
  await admin.accounts.recordPayment({ organizationId, invoiceId: paid!.id, ...payment }, operation());
  harness.peers.beingPaid.add(busy!.id);
  const except = { organizationId, customerId: undefined, invoiceId: undefined, remove: false, reason: 'vriend' };
  await admin.reminders.exceptFromReminders({ ...except, invoiceId: kept!.id }, operation());
  const exceptions = await admin.reminders.exceptFromReminders(
    { ...except, customerId: known!.customerId },
    operation(),
  );
  expect(exceptions.exceptions).toMatchObject([{ kind: 'invoice', reason: 'vriend' }, { kind: 'customer' }]);
  const number = (await admin.invoices.getInvoice({ organizationId, invoiceId: asked!.id }, testCall())).number;
  const half = madeStatement([{ day: day(0), cents: 6_050, text: number, name: 'Somebody', reference: randomUUID() }]);
  await admin.bank.importStatement(
    (async function* () {
      yield { organizationId, content: half };
    })(),
    operation(),
  );

  const sent = (await run(7)).filter(({ state }) => state === ReminderState.SENT);
  expect(sent.map(({ invoiceId }) => invoiceId)).toEqual([plain!.id]);
  const why = new Map((await list()).map((each) => [each.invoiceId, each.why || each.state]));
  expect([kept, known].map((each) => why.get(each!.id))).toEqual(['excepted', 'excepted']);
  expect([busy, asked].map((each) => why.get(each!.id))).toEqual([ReminderState.DUE, ReminderState.DUE]);
  expect(why.has(paid!.id)).toBe(false);

  await admin.reminders.exceptFromReminders({ ...except, invoiceId: kept!.id, remove: true }, operation());
  expect((await run(14)).filter(({ invoiceId }) => invoiceId === kept!.id)).toMatchObject([{ step: 2 }]);
});

test('what cannot be sent now is asked for again, under the same id, and what is paid meanwhile is withdrawn', async () => {
  const [one, two] = [await issue(), await issue()];
  await plan();
  harness.peers.sendReminder = async () => ({ emailed: false, emailError: 'smtp_unavailable' });
  expect(await run(7)).toMatchObject([{ state: ReminderState.DUE }, { state: ReminderState.DUE }]);
  expect(await told(one.id)).toEqual([]);
  const describe = async (id: string) =>
    harness.as('notification').reminders.describeReminder({ organizationId, reminderId: id }, testCall());
  const ids = new Map((await list()).map(({ invoiceId, id }) => [invoiceId, id]));
  expect(await describe(ids.get(two.id)!)).toMatchObject({ withdrawn: false, claim: { openCents: 12_100 } });
  const payment = {
    amountCents: 12_100,
    provider: 'bank',
    method: '',
    providerId: '',
    paidAt: undefined,
    reference: '',
    note: '',
  };
  await admin.accounts.recordPayment({ organizationId, invoiceId: two.id, ...payment }, operation());
  expect(await describe(ids.get(two.id)!)).toMatchObject({ withdrawn: true });
  harness.peers.sendReminder = async (id) =>
    (await describe(id)).withdrawn ? { emailed: false, emailError: 'withdrawn' } : { emailed: true, emailError: '' };
  const states = async () => new Map((await list()).map(({ invoiceId, state }) => [invoiceId, state]));
  await waitFor(async () => (await states()).get(one.id) === ReminderState.SENT, 30_000);
  await waitFor(async () => (await states()).get(two.id) === ReminderState.WITHDRAWN, 30_000);
  expect(new Set(harness.peers.reminded).size).toBe(2);
});

test('by letter: one letter a step, with what is open as it is printed; what becomes of it is what became of the reminder', async () => {
  const [posted, poor, paid] = [await issue(), await issue(), await issue()];
  expect(await plan({ steps: [7, 14].map((afterDays) => ({ ...STEP, afterDays, channel: 'post' })) })).toMatchObject({
    steps: [{ channel: 'post' }, { channel: 'post' }],
    warnings: [],
  });
  const notification = harness.as('notification').reminders;
  const letter = (reminderId: string) => notification.renderReminder({ organizationId, reminderId }, testCall());
  harness.peers.postReminder = async () => ({ status: 'pending' });
  expect(await run(7)).toMatchObject([1, 2, 3].map(() => ({ channel: 'post', step: 1, state: ReminderState.DUE })));
  const ids = new Map((await list()).map(({ invoiceId, id }) => [invoiceId, id]));
  const pay = { provider: 'bank', method: '', providerId: '', paidAt: undefined, reference: '', note: '' };
  const record = (invoiceId: string, amountCents: number) =>
    admin.accounts.recordPayment({ organizationId, invoiceId, amountCents, ...pay }, operation());
  await record(posted.id, 2_100);
  await record(paid.id, 12_100);

  const { content, fileName } = await letter(ids.get(posted.id)!);
  expect(fileName).toMatch(/\.pdf$/);
  const [read] = await readPdfs([content]);
  const text = textOf(read!).replace(/\s+/g, ' ');
  expect(text).toContain('Herinnering');
  expect(text).toContain('staat nog € 100,00 open');
  expect(read!.pages).toHaveLength(2);
  expect(await letter(ids.get(paid.id)!)).toMatchObject({ withdrawn: true });
  await record(posted.id, 1_000);

  harness.peers.postReminder = async (id) => {
    if (id === ids.get(poor.id)) return { status: 'failed', error: 'no_credits' };
    return id === ids.get(paid.id) ? { status: 'failed', error: 'withdrawn' } : { status: 'sent' };
  };
  await waitFor(async () => (await list()).every(({ state }) => state !== ReminderState.DUE), 90_000);
  const now = new Map((await list()).map((each) => [each.invoiceId, each]));
  // As it was printed, whatever was paid while it was under way.
  expect(now.get(posted.id)).toMatchObject({ state: ReminderState.SENT, claim: { openCents: 10_000 } });
  expect(now.get(poor.id)).toMatchObject({ state: ReminderState.FAILED, why: 'no_credits' });
  expect(now.get(paid.id)).toMatchObject({ state: ReminderState.WITHDRAWN, why: 'paid' });
  expect(await told(posted.id)).toMatchObject([{ step: 1, channel: 'post', openCents: 10_000 }]);
}, 120_000);

test('costs: of a business at once, of a consumer after the notice of fourteen days; interest by the day', async () => {
  const [consumer, business] = [
    await issue(),
    await issue({ name: '', companyName: 'Bouw BV', kvkNumber: '12345678' }),
  ];
  await plan({
    steps: [7, 14, 40].map((afterDays) => ({ ...STEP, afterDays, costs: true, interest: afterDays === 40 })),
    rates: [
      { kind: 'consumer', from: '2027-01-01', bps: 400 },
      { kind: 'business', from: '2027-01-01', bps: 1_015 },
    ],
  });
  const claims = async (after: number) => new Map((await run(after)).map(({ invoiceId, claim }) => [invoiceId, claim]));
  const first = await claims(7);
  expect(first.get(consumer.id)).toMatchObject({ costsCents: 0, noticeCostsCents: 4_000, noticeUntil: day(7 + 15) });
  expect(first.get(business.id)).toMatchObject({ openCents: 12_100, costsCents: 4_000, interestCents: 0 });
  expect((await claims(14)).get(consumer.id)).toMatchObject({ costsCents: 0, noticeCostsCents: undefined });
  const last = await claims(40);
  expect(last.get(consumer.id)).toMatchObject({ costsCents: 4_000 });
  expect(last.get(consumer.id)!.interestCents).toBeGreaterThan(0);
  expect(last.get(business.id)!.interestCents).toBeGreaterThan(last.get(consumer.id)!.interestCents);
});

test('a profile has its own plan, or follows the organisation; what a plan may not be', async () => {
  const { profiles } = await admin.organizations.getOrganization({ organizationId }, testCall());
  const profileId = profiles[0]!.id;
  const get = () => admin.reminders.getReminderPlan({ organizationId, profileId }, testCall());
  expect(await get()).toMatchObject({
    enabled: false,
    steps: [{ afterDays: 7 }, { afterDays: 14 }, { afterDays: 28 }],
  });
  await plan({ steps: [{ ...STEP, afterDays: 3 }] });
  expect(await get()).toMatchObject({ enabled: true, steps: [{ afterDays: 3 }] });
  await plan({ profileId, enabled: false });
  expect(await get()).toMatchObject({ enabled: false });
  await issue();
  expect(await run(30)).toEqual([]);
  const refused = (more: object, path: string) =>
    expect(plan(more)).rejects.toMatchObject({ code: 'validation', details: [{ path }] });
  await refused({ steps: [{ ...STEP, afterDays: 7, channel: 'fax' }] }, '/steps/0/channel');
  await refused({ steps: [] }, '/steps');
  await refused(
    {
      steps: [
        { ...STEP, afterDays: 7 },
        { ...STEP, afterDays: 7 },
      ],
    },
    '/steps/1/afterDays',
  );
  await refused({ steps: [{ ...STEP, afterDays: 7, texts: [{ language: 'es', text: 'hola' }] }] }, '/steps/0/texts');
  await refused({ rates: [{ kind: 'consumer', from: '2027-02-30', bps: 400 }] }, '/rates/0/from');
  await expect(plan({ profileId: randomUUID() })).rejects.toMatchObject({ kind: 'absent' });
});
