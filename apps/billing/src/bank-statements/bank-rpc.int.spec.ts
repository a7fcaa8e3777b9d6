import { randomUUID } from 'node:crypto';
import { BankLineState as State } from '@invoicing/contracts/invoicing/billing/v1/bank_statements';
import { AccountState, EntryType } from '@invoicing/contracts/invoicing/billing/v1/account';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';
import { madeStatement, type MadeLine } from '../testing/made-statement';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
let organizationId: string;
let customerId: string;

const SANNE = 'NL85INGB0002468013';
const NOW = new Date().toISOString().slice(0, 10);
const operation = (operationId: string = randomUUID()) => testCall({ operationId });

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

beforeEach(async () => {
  const details = {
    name: 'Bakkerij De Zon',
    kvkNumber: '12345678',
    btwId: 'NL001234567B01',
    iban: 'NL91ABNA0417164300',
  };
  const request = { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  organizationId = (await admin.organizations.createOrganization(request, operation())).id;
  customerId = harness.peers.addCustomer(organizationId, { name: 'Sanne de Wit', companyName: '' });
});

async function issue(unitPriceCents = 10_000, more: object = {}): Promise<{ id: string; number: string }> {
  const lines = [{ unitPriceCents, vatTreatment: VatTreatment.UNSPECIFIED }];
  const request = { organizationId, customerId, lines, send: true, post: false, requireEInvoice: false, ...more };
  return harness.as('gateway').invoices.createInvoice(request, operation());
}

async function* pieces(bytes: Uint8Array, size = 100) {
  for (let at = 0; at < bytes.length; at += size)
    yield { organizationId: at === 0 ? organizationId : '', content: Buffer.from(bytes.subarray(at, at + size)) };
}
const importFile = (bytes: Uint8Array, billing = admin) => billing.bank.importStatement(pieces(bytes), operation());
const importLines = (...lines: MadeLine[]) => importFile(madeStatement(lines));
const lines = async (state = State.UNSPECIFIED) =>
  (
    await admin.bank.listBankLines(
      { organizationId, state, importId: undefined, limit: 0, cursor: undefined },
      testCall(),
    )
  ).lines;
const question = async () => (await lines(State.QUESTION))[0]!;
const account = (invoiceId: string) => admin.accounts.listEntries({ organizationId, invoiceId }, testCall());
const paid = (invoice: { number: string }, more: Partial<MadeLine> = {}): MadeLine => ({
  ...{
    day: NOW,
    cents: 12_100,
    text: `factuur ${invoice.number}`,
    name: 'S. de Wit',
    iban: SANNE,
    reference: randomUUID(),
  },
  ...more,
});
const answer = (lineId: string, ...parts: { invoiceId: string; amountCents?: number }[]) =>
  admin.bank.answerBankLine(
    { organizationId: '', lineId, parts: parts.map((each) => ({ amountCents: undefined, ...each })), note: '' },
    operation(),
  );

test('a proven line is booked by its rule; importing it again, alone or among others, changes nothing', async () => {
  const [invoice, other] = [await issue(), await issue(20_000)];
  const line = paid(invoice);
  expect(await importLines(line)).toMatchObject({ lines: 1, booked: 1, duplicates: 0, questions: 0 });
  const [booked] = await lines();
  expect(booked).toMatchObject({
    ...{ state: State.BOOKED, rule: 'number', why: '', counterName: 'S. de Wit', counterIban: SANNE },
    candidates: [{ invoiceId: invoice.id, evidence: ['number', 'amount', 'name'] }],
    bookings: [{ invoiceId: invoice.id, number: invoice.number, amountCents: 12_100 }],
  });
  const { entries, account: sums } = await account(invoice.id);
  expect(sums).toMatchObject({ state: AccountState.PAID, openCents: 0 });
  expect(entries).toMatchObject([
    {
      id: booked!.bookings[0]!.entryId,
      type: EntryType.PAYMENT,
      provider: 'bank',
      date: NOW,
      reference: `factuur ${invoice.number}`,
    },
  ]);
  expect(await importLines(line)).toMatchObject({ lines: 1, booked: 0, duplicates: 1, questions: 0 });
  expect(await importLines(paid(other, { cents: 24_200 }), line)).toMatchObject({ booked: 1, duplicates: 1 });
  expect((await account(invoice.id)).entries).toHaveLength(1);
});

test('whoever imports the same file beside each other books it once', async () => {
  const nets = [10_000, 20_000, 30_000];
  const invoices = await Promise.all(nets.map((net) => issue(net)));
  const file = madeStatement(
    invoices.map((each, at) => paid(each, { reference: each.number, cents: nets[at]! * 1.21 })),
  );
  const other = await harness.startSecond();
  const second = harness.as('admin', other);
  const done = await Promise.all([admin, second, admin, second].map((billing) => importFile(file, billing)));
  await other.close();
  expect(done.reduce((sum, { booked }) => sum + booked, 0)).toBe(3);
  expect(done.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(9);
  for (const [at, { id }] of invoices.entries())
    expect((await account(id)).account).toMatchObject({ paidCents: nets[at]! * 1.21, surplusCents: 0 });
});

test('lines without a reference of the bank: equal ones of a day are as many as a statement has', async () => {
  const invoice = await issue();
  const same = paid(invoice, { reference: '' });
  expect(await importLines(same)).toMatchObject({ booked: 1 });
  expect(await importLines(same, same)).toMatchObject({ booked: 0, duplicates: 1, questions: 1 });
  expect(await question()).toMatchObject({ why: 'not_open', candidates: [{ number: invoice.number, openCents: 0 }] });
  expect(await importLines(same, same)).toMatchObject({ duplicates: 2, questions: 0 });
});

test('an IBAN that paid once is known, until what it paid is taken back', async () => {
  const [first, second, third] = [await issue(), await issue(20_000), await issue(30_000)];
  await importLines(paid(first));
  const business = { name: 'Zaakrekening' };
  expect(await importLines(paid(second, { ...business, cents: 24_200 }))).toMatchObject({ booked: 1 });
  for (const { id } of await lines(State.BOOKED))
    await admin.bank.undoBankLine({ organizationId, lineId: id, reason: 'verkeerde klant' }, operation());
  expect(await importLines(paid(third, { ...business, cents: 36_300 }))).toMatchObject({ booked: 0, questions: 1 });
});

test('a question is answered by a person, for several invoices too, taken back by reversals and answered again', async () => {
  const [one, two] = [await issue(), await issue(5_000)];
  await importLines(paid(one, { cents: 18_150, text: `${one.number} en ${two.number}` }));
  const { id, why, candidates } = await question();
  expect(why).toBe('names_several');
  expect(candidates.map(({ invoiceId }) => invoiceId).sort()).toEqual([one.id, two.id].sort());

  const answered = await answer(id, { invoiceId: one.id }, { invoiceId: two.id });
  expect(answered).toMatchObject({
    state: State.BOOKED,
    rule: 'person',
    bookings: [{ amountCents: 12_100 }, { amountCents: 6_050 }],
  });
  for (const { id: invoiceId } of [one, two]) expect((await account(invoiceId)).account!.state).toBe(AccountState.PAID);
  // The same again changes nothing, another answer needs an undo.
  expect(await answer(id, { invoiceId: one.id }, { invoiceId: two.id })).toEqual(answered);
  await expect(answer(id, { invoiceId: one.id })).rejects.toMatchObject({ code: 'conflict' });

  const undone = await admin.bank.undoBankLine({ organizationId: '', lineId: id, reason: 'was for one' }, operation());
  expect(undone).toMatchObject({ state: State.QUESTION, why: 'undone', bookings: [] });
  expect((await account(two.id)).account).toMatchObject({ openCents: 6_050, paidCents: 0 });
  expect((await account(two.id)).entries.map(({ type }) => type)).toEqual([EntryType.PAYMENT, EntryType.REVERSAL]);

  // Again on the same invoice: an entry of its own.
  expect(await answer(id, { invoiceId: one.id })).toMatchObject({ state: State.BOOKED });
  expect((await account(one.id)).account).toMatchObject({ paidCents: 18_150, surplusCents: 6_050 });
  const { entries } = await admin.history.listHistory({ organizationId, limit: 10, cursor: undefined }, testCall());
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('bank_line'));
  expect(actions).toEqual(['bank_line.answered', 'bank_line.undone', 'bank_line.answered']);
});

test('what an answer may not be', async () => {
  const invoice = await issue();
  await importLines(paid(invoice, { cents: 5_000 }), paid(invoice, { cents: -100 }));
  const [out, part] = [...(await lines(State.QUESTION))].sort((a, b) => a.amountCents - b.amountCents);
  expect(out).toMatchObject({ why: 'money_out' });
  const refused = (lineId: string, ...parts: Parameters<typeof answer>[1][]) =>
    expect(answer(lineId, ...parts)).rejects.toMatchObject({ code: 'validation' });
  await refused(part!.id, { invoiceId: invoice.id, amountCents: 4_999 });
  await refused(
    part!.id,
    { invoiceId: invoice.id, amountCents: 6_000 },
    { invoiceId: invoice.id, amountCents: -1_000 },
  );
  await refused(part!.id);
  await refused(out!.id, { invoiceId: invoice.id });
  await expect(answer(part!.id, { invoiceId: randomUUID() })).rejects.toMatchObject({ kind: 'absent' });
  await expect(answer(randomUUID(), { invoiceId: invoice.id })).rejects.toMatchObject({ kind: 'absent' });
  const none = { organizationId, lineId: out!.id, parts: [], note: 'bankkosten' };
  expect(await admin.bank.answerBankLine(none, operation())).toMatchObject({
    state: State.NO_INVOICE,
    note: 'bankkosten',
  });
});

test('a missing statement is reported until it comes; overlapping ones are none', async () => {
  const day = (of: number) => `2026-10-0${of}`;
  const out = (of: number, cents: number): MadeLine => ({
    day: day(of),
    cents,
    text: 'x',
    reference: `${of}:${cents}`,
  });
  const [one, two, three, four] = [out(1, 10_000), out(2, -2_500), out(3, 500), out(4, 700)];
  const first = await importFile(madeStatement([one], { id: '1' }));
  expect(first.statements).toMatchObject([{ from: day(1), openingCents: 0, closingCents: 10_000, fits: true }]);
  const later = await importFile(madeStatement([three, four], { openingCents: 7_500, id: '3' }));
  expect(later.gaps).toMatchObject([{ after: day(1), before: day(3), expectedCents: 10_000, foundCents: 7_500 }]);
  const filled = await importFile(madeStatement([two, three], { openingCents: 10_000, id: '2' }));
  expect(filled).toMatchObject({ duplicates: 1, gaps: [] });
  const whole = await importFile(madeStatement([one, two, three, four], { id: 'all' }));
  expect(whole).toMatchObject({ duplicates: 4, gaps: [] });
  const { statements, gaps } = await admin.bank.listBankStatements({ organizationId }, testCall());
  expect([statements.length, gaps]).toEqual([4, []]);
  const wrong = madeStatement([out(5, 300)], { openingCents: 8_700, id: '5' })
    .toString()
    .replace('>90.00<', '>91.00<');
  expect((await importFile(Buffer.from(wrong))).statements).toMatchObject([{ fits: false }]);
});

test('a file that ends halfway keeps what came, and its repaired form adds the rest', async () => {
  const [one, two] = [await issue(), await issue(20_000)];
  const file = madeStatement([paid(one), paid(two, { cents: 24_200 })]);
  await expect(importFile(file.subarray(0, file.length - 30))).rejects.toMatchObject({ code: 'validation' });
  const rest = await importFile(file);
  expect(rest.booked + rest.duplicates).toBe(2);
  for (const { id } of [one, two]) expect((await account(id)).account!.state).toBe(AccountState.PAID);
});

test('another organisation sees and answers nothing of it', async () => {
  const invoice = await issue();
  await importLines(paid(invoice, { text: 'bedankt' }));
  const { id } = await question();
  const foreign = { organizationId: randomUUID(), lineId: id };
  await expect(admin.bank.answerBankLine({ ...foreign, parts: [], note: 'x' }, operation())).rejects.toMatchObject({
    kind: 'absent',
  });
  await expect(admin.bank.undoBankLine({ ...foreign, reason: 'x' }, operation())).rejects.toMatchObject({
    kind: 'absent',
  });
  await expect(
    admin.bank.importStatement(
      (async function* () {
        yield { organizationId: randomUUID(), content: Buffer.from('x') };
      })(),
      operation(),
    ),
  ).rejects.toMatchObject({ kind: 'absent' });
});
