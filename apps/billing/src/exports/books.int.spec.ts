import { createHash, randomUUID } from 'node:crypto';
import { AuditFileVersion, ExportKind, type ExportSummary } from '@invoicing/contracts/invoicing/billing/v1/exports';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { BillingStatus, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { type AppError } from '@invoicing/errors';
import { testCall, testPerson } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';
import { addDays, businessDate } from '../invoices/business-date';
import { readZip } from './testing/read-zip';

let harness: BillingHarness;
let admin: ReturnType<BillingHarness['as']>;
let organizationId: string;
let customers: { home: string; germany: string; person: string };

beforeAll(async () => {
  harness = await startBillingHarness();
  admin = harness.as('admin');
});
afterAll(() => harness?.close());

const operation = () => testCall({ operationId: randomUUID() });
const today = businessDate(new Date(), 'Europe/Amsterdam');
const [first, last] = [addDays(today, -40), addDays(today, -10)];
const days = { from: first, to: last };

beforeEach(async () => {
  const details = {
    ...{ name: 'Bakkerij De Zon', btwId: 'NL001234567B01', kvkNumber: '12345678', iban: 'NL91ABNA0417164300' },
    ...{ addressLine1: 'Dorpsstraat 1', postalCode: '3511 AB', city: 'Utrecht', email: 'zon@example.com' },
  };
  const organization = { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  organizationId = (await admin.organizations.createOrganization(organization, operation())).id;
  const address = { addressLine1: 'Weg 1', postalCode: '1000', city: 'Stad' };
  customers = {
    home: harness.peers.addCustomer(organizationId, { name: '=1+1', ...address }),
    germany: harness.peers.addCustomer(organizationId, {
      ...{ companyName: 'Backwaren Müller', countryCode: 'DE', btwId: 'DE136695976' },
      ...address,
    }),
    person: harness.peers.addCustomer(organizationId, { name: 'Emma', countryCode: 'BE' }),
  };
});

const issue = async (issueDate: string, customerId: string, vatTreatment: VatTreatment, unitPriceCents = 10_000) => {
  const lines = [{ description: 'Brood', unitPriceCents, vatTreatment }];
  const wishes = { send: true, post: false, requireEInvoice: false };
  const request = { organizationId, customerId, lines, issueDate, ...wishes };
  return (await admin.invoices.createInvoice(request, operation())).id;
};

const NO_TEXT = { method: '', providerId: '', paidAt: undefined, reference: '', note: '' };
const pay = (invoiceId: string, amountCents: number, more: object) =>
  admin.accounts.recordPayment(
    { organizationId, invoiceId, amountCents, provider: 'bank', ...NO_TEXT, ...more },
    operation(),
  );

/** Sales of some weeks: at home, to a German business, to a Belgian person; one paid, one credited. */
async function trade(): Promise<{ paid: string; open: string }> {
  const paid = await issue(first, customers.home, VatTreatment.STANDARD_21);
  const open = await issue(addDays(first, 3), customers.home, VatTreatment.REDUCED_9);
  await issue(addDays(first, 4), customers.germany, VatTreatment.INTRA_COMMUNITY);
  await issue(addDays(first, 5), customers.germany, VatTreatment.REVERSE_CHARGE);
  await issue(addDays(first, 6), customers.person, VatTreatment.STANDARD_21);
  await pay(paid, 12_100, { date: addDays(first, 8), reference: '2026-0001' });
  return { paid, open };
}

async function exported(kind: ExportKind, more: object = {}): Promise<{ file: Buffer; summary: ExportSummary }> {
  const parts: Buffer[] = [];
  let summary: ExportSummary | undefined;
  const request = { organizationId, kind, ...days, version: AuditFileVersion.AUDIT_FILE_VERSION_UNSPECIFIED, ...more };
  for await (const part of admin.exports.exportBooks(request, testCall())) {
    if (part.content) parts.push(part.content);
    summary = part.summary ?? summary;
  }
  const file = Buffer.concat(parts);
  expect(summary).toMatchObject({ bytes: file.length, sha256: sha256(file) });
  return { file, summary: summary! };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const faults = (work: Promise<unknown>): Promise<string[]> =>
  work.then(
    () => [],
    (error: AppError) =>
      (error.details ?? [{ path: error.code, message: '' }]).map(({ path, message }) => `${path} ${message}`),
  );

test('an audit file and its lines have every document and payment, and nothing of other days or organisations', async () => {
  await trade();
  await issue(addDays(last, 1), customers.home, VatTreatment.STANDARD_21);
  const { file, summary } = await exported(ExportKind.XAF);
  expect(summary).toMatchObject({ count: 6, closed: false });
  const text = file.toString();
  expect(text).toContain('<totalDebit>672.00</totalDebit>');
  expect(text.match(/<transaction>/g)).toHaveLength(6);
  const old = await exported(ExportKind.XAF, { version: AuditFileVersion.AUDIT_FILE_VERSION_3_2 });
  expect(old.file.toString()).toContain('http://www.auditfiles.nl/XAF/3.2');
  const csv = (await exported(ExportKind.CSV)).file.toString();
  // Head, three lines for what has VAT, two for what has none and for a payment.
  expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + 3 * 3 + 2 * 2 + 2);
  expect(csv).toContain(",'=1+1,");
});

test('a zip has the originals, and an index whose checksums are theirs; twice the same bytes', async () => {
  await trade();
  const { file, summary } = await exported(ExportKind.DOCUMENTS);
  expect(summary.count).toBe(5);
  const files = readZip(file);
  const index = files.get('index.csv')!.toString().trimEnd().split('\r\n').slice(1);
  expect(index).toHaveLength(files.size - 1);
  for (const row of index) {
    const [name = '', hash] = row.split(',');
    expect(sha256(files.get(name)!)).toBe(hash);
  }
  const kinds = [...files.keys()].map((name) => name.split('.').at(-1));
  expect(kinds.filter((kind) => kind === 'pdf')).toHaveLength(5);
  expect(kinds.filter((kind) => kind === 'xml').length).toBeGreaterThan(0);
  expect((await exported(ExportKind.DOCUMENTS)).summary.sha256).toBe(summary.sha256);
}, 120_000);

test('VAT figures are the sums of the list behind them; a credit note counts when it is issued', async () => {
  const { open } = await trade();
  await admin.invoices.creditInvoice({ organizationId, invoiceId: open, lines: [], reason: 'Retour' }, operation());
  // Of whatever years the days lie in.
  const years = [...new Set([first, today].map((day) => day.slice(0, 4)))];
  const sums = new Map<string, { base: number; vat: number }>();
  let [vatCents, warned, oss] = [0, 0, 0];
  const icp: object[] = [];
  for (const period of years) {
    const found = await admin.vatReturns.getVatReturn({ organizationId, period }, testCall());
    vatCents += found.vatCents;
    icp.push(...found.icp);
    oss += found.oss.reduce((sum, { baseCents }) => sum + baseCents, 0);
    for await (const line of admin.vatReturns.listVatLines({ organizationId, period }, testCall())) {
      const { base, vat } = sums.get(line.box) ?? { base: 0, vat: 0 };
      sums.set(line.box, { base: base + line.baseCents, vat: vat + line.vatCents });
      warned += line.warnings.length;
    }
    for (const { box, baseCents, vatCents: vat } of found.boxes.filter(({ documents }) => documents > 0))
      if (years.length === 1) expect(sums.get(box)).toEqual({ base: baseCents, vat });
  }
  expect(Object.fromEntries(sums)).toEqual({
    '1a': { base: 20_000, vat: 4_200 },
    '1b': { base: 0, vat: 0 },
    '3b': { base: 20_000, vat: 0 },
  });
  expect(vatCents).toBe(4_200);
  expect(oss).toBe(10_000);
  expect(warned).toBe(0);
  expect(icp).toEqual([
    expect.objectContaining({ vatId: 'DE136695976', goodsCents: 10_000, servicesCents: 10_000, goodsEuros: 100 }),
  ]);
  const only: string[] = [];
  for (const period of years)
    for await (const { box } of admin.vatReturns.listVatLines({ organizationId, period, box: '3b' }, testCall()))
      only.push(box);
  expect(only).toEqual(['3b', '3b']);
});

const close = (request: object = {}) => admin.periods.closePeriod({ organizationId, ...days, ...request }, testCall());

test('a closed period is the same file whatever happens later, and the checksum stands in the history', async () => {
  const { open } = await trade();
  const draft = await admin.invoices.createInvoice(
    {
      ...{
        organizationId,
        customerId: customers.home,
        issueDate: last,
        send: false,
        post: false,
        requireEInvoice: false,
      },
      lines: [{ unitPriceCents: 100, vatTreatment: VatTreatment.UNSPECIFIED }],
    },
    operation(),
  );
  const { period, draftIds } = await close();
  expect(draftIds).toEqual([draft.id]);
  expect(period).toMatchObject({ ...days, count: 6 });
  const before = await Promise.all([ExportKind.XAF, ExportKind.CSV, ExportKind.VAT].map((kind) => exported(kind)));
  expect(before[0]!.summary).toMatchObject({ sha256: period!.sha256, closed: true, asClosed: true });

  await admin.organizations.updateOrganization(
    {
      ...{ organizationId, plan: Plan.UNSPECIFIED, billingStatus: BillingStatus.UNSPECIFIED },
      details: { name: 'De Zon Holding B.V.', city: 'Amsterdam' },
    },
    testCall(),
  );
  await pay(open, 10_900, { provider: 'mollie', providerId: 'tr_1', paidAt: new Date(`${first}T12:00:00Z`) });
  await issue(today, customers.home, VatTreatment.STANDARD_21);
  await admin.invoices.creditInvoice({ organizationId, invoiceId: open, lines: [], reason: 'Retour' }, operation());
  const after = await Promise.all([ExportKind.XAF, ExportKind.CSV, ExportKind.VAT].map((kind) => exported(kind)));
  expect(after.map(({ summary }) => summary)).toEqual(before.map(({ summary }) => summary));

  expect((await close()).period).toEqual(period);
  const { entries } = await admin.history.listHistory({ organizationId, limit: 50 }, testCall());
  expect(entries.filter(({ action }) => action === 'period.closed')).toEqual([
    expect.objectContaining({ subject: expect.objectContaining({ label: expect.stringContaining(period!.sha256) }) }),
  ]);
});

test('nothing is booked in a closed period: what a person says is refused, what a provider tells goes to the first open day', async () => {
  const { open } = await trade();
  await close();
  expect(await faults(pay(open, 100, { date: last }))).toEqual([
    `/date lies in a closed period: the books are closed until ${last}`,
  ]);
  expect(await faults(issue(last, customers.home, VatTreatment.STANDARD_21))).toEqual([
    expect.stringMatching(/^\/issueDate lies in a closed period/),
  ]);
  const paidAt = new Date(`${first}T12:00:00Z`);
  const { entries } = await pay(open, 10_900, { provider: 'mollie', providerId: 'tr_2', paidAt });
  expect(entries).toEqual([expect.objectContaining({ date: addDays(last, 1) })]);
});

test('what was closed last is opened first, for a reason; then it can be closed again', async () => {
  await trade();
  const earlier = (await close({ to: addDays(first, 3) })).period!;
  const later = (await close({ from: addDays(first, 4) })).period!;
  const reopen = (periodId: string, reason = 'een factuur vergeten') =>
    admin.periods.reopenPeriod({ organizationId, periodId, reason }, testCall());
  expect(await faults(reopen(earlier.id))).toEqual(['not_last_period ']);
  expect(await faults(reopen(later.id, ' '))).toEqual(['/reason is required']);
  expect(await reopen(later.id)).toMatchObject({ reopenedBecause: 'een factuur vergeten' });
  await issue(last, customers.home, VatTreatment.STANDARD_21);
  expect(await faults(issue(addDays(first, 3), customers.home, VatTreatment.STANDARD_21))).toHaveLength(1);
  const again = (await close({ from: addDays(first, 4) })).period!;
  expect(again).toMatchObject({ id: later.id, count: later.count + 1 });
  expect(again.reopenedBecause).toBeUndefined();
  expect(again.sha256).not.toBe(later.sha256);
  const { periods } = await admin.periods.listPeriods({ organizationId }, testCall());
  expect(periods.map(({ id }) => id)).toEqual([later.id, earlier.id]);
});

test('days that are none are refused, all at once; a period that is not over is not closed', async () => {
  expect(await faults(exported(ExportKind.XAF, { from: '2026-02-30', to: 'x' }))).toHaveLength(2);
  expect(await faults(exported(ExportKind.XAF, { from: last, to: first }))).toEqual([expect.stringMatching(/^\/to/)]);
  expect(await faults(exported(ExportKind.UNSPECIFIED))).toEqual([expect.stringMatching(/^\/kind/)]);
  expect(await faults(close({ to: today }))).toEqual([`/to must be before today, ${today}`]);
  const vat = admin.vatReturns.getVatReturn({ organizationId, period: '2026-Q5' }, testCall());
  expect(await faults(vat)).toEqual([expect.stringMatching(/^\/period/)]);
});

test('a bookkeeper may, a seller may not', async () => {
  const application = harness.as('application');
  const asked = (role: 'bookkeeper' | 'sales') =>
    faults(application.periods.listPeriods({ organizationId }, testPerson(organizationId, role)));
  expect(await asked('bookkeeper')).toEqual([]);
  expect(await asked('sales')).toEqual(['forbidden ']);
});
