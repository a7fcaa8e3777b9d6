import { randomUUID } from 'node:crypto';
import {
  CreateInvoiceRequest,
  CreditInvoiceRequest,
  UpdateDraftRequest,
} from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { LineInput, VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { BillingStatus, Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { DraftFormat } from '@invoicing/contracts/invoicing/billing/v1/previews';
import { testCall, testPerson } from '@invoicing/testing';
import { readPdfs, textOf } from '../documents/testing/read-pdf';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

jest.setTimeout(120_000);

let harness: BillingHarness;
let organizationId: string;
let customerId: string;
beforeAll(async () => {
  harness = await startBillingHarness();
  const request = { details: { name: 'Verkoper BV' }, plan: Plan.STANDARD, mode: Mode.LIVE };
  organizationId = (
    await harness.as('admin').organizations.createOrganization(request, testCall({ operationId: randomUUID() }))
  ).id;
  customerId = harness.peers.addCustomer(organizationId, { email: 'klant@example.nl' });
});
afterAll(() => harness.close());

const line = (unitPriceCents: number) => ({
  description: 'Advies',
  quantity: '2',
  unitPriceCents,
  vatTreatment: VatTreatment.STANDARD_21,
});
const person = (operationId = randomUUID()) => ({ ...testPerson(organizationId, 'owner'), operationId });
const draft = async (changes: object = {}) =>
  (
    await harness
      .as('application')
      .invoices.createInvoice(
        CreateInvoiceRequest.fromPartial({ organizationId, customerId, lines: [line(5_000)], ...changes }),
        person(),
      )
  ).id;

test('what issuing comes to is said with the number that it then takes, and takes none', async () => {
  const invoiceId = await draft();
  const { previews, invoices } = harness.as('application');
  const first = await previews.previewIssue({ organizationId, invoiceId }, person());
  const again = await previews.previewIssue({ organizationId, invoiceId }, person());
  expect(again).toEqual(first);
  expect(first).toMatchObject({ recipient: 'klant@example.nl', post: false, revision: 1 });
  expect(first.totals?.inclCents).toBe(12_100);
  expect((await invoices.getInvoice({ organizationId, invoiceId }, person())).number).toMatch(/^CONCEPT-/);
  // What changed since somebody looked is not issued unseen.
  await invoices.updateDraft(UpdateDraftRequest.fromPartial({ organizationId, invoiceId, note: 'Haast' }), person());
  const asSeen = { organizationId, invoiceId, skipEmail: true, revision: first.revision };
  await expect(invoices.issueInvoice(asSeen, person())).rejects.toMatchObject({ code: 'revision_conflict' });
  const issued = await invoices.issueInvoice({ ...asSeen, revision: first.revision + 1 }, person());
  expect(await invoices.issueInvoice(asSeen, person())).toEqual(issued);
  expect(issued.number).toBe(first.number);
  await expect(previews.previewIssue({ organizationId, invoiceId }, person())).rejects.toMatchObject({
    kind: 'conflict',
  });
});

test('what VIES had answered about the buyer’s number is frozen with the invoice, and sealed with it', async () => {
  const checkedAt = new Date('2026-11-22T10:00:00.123Z');
  const said = {
    valid: true,
    consultationNumber: 'WAPIAAAAX1',
    name: 'Stern GmbH',
    address: '',
    raw: '{"valid":true}',
  };
  const stern = { name: 'Stern', btwId: 'DE123456789', countryCode: 'DE' };
  const issued = async (vatId: string) => {
    const customer = harness.peers.addCustomer(organizationId, stern, { vatId, checkedAt, ...said });
    const invoiceId = await draft({ customerId: customer });
    const { invoices } = harness.as('application');
    await invoices.issueInvoice({ organizationId, invoiceId, skipEmail: true, revision: undefined }, person());
    return invoices.getInvoice({ organizationId, invoiceId }, person());
  };
  expect((await issued('DE123456789')).vatCheck).toEqual({ vatId: 'DE123456789', checkedAt, ...said });
  expect((await issued('DE987654321')).vatCheck).toBeUndefined();
  const { series } = await harness.as('admin').invoices.verifyNumbers({ organizationId }, testCall());
  expect(series.every(({ gapless, chainValid }) => gapless && chainValid)).toBe(true);
});

test('what cannot be issued says why before anybody tries', async () => {
  const invoiceId = await draft({ lines: [{ ...line(100), quantity: '-2' }] });
  const { previews } = harness.as('application');
  await expect(previews.previewIssue({ organizationId, invoiceId }, person())).rejects.toMatchObject({
    kind: 'invalid',
    details: [{ path: '/lines' }],
  });
  const other = await draft();
  const billingStatus = (status: BillingStatus) =>
    harness
      .as('admin')
      .organizations.updateOrganization(
        { organizationId, details: {}, plan: Plan.UNSPECIFIED, billingStatus: status },
        testCall(),
      );
  await billingStatus(BillingStatus.ARREARS);
  await expect(previews.previewIssue({ organizationId, invoiceId: other }, person())).rejects.toMatchObject({
    kind: 'blocked',
  });
  // It can still be looked at.
  await previews.renderDraft({ organizationId, invoiceId: other, format: DraftFormat.SVG }, person());
  await billingStatus(BillingStatus.ACTIVE);
});

test('a draft is rendered as the document that it becomes, marked, without a number', async () => {
  const invoiceId = await draft({ reference: 'PO-7' });
  const { previews } = harness.as('application');
  const pdf = await previews.renderDraft({ organizationId, invoiceId, format: DraftFormat.PDF }, person());
  expect(pdf).toMatchObject({
    contentType: 'application/pdf',
    fileName: expect.stringMatching(/CONCEPT-.*\.pdf$/) as string,
  });
  const [read] = await readPdfs([pdf.content]);
  const text = textOf(read!);
  expect(text).toContain('CONCEPT: dit is nog geen factuur');
  expect(text).toContain('PO-7');
  expect(text).not.toMatch(/20\d\d-\d{4}/);
  const svg = await previews.renderDraft({ organizationId, invoiceId, format: DraftFormat.SVG }, person());
  expect(svg.contentType).toBe('image/svg+xml');
  expect(Buffer.from(svg.content).toString()).toMatch(/^<svg /);
  const long = await draft({ lines: Array.from({ length: 130 }, () => line(100)) });
  await expect(
    previews.renderDraft({ organizationId, invoiceId: long, format: DraftFormat.SVG }, person()),
  ).rejects.toMatchObject({ kind: 'invalid' });
});

test('what a credit note gives back is said before it is made, and is what it then gives back', async () => {
  const invoiceId = await draft({ lines: [line(5_000), line(333)] });
  const { previews, invoices } = harness.as('application');
  await invoices.issueInvoice({ organizationId, invoiceId, skipEmail: true }, person());
  const ask = CreditInvoiceRequest.fromPartial({ organizationId, invoiceId, lines: [{ line: 1, quantity: '1' }] });
  const preview = await previews.previewCredit(ask, person());
  expect(preview).toMatchObject({
    recipient: 'klant@example.nl',
    totals: { exclCents: 333, vatCents: 70, inclCents: 403 },
  });
  expect(preview.lines).toHaveLength(1);
  const made = await invoices.creditInvoice(ask, person());
  expect(made.number).toBe(preview.number);
  const note = await invoices.getInvoice({ organizationId, invoiceId: made.id }, person());
  expect(note.totals).toEqual(preview.totals);
  const most = CreditInvoiceRequest.fromPartial({ organizationId, invoiceId, lines: [{ line: 1, quantity: '2' }] });
  await expect(previews.previewCredit(most, person())).rejects.toMatchObject({ kind: 'invalid' });
});

test('the drafts of another organisation do not exist', async () => {
  const invoiceId = await draft();
  const request = { details: { name: 'Elders BV' }, plan: Plan.STANDARD, mode: Mode.LIVE };
  const { id: elsewhere } = await harness
    .as('admin')
    .organizations.createOrganization(request, testCall({ operationId: randomUUID() }));
  const { previews } = harness.as('application');
  const stranger = testPerson(elsewhere, 'owner');
  const asked = { organizationId: elsewhere, invoiceId };
  await expect(previews.previewIssue(asked, stranger)).rejects.toMatchObject({ kind: 'absent' });
  await expect(previews.renderDraft({ ...asked, format: DraftFormat.PDF }, stranger)).rejects.toMatchObject({
    kind: 'absent',
  });
});

test('a draft for a customer who was merged since is issued for the one who stays', async () => {
  const invoiceId = await draft();
  const stays = harness.peers.addCustomer(organizationId, { name: 'Blijver', email: 'blijver@example.nl' });
  harness.peers.merged.set(customerId, stays);
  const { previews, invoices } = harness.as('application');
  const preview = await previews.previewIssue({ organizationId, invoiceId }, person());
  expect(preview.recipient).toBe('blijver@example.nl');
  await invoices.issueInvoice({ organizationId, invoiceId, skipEmail: true }, person());
  const issued = await invoices.getInvoice({ organizationId, invoiceId }, person());
  expect(issued).toMatchObject({ customerId: stays, buyer: { name: 'Blijver' } });
  const made = await invoices.getInvoice({ organizationId, invoiceId: await draft() }, person());
  expect(made.customerId).toBe(stays);
  harness.peers.merged.clear();
});

test('a line about a product that was merged since is about the one that stays, at its price', async () => {
  const goes = harness.peers.addProduct(organizationId, { name: 'Uren', unitPriceCents: 9_000 });
  const stays = harness.peers.addProduct(organizationId, { name: 'Uur', unitPriceCents: 9_500 });
  harness.peers.merged.set(goes, stays);
  const { invoices } = harness.as('application');
  const lines = [LineInput.fromPartial({ productId: goes })];
  const priced = await invoices.priceLines({ organizationId, lines }, person());
  expect(priced.lines).toMatchObject([{ productId: stays, description: 'Uur', unitPriceCents: 9_500 }]);
  harness.peers.merged.clear();
});

test('a dry run shows the document that it did not make, marked as a draft, with the number that it would get', async () => {
  const create = (send: boolean, changes: object = {}) =>
    harness
      .as('gateway')
      .invoices.createInvoice(
        CreateInvoiceRequest.fromPartial({ organizationId, customerId, lines: [line(5_000)], send, ...changes }),
        { ...person(), dryRun: true },
      );
  const { number, dryRun } = await create(true);
  expect(dryRun).toMatchObject({ totals: { inclCents: 12_100 } });
  const fetched = (url: string) =>
    fetch(url.replace('https://pay.example', `http://127.0.0.1:${harness.billing.httpPort}`));
  const [read] = await readPdfs([new Uint8Array(await (await fetched(dryRun!.pdfUrl)).arrayBuffer())]);
  const text = textOf(read!);
  for (const said of [number, 'Advies', '121,00', 'oncept']) expect(text).toContain(said);
  // What cannot be issued as it is has sums all the same.
  const { dryRun: unissuable } = await create(false, { lines: [{ ...line(100), quantity: '-2' }] });
  expect(unissuable).toMatchObject({ totals: { inclCents: -242 }, pdfUrl: '', eInvoiceUrl: '' });
});
