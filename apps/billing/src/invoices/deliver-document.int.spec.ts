import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import { Mode, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { testCall } from '@invoicing/testing';
import { startBillingHarness, type BillingHarness } from '../testing/billing-harness';

let harness: BillingHarness;
beforeAll(async () => {
  harness = await startBillingHarness();
});
afterAll(() => harness?.close());
beforeEach(() => {
  harness.peers.peppol = { status: 'submitted' };
  harness.peers.sentOverPeppol.length = 0;
});

const operation = () => testCall({ operationId: randomUUID() });
const address = { addressLine1: 'Markt 1', postalCode: '1000', city: 'Brussel', countryCode: 'BE' };
const brewery = { ...address, name: 'Brouwerij', kvkNumber: '0403170701', btwId: 'BE0403170701' };
const hotel = { ...address, name: 'Hotel', companyName: 'Hotel', kvkNumber: '0123456749', btwId: 'BE0123456749' };

/** Sends an invoice of one line; answers its id and warnings. */
async function sell(seller: object, buyer: object, send = true) {
  const details = { name: 'Verkoper', iban: 'BE71096123456769', ...seller };
  const { id: organizationId } = await harness
    .as('admin')
    .organizations.createOrganization({ details, plan: Plan.UNSPECIFIED, mode: Mode.UNSPECIFIED }, operation());
  const customerId = harness.peers.addCustomer(organizationId, buyer);
  const lines = [{ description: 'Bier', unitPriceCents: 5_000, vatTreatment: VatTreatment.UNSPECIFIED }];
  const asked = { organizationId, customerId, lines, send, post: false, requireEInvoice: false };
  const { id, warnings } = await harness.as('gateway').invoices.createInvoice(asked, operation());
  return { organizationId, id, warnings };
}

test('between Belgian businesses an invoice and its credit note go over Peppol when they are issued', async () => {
  const { organizationId, id: invoiceId, warnings } = await sell(brewery, hotel);
  expect(warnings).toEqual([]);
  const admin = harness.as('admin').invoices;
  const note = await admin.creditInvoice({ organizationId, invoiceId, lines: [], reason: '' }, operation());
  expect(harness.peers.sentOverPeppol).toEqual([invoiceId, note.id]);
});

test.each([
  ['a Dutch seller', { countryCode: 'NL', kvkNumber: '12345678', btwId: 'NL001234567B01' }, hotel],
  ['a Dutch customer', brewery, { ...hotel, countryCode: 'NL', kvkNumber: '12345678', btwId: '' }],
  ['a private person', brewery, { ...address, name: 'Jan' }],
])('%s: nobody asks for it', async (_who, seller, buyer) => {
  await sell(seller, buyer);
  expect(harness.peers.sentOverPeppol).toEqual([]);
});

test('a draft is not sent', async () => {
  await sell(brewery, hotel, false);
  expect(harness.peers.sentOverPeppol).toEqual([]);
});

test('what stands in its way is in the answer, the invoice is issued all the same', async () => {
  harness.peers.peppol = { status: 'failed', error: 'not_connected', reason: 'no access point is connected' };
  expect((await sell(brewery, hotel)).warnings).toEqual([
    {
      code: 'peppol_not_sent',
      message: 'Belgian law asks for delivery over Peppol: no access point is connected',
      field: '/customerId',
    },
  ]);
  harness.peers.peppol = { status: 'pending', error: 'unavailable', reason: 'Storecove answered 503' };
  expect((await sell(brewery, hotel)).warnings).toMatchObject([{ code: 'peppol_delayed' }]);
});

test('of a document that makes no e-invoice the answer says what is missing', async () => {
  harness.peers.peppol = { status: 'failed', error: 'no_e_invoice', reason: 'no valid e-invoice' };
  const { warnings } = await sell({ ...brewery, iban: '' }, hotel);
  expect(warnings).toMatchObject([{ code: 'peppol_not_sent', message: expect.stringContaining('/seller/iban') }]);
});
