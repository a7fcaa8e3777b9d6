import { randomUUID } from 'node:crypto';
import { DocumentFormat, InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { testCall } from '@invoicing/testing';
import { readPdfs, textOf } from '../documents/testing/read-pdf';
import { parseUbl } from '../documents/testing/ubl-faults';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
let organizationId: string;
let customerId: string;

beforeAll(async () => {
  harness = await startBillingHarness();
  const details = {
    name: 'Bakkerij De Zon',
    kvkNumber: '12345678',
    btwId: 'NL001234567B01',
    iban: 'NL91ABNA0417164300',
    addressLine1: 'Zonnestraat 12',
    postalCode: '3512 AB',
    city: 'Utrecht',
  };
  const organization = { details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED };
  organizationId = (await harness.as('admin').organizations.createOrganization(organization, operation())).id;
  customerId = harness.peers.addCustomer(organizationId, {
    addressLine1: 'Kade 2',
    postalCode: '2611 AA',
    city: 'Delft',
    kvkNumber: '87654321',
  });
});
afterAll(() => harness?.close());

const operation = (operationId: string = randomUUID()) => testCall({ operationId });
// Past midnight in Amsterdam, the day before in UTC.
const paidAt = new Date('2026-01-01T23:30:00Z');
const payment = (changes: object = {}) => ({
  provider: 'mollie',
  method: 'ideal',
  id: `tr_${randomUUID()}`,
  paidAt,
  amountCents: 12_100,
  ...changes,
});
const create = (more: object, call = operation(), caller = 'checkout') =>
  harness.as(caller).invoices.createInvoice(
    {
      organizationId,
      customerId,
      lines: [{ description: 'Workshop', unitPriceCents: 10_000, vatTreatment: VatTreatment.UNSPECIFIED }],
      send: true,
      post: false,
      requireEInvoice: false,
      ...more,
    },
    call,
  );
const get = (invoiceId: string) =>
  harness.as('notification').invoices.getInvoice({ organizationId, invoiceId }, testCall());
const render = async (invoiceId: string, format: DocumentFormat): Promise<Uint8Array> =>
  (await harness.as('notification').invoices.renderInvoice({ organizationId, invoiceId, format }, testCall())).content;
const pdfText = async (invoiceId: string): Promise<string> => {
  const [pdf] = await readPdfs([await render(invoiceId, DocumentFormat.PDF)]);
  return textOf(pdf!).replace(/\s+/g, ' ');
};

test('what was paid before is frozen with the document; the payment is still recorded, and once', async () => {
  const call = operation();
  const prepayment = payment();
  const checkoutId = randomUUID();
  const made = await create({ prepayment, checkoutId, language: 'en' }, call);
  expect(await create({ prepayment, checkoutId, language: 'en' }, call)).toEqual(made);

  const issued = await get(made.id);
  expect(issued).toMatchObject({ status: InvoiceStatus.PAID, prepayment, payment: undefined, language: 'en' });
  expect(issued.dueDate).toBe(issued.issueDate);
  const text = await pdfText(made.id);
  expect(text).toContain('Paid on 2 January 2026 by iDEAL. There is nothing left to pay.');
  expect(text).not.toMatch(/IBAN|Due date/);
  const total = parseUbl(Buffer.from(await render(made.id, DocumentFormat.UBL)).toString()).one('LegalMonetaryTotal')!;
  expect([total.cents('PrepaidAmount'), total.cents('PayableAmount')]).toEqual([12_100n, 0n]);

  const record = { organizationId, invoiceId: made.id, payment: prepayment, checkoutId };
  for (let times = 0; times < 2; times++) {
    expect(await harness.as('checkout').invoices.recordPayment(record, testCall())).toMatchObject({
      status: InvoiceStatus.PAID,
      payment: prepayment,
    });
  }
  expect(await pdfText(made.id)).toBe(text);
});

test('its credit note gives money back and knows of no payment', async () => {
  const original = await create({ prepayment: payment(), language: 'en' });
  const credit = { organizationId, invoiceId: original.id, lines: [], reason: 'Cancelled' };
  const note = await harness.as('admin').invoices.creditInvoice(credit, operation());
  expect(await get(note.id)).toMatchObject({ prepayment: undefined, language: 'en', totals: { inclCents: 12_100 } });
  const text = await pdfText(note.id);
  expect(text).toContain('We will refund this amount or set it off against an open invoice.');
  expect(text).toMatch(/Total credit €121.00/);
  expect(text).not.toMatch(/Paid|Amount due|IBAN/);
  const total = parseUbl(Buffer.from(await render(note.id, DocumentFormat.UBL)).toString()).one('LegalMonetaryTotal')!;
  expect([total.one('PrepaidAmount'), total.cents('PayableAmount')]).toEqual([undefined, 12_100n]);
});

test('the chain holds over documents with and without', async () => {
  await create({});
  await create({ prepayment: payment() });
  const { series } = await harness.as('admin').invoices.verifyNumbers({ organizationId }, testCall());
  expect(series.length).toBeGreaterThan(0);
  expect(series.every(({ gapless, chainValid }) => gapless && chainValid)).toBe(true);
});

test('the language is as asked, also of a draft that is issued later; else it is of the country', async () => {
  expect(await get((await create({})).id)).toMatchObject({ language: 'nl', prepayment: undefined });
  const { id } = await create({ send: false, language: 'en' });
  const lines = [{ description: 'Other', unitPriceCents: 500, vatTreatment: VatTreatment.UNSPECIFIED }];
  const { invoices } = harness.as('admin');
  await invoices.updateDraft({ organizationId, invoiceId: id, lines }, testCall());
  await invoices.issueInvoice({ organizationId, invoiceId: id, skipEmail: true }, testCall());
  expect(await get(id)).toMatchObject({ language: 'en' });
});

test.each<[string, object, string]>([
  ['another amount', { prepayment: payment({ amountCents: 12_099 }) }, '/prepayment/amountCents'],
  ['no payment id', { prepayment: payment({ id: '' }) }, '/prepayment/id'],
  ['no time', { prepayment: payment({ paidAt: undefined }) }, '/prepayment'],
  ['a draft', { prepayment: payment(), send: false }, '/prepayment'],
  ['a language that there is not', { language: 'xx' }, '/language'],
])('%s is invalid', async (_what, more, path) => {
  await expect(create(more)).rejects.toMatchObject({ kind: 'invalid', details: [{ path }] });
});

test('who must not record payments cannot say that one was made', async () => {
  await expect(create({ prepayment: payment() }, operation(), 'gateway')).rejects.toMatchObject({ kind: 'forbidden' });
});
