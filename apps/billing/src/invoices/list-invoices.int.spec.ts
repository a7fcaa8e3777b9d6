import { randomUUID } from 'node:crypto';
import { AccountState } from '@invoicing/contracts/invoicing/billing/v1/account';
import {
  InvoiceKind,
  ListedStatus,
  type InvoiceSummary,
  type ListInvoicesRequest,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
let organizationId: string;
let jansen: string;
let bakker: string;

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

const operation = () => testCall({ operationId: randomUUID() });
const yesterday = new Date(Date.now() - 86_400_000 * 2).toISOString().slice(0, 10);

beforeEach(async () => {
  const details = { name: 'Bakkerij De Zon', kvkNumber: '12345678', btwId: 'NL001234567B01', timezone: 'Asia/Tokyo' };
  const created = { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  organizationId = (await admin.organizations.createOrganization(created, operation())).id;
  jansen = harness.peers.addCustomer(organizationId, { name: 'Jansen', companyName: '' });
  bakker = harness.peers.addCustomer(organizationId, { name: 'Piet Bakker', companyName: 'Bakker BV' });
});

const create = async (customerId: string, cents: number, more: object = {}): Promise<string> => {
  const lines = [{ unitPriceCents: cents, description: 'x', vatTreatment: VatTreatment.ZERO }];
  const asked = { organizationId, customerId, lines, send: true, post: false, requireEInvoice: false, ...more };
  return (await admin.invoices.createInvoice(asked, operation())).id;
};
const pay = (invoiceId: string, amountCents: number) =>
  admin.accounts.recordPayment(
    { organizationId, invoiceId, provider: 'bank', method: '', providerId: '', amountCents, reference: '', note: '' },
    operation(),
  );
const page = (more: Partial<ListInvoicesRequest> = {}) =>
  admin.invoices.listInvoices({ organizationId, limit: 0, ...more }, testCall());
const idsOf = (rows: readonly InvoiceSummary[]) => rows.map(({ id }) => id);
const ids = async (more: Partial<ListInvoicesRequest> = {}) => idsOf((await page(more)).invoices);

/** All pages of so many. */
async function walk(limit: number, more: Partial<ListInvoicesRequest> = {}): Promise<string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const answer = await page({ limit, cursor, ...more });
    seen.push(...idsOf(answer.invoices));
    cursor = answer.cursor;
  } while (cursor !== undefined);
  return seen;
}

test('what a list shows of each', async () => {
  const draft = await create(bakker, 100, { send: false, issueDate: '2026-05-01' });
  const paid = await create(jansen, 200, { issueDate: '2026-05-02', dueDate: '2026-06-01' });
  await pay(paid, 50);
  const { invoices, cursor } = await page({ customerNames: true });
  expect(cursor).toBeUndefined();
  expect(invoices).toMatchObject([
    {
      ...{ id: paid, customerName: 'Jansen', issueDate: '2026-05-02', dueDate: '2026-06-01', totalInclCents: 200 },
      ...{ openCents: 150, state: AccountState.PARTLY_PAID },
    },
    { id: draft, customerName: 'Bakker BV', issueDate: '2026-05-01', dueDate: '2026-05-15', openCents: 0 },
  ]);
  expect(invoices[1]!.state).toBeUndefined();
  // Nobody is asked for names that nobody wants.
  expect((await page()).invoices.map(({ customerName }) => customerName)).toEqual(['Jansen', '']);
});

test('however many ask at once, each is shown what was made and paid before it asked', async () => {
  const asked: Promise<void>[] = [];
  for (let cents = 100; cents < 900; cents += 100) {
    const draft = await create(jansen, cents, { send: false });
    const paid = await create(jansen, cents);
    await pay(paid, cents);
    const lookAgain = async (): Promise<void> => {
      const rows = new Map((await page()).invoices.map((row) => [row.id, row]));
      expect(rows.has(draft)).toBe(true);
      expect(rows.get(paid)).toMatchObject({ state: AccountState.PAID, openCents: 0, totalInclCents: cents });
    };
    asked.push(lookAgain(), lookAgain(), lookAgain());
  }
  await Promise.all(asked);
});

test('each status, also by pages of one', async () => {
  const draft = await create(jansen, 100, { send: false });
  const open = await create(jansen, 1_000);
  const late = await create(jansen, 1_000, { issueDate: yesterday, dueDate: yesterday });
  const partly = await create(jansen, 1_000);
  const paid = await create(jansen, 1_000);
  const overpaid = await create(jansen, 1_000);
  const credited = await create(jansen, 1_000);
  await pay(partly, 400);
  await pay(paid, 1_000);
  await pay(overpaid, 1_100);
  const asked = { organizationId, invoiceId: credited, lines: [], reason: '' };
  const { id: note } = await admin.invoices.creditInvoice(asked, operation());
  const expected: Partial<Record<ListedStatus, string[]>> = {
    [ListedStatus.DRAFT]: [draft],
    [ListedStatus.SENT]: [note, credited, partly, late, open],
    [ListedStatus.PAID]: [overpaid, paid],
    [ListedStatus.OPEN]: [partly, late, open],
    [ListedStatus.OVERDUE]: [late],
    [ListedStatus.PARTLY_PAID]: [partly],
    [ListedStatus.OVERPAID]: [overpaid],
    [ListedStatus.CREDITED]: [credited],
  };
  for (const [status, ofIt] of Object.entries(expected) as [ListedStatus, string[]][]) {
    expect([status, await ids({ status })]).toEqual([status, ofIt]);
    expect([status, await walk(1, { status })]).toEqual([status, ofIt]);
  }
  expect(await ids({ kind: InvoiceKind.CREDIT_NOTE })).toEqual([note]);
  expect(await ids({ kind: InvoiceKind.INVOICE, status: ListedStatus.SENT })).toEqual([credited, partly, late, open]);
  // On a later page its credit note was read before.
  const [, ...rest] = await walk(1);
  expect(rest).toEqual([credited, overpaid, paid, partly, late, open, draft]);
});

test('a period is read by its days; a draft without one counts as of the day it was made, in the zone', async () => {
  const march = await create(jansen, 100, { issueDate: '2026-03-31' });
  const april = await create(jansen, 100, { issueDate: '2026-04-01' });
  const draft = await create(jansen, 100, { send: false, issueDate: '2026-03-15' });
  const early = await create(bakker, 100, { issueDate: '2026-03-01' });
  const undated = await create(jansen, 100, { send: false });
  const inMarch = { from: '2026-03-01', to: '2026-03-31' };
  expect(await ids(inMarch)).toEqual([march, draft, early]);
  expect(await walk(1, inMarch)).toEqual([march, draft, early]);
  expect(await ids({ ...inMarch, customerId: bakker })).toEqual([early]);
  expect(await ids({ to: '2026-03-15' })).toEqual([draft, early]);
  const today = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Tokyo' }).format(new Date());
  expect(await ids({ from: today, to: today })).toEqual([undated]);
  expect(await walk(1, { from: '2026-03-31' })).toEqual([undated, april, march]);
  await expect(page({ from: '2026-02-30' })).rejects.toMatchObject({ code: 'validation' });
});

test('of a customer, and by a text that is the beginning of a number or a name', async () => {
  const first = await create(jansen, 100, { issueDate: '2026-03-01' });
  const second = await create(bakker, 100, { issueDate: '2026-03-01' });
  const draft = await create(jansen, 100, { send: false });
  expect(await ids({ customerId: jansen })).toEqual([draft, first]);
  expect(await walk(1, { customerId: jansen })).toEqual([draft, first]);
  expect(await ids({ text: '2026-0002' })).toEqual([second]);
  expect(await ids({ text: ' 2026-000 ' })).toEqual([second, first]);
  expect(await walk(1, { text: '2026-000' })).toEqual([second, first]);
  expect(await ids({ text: 'Jan' })).toEqual([draft, first]);
  expect(await ids({ text: 'Jan', customerId: bakker })).toEqual([]);
  expect(await ids({ text: `concept-${draft.slice(0, 8)}` })).toEqual([draft]);
  expect(await ids({ text: '2026-(.*' })).toEqual([]);
  await expect(page({ text: 'x'.repeat(101) })).rejects.toMatchObject({ code: 'validation' });
});

test('a cursor of another list, or none at all, is refused', async () => {
  await create(jansen, 100);
  await create(jansen, 100);
  const { cursor } = await page({ limit: 1 });
  for (const wrong of [{ cursor: 'x' }, { cursor: 'bnVsbA' }, { cursor, from: '2026-01-01' }])
    await expect(page(wrong)).rejects.toMatchObject({ code: 'validation' });
});
