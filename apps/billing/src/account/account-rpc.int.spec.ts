import { randomUUID } from 'node:crypto';
import {
  AccountState,
  EntryProgress,
  EntryType,
  MovementKind,
  WriteOffReason,
  type RecordMovementRequest,
} from '@invoicing/contracts/invoicing/billing/v1/account';
import { InvoiceKind, InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { AppError } from '@invoicing/errors';
import { testCall, waitFor } from '@invoicing/testing';
import { enterPayments } from './enter-payments-store';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
let checkout: ReturnType<BillingHarness['as']>;
let organizationId: string;
let customerId: string;

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
  checkout = harness.as('checkout');
  const organization = { details: { name: 'Zon' }, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  organizationId = (await admin.organizations.createOrganization(organization, operation())).id;
  customerId = harness.peers.addCustomer(organizationId, {});
});
afterAll(() => harness?.close());
beforeEach(() => {
  harness.peers.refund = async ({ entryId }) => ({ refundId: `re_${entryId}`, refused: '' });
  harness.peers.refunds.length = 0;
});

const operation = (operationId: string = randomUUID()) => testCall({ operationId });

/** An invoice of € 121.00; its id. */
const issue = async (more: object = {}): Promise<string> => {
  const lines = [{ description: 'Werk', unitPriceCents: 10_000, vatTreatment: VatTreatment.UNSPECIFIED }];
  const request = { organizationId, customerId, lines, send: true, post: false, requireEInvoice: false, ...more };
  return (await admin.invoices.createInvoice(request, operation())).id;
};
const bank = (invoiceId: string, amountCents: number, call = operation(), more: object = {}) =>
  admin.accounts.recordPayment(
    {
      organizationId: '',
      invoiceId,
      amountCents,
      provider: 'bank',
      method: '',
      providerId: '',
      paidAt: undefined,
      reference: '',
      note: '',
      ...more,
    },
    call,
  );
const online = (invoiceId: string, providerId: string, amountCents = 12_100) =>
  checkout.accounts.recordPayment(
    {
      organizationId,
      invoiceId,
      amountCents,
      provider: 'sandbox',
      method: 'ideal',
      providerId,
      paidAt: new Date(),
      reference: '',
      note: '',
    },
    operation(),
  );
const refund = (invoiceId: string, more: object = {}, call = operation()) =>
  admin.accounts.refundPayment(
    {
      organizationId: '',
      invoiceId,
      through: '',
      reason: '',
      keepOpen: false,
      surplusOnly: false,
      reference: '',
      ...more,
    },
    call,
  );
const account = (invoiceId: string) => admin.accounts.getAccount({ organizationId: '', invoiceId }, testCall());
const entries = async (invoiceId: string) =>
  (await admin.accounts.listEntries({ organizationId: '', invoiceId }, testCall())).entries;
const listed = async (invoiceId: string) =>
  (await admin.invoices.listInvoices({ organizationId, limit: 50 }, testCall())).invoices.find(
    ({ id }) => id === invoiceId,
  );
const credit = (invoiceId: string, more: object = {}) =>
  admin.invoices.creditInvoice({ organizationId: '', invoiceId, lines: [], reason: '', ...more }, operation());
const failure = (work: Promise<unknown>): Promise<AppError> => work.then(fail, (error: unknown) => error as AppError);

describe('money by bank and in cash', () => {
  test('in parts: sent, partly paid, paid, and the list says the same', async () => {
    const id = await issue();
    expect(await account(id)).toMatchObject({ state: AccountState.SENT, openCents: 12_100 });
    const first = await bank(id, 2_100, operation(), { date: '2026-01-05', reference: 'ov-1', note: 'belde' });
    expect(first).toMatchObject({
      account: { state: AccountState.PARTLY_PAID, openCents: 10_000, paidCents: 2_100 },
      entries: [{ type: EntryType.PAYMENT, date: '2026-01-05', reference: 'ov-1', note: 'belde', by: 'admin' }],
    });
    expect(await listed(id)).toMatchObject({
      status: InvoiceStatus.SENT,
      openCents: 10_000,
      kind: InvoiceKind.INVOICE,
    });
    expect(await bank(id, 10_000)).toMatchObject({ account: { state: AccountState.PAID, openCents: 0 } });
    expect(await listed(id)).toMatchObject({ status: InvoiceStatus.PAID, openCents: 0 });
    expect(await bank(id, 5)).toMatchObject({
      surplusCents: 5,
      account: { state: AccountState.OVERPAID, openCents: 0, surplusCents: 5 },
    });
    expect(await listed(id)).toMatchObject({ status: InvoiceStatus.PAID, openCents: 0 });
  });

  test('the same operation again records nothing more; with another sum it is refused', async () => {
    const id = await issue();
    const call = operation();
    const [one, two] = await Promise.all([bank(id, 100, call), bank(id, 100, call)]);
    expect(one?.entries[0]?.id).toBe(two?.entries[0]?.id);
    expect(await entries(id)).toHaveLength(1);
    expect(await failure(bank(id, 200, call))).toMatchObject({ code: 'idempotency_conflict' });
    expect(await failure(bank(await issue(), 100, call))).toMatchObject({ kind: 'exists' });
  });

  test('a mistake is reversed, once, and stays to be seen', async () => {
    const id = await issue();
    const [paid] = (await bank(id, 12_100)).entries;
    const reverse = () =>
      admin.accounts.reverseEntry({ organizationId: '', entryId: paid!.id, reason: 'verkeerde klant' }, operation());
    expect(await reverse()).toMatchObject({ account: { state: AccountState.SENT, openCents: 12_100 } });
    await reverse();
    expect(await entries(id)).toMatchObject([
      { type: EntryType.PAYMENT, progress: EntryProgress.REVERSED },
      { type: EntryType.REVERSAL, entryId: paid!.id, reason: 'verkeerde klant', amountCents: 12_100 },
    ]);
    const [reversal] = (await reverse()).entries;
    const again = admin.accounts.reverseEntry({ organizationId: '', entryId: reversal!.id, reason: 'x' }, operation());
    expect(await failure(again)).toMatchObject({ kind: 'blocked', code: 'irreversible' });
  });

  test('what is wrong with it is said, all at once', async () => {
    const id = await issue();
    const wrong = { amountCents: 0, date: '2099-01-01', reference: 'x'.repeat(141) };
    expect((await failure(bank(id, 0, operation(), wrong))).details).toMatchObject([
      { path: '/reference' },
      { path: '/amountCents' },
      { path: '/date' },
    ]);
    const draft = await issue({ send: false });
    expect(await failure(bank(draft, 100))).toMatchObject({ kind: 'absent' });
    const note = await credit(id);
    expect((await failure(bank(note.id, 100))).details).toMatchObject([{ path: '/invoiceId' }]);
    const gateway = harness.as('gateway').accounts;
    const asked = gateway.writeOff(
      { organizationId, invoiceId: id, reason: WriteOffReason.ROUNDING, note: '' },
      testCall(),
    );
    expect(await failure(asked)).toMatchObject({ kind: 'forbidden' });
  });

  test('what nobody will pay is written off, at most what is open', async () => {
    const id = await issue();
    const writeOff = (amountCents: number | undefined, reason: WriteOffReason) =>
      admin.accounts.writeOff({ organizationId: '', invoiceId: id, amountCents, reason, note: '' }, operation());
    await bank(id, 12_000);
    expect(await failure(writeOff(101, WriteOffReason.ROUNDING))).toMatchObject({ kind: 'invalid' });
    expect(await writeOff(1, WriteOffReason.ROUNDING)).toMatchObject({ account: { openCents: 99 } });
    expect(await writeOff(undefined, WriteOffReason.BAD_DEBT)).toMatchObject({
      account: { openCents: 0, writtenOffCents: 100, state: AccountState.PAID },
    });
    expect(await failure(writeOff(undefined, WriteOffReason.BAD_DEBT))).toMatchObject({ kind: 'invalid' });
  });
});

describe('credit notes', () => {
  test('count from when they are issued, whole, by lines or of a sum', async () => {
    const id = await issue();
    await credit(id, { amountCents: 1_000, reason: 'korting' });
    expect(await account(id)).toMatchObject({ openCents: 11_100, creditedCents: 1_000 });
    expect(await failure(credit(id, { amountCents: 11_101 }))).toMatchObject({ kind: 'invalid' });
    const rest = await credit(id);
    expect(await account(id)).toMatchObject({ openCents: 0, state: AccountState.CREDITED });
    expect(await listed(id)).toMatchObject({ status: InvoiceStatus.SENT, openCents: 0 });
    expect(await listed(rest.id)).toMatchObject({
      kind: InvoiceKind.CREDIT_NOTE,
      openCents: 0,
      totalInclCents: 11_100,
      status: InvoiceStatus.SENT,
    });
    expect(await entries(id)).toMatchObject([
      { type: EntryType.CREDIT, amountCents: 1_000, reason: 'korting' },
      { type: EntryType.CREDIT, amountCents: 11_100, number: rest.number, id: rest.id },
    ]);
    const reverse = admin.accounts.reverseEntry({ organizationId: '', entryId: rest.id, reason: 'x' }, operation());
    expect(await failure(reverse)).toMatchObject({ kind: 'blocked', code: 'irreversible' });
  });
});

describe('refunds', () => {
  test('by bank: credits the same amount and leaves nothing open; kept open, it is owed again', async () => {
    const id = await issue();
    await bank(id, 12_100);
    expect(await refund(id, { amountCents: 2_100, through: 'bank', keepOpen: true })).toMatchObject({
      account: { openCents: 2_100, creditedCents: 0, state: AccountState.PARTLY_PAID },
    });
    expect(await refund(id, { through: 'bank', reason: 'retour' })).toMatchObject({
      account: { openCents: 2_100, creditedCents: 10_000, refundedCents: 12_100 },
      entries: [{ type: EntryType.REFUND, amountCents: 10_000, progress: EntryProgress.DONE }],
    });
    expect(await failure(refund(id, { through: 'bank' }))).toMatchObject({ kind: 'invalid' });
  });

  test('no more goes back than came in', async () => {
    const id = await issue();
    await bank(id, 5_000);
    expect(await failure(refund(id, { amountCents: 5_001, through: 'bank' }))).toMatchObject({ kind: 'invalid' });
    expect(await account(id)).toMatchObject({ paidCents: 5_000, refundedCents: 0 });
  });

  test('what was credited before is given back without another credit note', async () => {
    const id = await issue();
    await bank(id, 12_100);
    await credit(id);
    expect(await account(id)).toMatchObject({ surplusCents: 12_100, state: AccountState.OVERPAID });
    expect(await refund(id, { through: 'cash' })).toMatchObject({
      account: { openCents: 0, surplusCents: 0, creditedCents: 12_100, state: AccountState.CREDITED },
    });
    expect((await entries(id)).filter(({ type }) => type === EntryType.CREDIT)).toHaveLength(1);
  });

  test('through the provider: recorded, credited, asked for and settled; what the provider tells again changes nothing', async () => {
    const id = await issue();
    const paymentId = `sb_${randomUUID()}`;
    await online(id, paymentId);
    const asked = await refund(id, { amountCents: 12_100 });
    const [entry] = asked.entries;
    expect(asked.account).toMatchObject({ openCents: 0, creditedCents: 12_100, refundedCents: 12_100 });
    expect(entry).toMatchObject({ progress: EntryProgress.DONE, provider: 'sandbox', method: 'ideal' });
    expect(harness.peers.refunds).toMatchObject([
      { invoiceId: id, paymentId, entryId: entry!.id, amountCents: 12_100 },
    ]);
    const told = { kind: MovementKind.REFUND, provider: 'sandbox', paymentId, providerId: 're_1', amountCents: 12_100 };
    const movement = {
      organizationId,
      invoiceId: id,
      ...told,
      at: new Date(),
      undone: false,
      reason: '',
      entryId: entry!.id,
    };
    for (let times = 0; times < 2; times++) await checkout.accounts.recordMovement(movement, testCall());
    expect(await entries(id)).toMatchObject([
      { type: EntryType.PAYMENT },
      { type: EntryType.REFUND, progress: EntryProgress.DONE },
      { type: EntryType.CREDIT, amountCents: 12_100 },
    ]);
    // It comes back after all: the credit stands, so the money is the customer's.
    const failed = { ...movement, undone: true, reason: 'account closed' };
    for (let times = 0; times < 2; times++) await checkout.accounts.recordMovement(failed, testCall());
    expect(await account(id)).toMatchObject({ refundedCents: 0, surplusCents: 12_100 });
    // What was read before that and comes late changes nothing.
    await checkout.accounts.recordMovement(movement, testCall());
    expect(await account(id)).toMatchObject({ refundedCents: 0, surplusCents: 12_100 });
  });

  test('twice at once, while checkout does not answer: once', async () => {
    const id = await issue();
    await online(id, `sb_${randomUUID()}`);
    let isDown = true;
    harness.peers.refund = async () => {
      if (isDown) throw new AppError('unavailable', 'unavailable', 'away');
      return { refundId: 're_1', refused: '' };
    };
    const call = operation();
    await Promise.all([
      refund(id, {}, call),
      refund(id, {}, call),
      refund(id, { amountCents: 12_100 }).catch(() => null),
    ]);
    expect(await account(id)).toMatchObject({ refundedCents: 12_100, creditedCents: 12_100, openCents: 0 });
    expect((await entries(id)).filter(({ type }) => type === EntryType.REFUND)).toHaveLength(1);
    isDown = false;
    harness.peers.refunds.length = 0;
    await due();
    await waitFor(() => harness.peers.refunds.length === 1);
    expect(new Set(harness.peers.refunds.map(({ entryId }) => entryId)).size).toBe(1);
  });

  test('out of several payments, newest first; what no provider has goes back by bank', async () => {
    const id = await issue();
    await bank(id, 2_000);
    const [older, newer] = [`sb_${randomUUID()}`, `sb_${randomUUID()}`];
    await online(id, older, 4_000);
    await online(id, newer, 6_100);
    expect(await failure(refund(id))).toMatchObject({ kind: 'invalid' });
    const { entries: parts } = await refund(id, { amountCents: 7_000 });
    expect(parts).toMatchObject([{ amountCents: 6_100 }, { amountCents: 900 }]);
    expect(harness.peers.refunds.map(({ paymentId }) => paymentId)).toEqual([newer, older]);
    expect(await account(id)).toMatchObject({ openCents: 0, creditedCents: 7_000, refundedCents: 7_000 });
  });

  test('a payment that nobody has at a provider stays, and the account says so', async () => {
    const id = await issue();
    await online(id, `sb_${randomUUID()}`);
    harness.peers.refund = async () => ({ refundId: '', refused: 'no such payment' });
    expect(await refund(id, { keepOpen: true })).toMatchObject({
      account: { state: AccountState.PAID, refundedCents: 0 },
      entries: [{ progress: EntryProgress.REVERSED }],
    });
  });
});

describe('what a provider tells', () => {
  const movement = (
    invoiceId: string,
    paymentId: string,
    more: Partial<RecordMovementRequest>,
  ): RecordMovementRequest => ({
    organizationId,
    invoiceId,
    kind: MovementKind.REFUND,
    provider: 'sandbox',
    paymentId,
    providerId: '',
    amountCents: 12_100,
    at: new Date(),
    undone: false,
    reason: '',
    ...more,
  });

  test('a payment is one entry however often and by however many it is told, and pays one invoice', async () => {
    const id = await issue();
    const paymentId = `sb_${randomUUID()}`;
    const second = await harness.startSecond();
    const told = await Promise.all(
      Array.from({ length: 12 }, (_, index) => {
        const by = index % 2 ? harness.as('checkout', second) : checkout;
        return by.accounts.recordPayment(
          {
            ...{ organizationId, invoiceId: id, amountCents: 12_100, provider: 'sandbox', method: 'ideal' },
            ...{ providerId: paymentId, paidAt: new Date(), reference: '', note: '' },
          },
          operation(),
        );
      }),
    );
    await second.close();
    expect(new Set(told.map((each) => each.entries[0]?.id)).size).toBe(1);
    expect(await entries(id)).toHaveLength(1);
    expect(await failure(online(await issue(), paymentId))).toMatchObject({ kind: 'exists', code: 'already_paid' });
  });

  test('a refund that was made there is recorded once, and credited', async () => {
    const id = await issue();
    const paymentId = `sb_${randomUUID()}`;
    await online(id, paymentId);
    const told = movement(id, paymentId, { providerId: `re_${paymentId}`, amountCents: 100 });
    await Promise.all([1, 2, 3].map(() => checkout.accounts.recordMovement(told, testCall())));
    expect(await account(id)).toMatchObject({ refundedCents: 100, creditedCents: 100, openCents: 0 });
    expect(await entries(id)).toHaveLength(3);
  });

  test('a chargeback opens the invoice again and credits nothing; won back, it is paid again', async () => {
    const id = await issue();
    const paymentId = `sb_${randomUUID()}`;
    await online(id, paymentId);
    const told = movement(id, paymentId, { kind: MovementKind.CHARGEBACK, providerId: `chb_${paymentId}` });
    await checkout.accounts.recordMovement(told, testCall());
    await checkout.accounts.recordMovement(told, testCall());
    expect(await account(id)).toMatchObject({ state: AccountState.SENT, openCents: 12_100, chargedBackCents: 12_100 });
    expect(await listed(id)).toMatchObject({ status: InvoiceStatus.SENT, openCents: 12_100 });
    await checkout.accounts.recordMovement({ ...told, undone: true }, testCall());
    expect(await account(id)).toMatchObject({ state: AccountState.PAID, openCents: 0 });
  });

  test('of a payment that is not on the account: not found', async () => {
    const told = movement(await issue(), 'sb_unknown', { providerId: 're_1' });
    expect(await failure(checkout.accounts.recordMovement(told, testCall()))).toMatchObject({ kind: 'absent' });
  });
});

test('surplus pays another invoice of the same customer, and no other', async () => {
  const [from, to] = [await issue(), await issue()];
  await bank(from, 20_000);
  await bank(to, 5_000);
  const move = (toInvoiceId: string, amountCents?: number) =>
    admin.accounts.moveSurplus({ organizationId: '', invoiceId: from, toInvoiceId, amountCents }, operation());
  const stranger = harness.peers.addCustomer(organizationId, {});
  expect(await failure(move(await issue({ customerId: stranger })))).toMatchObject({ kind: 'invalid' });
  expect(await failure(move(to, 7_101))).toMatchObject({ kind: 'invalid' });
  expect(await move(to)).toMatchObject({ account: { surplusCents: 800, state: AccountState.OVERPAID } });
  expect(await account(to)).toMatchObject({ openCents: 0, state: AccountState.PAID });
  expect(await entries(to)).toMatchObject([{}, { provider: 'transfer', amountCents: 7_100, otherInvoiceId: from }]);
});

test('writers on two replicas at once: every entry has its place, and the sum is what they put in', async () => {
  const second = await harness.startSecond();
  const other = harness.as('admin', second);
  const id = await issue();
  const pay = (by: typeof admin, amountCents: number) =>
    by.accounts.recordPayment(
      {
        organizationId: '',
        invoiceId: id,
        amountCents,
        provider: 'cash',
        method: '',
        providerId: '',
        paidAt: undefined,
        reference: '',
        note: '',
      },
      operation(),
    );
  const sums = Array.from({ length: 24 }, (_, index) => 700 + index);
  await Promise.all([
    ...sums.map((amountCents, index) => pay(index % 2 ? admin : other, amountCents)),
    credit(id, { amountCents: 1_000 }),
    credit(id, { amountCents: 2_000 }),
  ]);
  await second.close();
  const paidCents = sums.reduce((sum, each) => sum + each, 0);
  expect(await account(id)).toMatchObject({
    paidCents,
    creditedCents: 3_000,
    openCents: 0,
    surplusCents: paidCents + 3_000 - 12_100,
  });
  const db = (await harness.store.connect()).getClient().db('billing');
  const stored = await db.collection('account_entries').find({ invoiceId: id }).sort({ ordinal: 1 }).toArray();
  expect(stored.map(({ ordinal }) => ordinal as number)).toEqual(sums.map((_, index) => index + 1));
  expect(stored.filter(({ settles }) => settles === true).length).toBeLessThanOrEqual(1);
  // What each says of the surplus that it made adds up to the surplus that there is, but for what the credit notes made.
  const made = stored.reduce((sum, { surplusCents }) => sum + (surplusCents as number), 0);
  expect(made).toBeLessThanOrEqual(paidCents + 3_000 - 12_100);
});

test('a payment that the version before recorded counts, is listed, and is not recorded again', async () => {
  const id = await issue();
  const db = (await harness.store.connect()).getClient().db('billing');
  const payment = { provider: 'mollie', method: 'ideal', id: `tr_${id}`, paidAt: new Date(), amountCents: 12_100 };
  const old = { _id: id as never, organizationId, payment: { ...payment, checkoutId: null } };
  await db.collection('payments').insertOne(old);
  // However often it is run.
  await enterPayments(db);
  await enterPayments(db);
  // A process of that version can add none any more.
  await expect(db.collection('payments').insertOne({ ...old, _id: randomUUID() as never })).rejects.toThrow();
  expect(await listed(id)).toMatchObject({ status: InvoiceStatus.PAID, openCents: 0 });
  const again = await checkout.accounts.recordPayment(
    { organizationId, invoiceId: id, ...payment, providerId: payment.id, reference: '', note: '' },
    operation(),
  );
  expect(again).toMatchObject({ surplusCents: 0, account: { paidCents: 12_100, state: AccountState.PAID } });
  const elsewhere = { organizationId, invoiceId: await issue(), ...payment, providerId: payment.id };
  const reused = checkout.accounts.recordPayment({ ...elsewhere, reference: '', note: '' }, operation());
  expect(await failure(reused)).toMatchObject({ kind: 'exists', code: 'already_paid' });
  expect(await refund(id)).toMatchObject({ account: { openCents: 0, creditedCents: 12_100 } });
  expect(await entries(id)).toMatchObject([{ by: 'checkout', providerId: payment.id }, {}, {}]);
});

/** Makes every follow-up due now, as if its time had come. */
async function due(): Promise<void> {
  const db = (await harness.store.connect()).getClient().db('billing');
  await db.collection('account_entries').updateMany({ dueAt: { $exists: true } }, { $set: { dueAt: new Date(0) } });
}

function fail(): never {
  throw new Error('it was not refused');
}
