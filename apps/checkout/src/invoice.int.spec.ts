import { InvoiceStatus } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { testCall, waitFor } from '@invoicing/testing';
import { line, startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { finish, get, post, submit } from './testing/payer';

/** Paying an invoice that exists, from its public page. */
let rig: CheckoutRig;
beforeAll(async () => {
  rig = await startCheckoutRig();
});
afterAll(() => rig?.close());

async function invoiceOf(organizationId: string) {
  const customerId = '11111111-1111-4111-8111-111111111111';
  const lines = [{ ...line('Advies', 5_000), quantity: '2' }];
  return rig.billing.issue(crypto.randomUUID(), { organizationId, customerId, lines });
}

test('whether and where an invoice can be paid online', async () => {
  const organizationId = await rig.organization();
  const { publicToken } = await invoiceOf(organizationId);
  const options = (id: string) =>
    rig.checkouts.getInvoicePaymentOptions({ organizationId: id, publicToken }, testCall());
  expect(await options(organizationId)).toEqual({ available: true, url: `${rig.url}/c/i/${publicToken}` });
  expect(await options(await rig.organization(null))).toEqual({ available: false, url: '' });
});

test('it is paid once, without a second invoice', async () => {
  const organizationId = await rig.organization();
  const invoice = await invoiceOf(organizationId);
  const page = `${rig.url}/c/i/${invoice.publicToken}`;
  const before = rig.billing.invoices.size;
  const html = (await get(page)).html;
  expect(html).toContain(invoice.number);
  expect(html).not.toContain('name="email"');
  expect(html).toContain('€121.00');

  const result = await finish(await submit(page), 'paid');
  expect(result.html).toContain('The invoice is paid');
  expect(result.html).toContain(`/p/${invoice.publicToken}`);
  const paid = await waitFor(() => {
    const seen = rig.billing.invoices.get(invoice.id);
    return seen?.payment && seen;
  });
  expect(paid).toMatchObject({
    status: InvoiceStatus.PAID,
    payment: { provider: 'sandbox', method: 'ideal', amountCents: 12_100 },
  });
  expect(rig.billing.paidEvents.filter((id) => id === invoice.id)).toHaveLength(1);
  expect(rig.billing.invoices.size).toBe(before);
  expect(rig.billing.mailed.filter((id) => id === invoice.id)).toHaveLength(1);
  // It is no checkout session: not under its address, and in no list.
  expect((await get(`${rig.url}/c/${invoice.publicToken}`)).status).toBe(404);
  expect((await rig.checkouts.listCheckouts({ organizationId, limit: 0 }, testCall())).checkouts).toEqual([]);
});

test('an invoice that was paid otherwise meanwhile: the payment goes back', async () => {
  const organizationId = await rig.organization();
  const invoice = await invoiceOf(organizationId);
  const payPage = await submit(`${rig.url}/c/i/${invoice.publicToken}`);
  const payment = { provider: 'bank', method: 'transfer', id: 'other', paidAt: new Date(), amountCents: 12_100 };
  rig.billing.invoices.set(invoice.id, { ...invoice, status: InvoiceStatus.PAID, payment });
  rig.billing.accounts.pay(invoice.id, 12_100);
  await finish(payPage, 'paid');
  const id = payPage.split('/').at(-1)!;
  await waitFor(async () => {
    const response = await fetch(`${rig.url}/sandbox/api/payments/${id}`);
    return ((await response.json()) as { refundedCents: number }).refundedCents === 12_100;
  });
});

test('what cannot be paid says so', async () => {
  const organizationId = await rig.organization();
  const credited = await invoiceOf(organizationId);
  rig.billing.accounts.credit(credited.id);
  expect(await get(`${rig.url}/c/i/${credited.publicToken}`)).toMatchObject({ status: 409 });
  expect(await post(`${rig.url}/c/i/${credited.publicToken}`, { method: 'ideal' })).toMatchObject({ status: 409 });

  const paid = await invoiceOf(organizationId);
  rig.billing.invoices.set(paid.id, { ...paid, status: InvoiceStatus.PAID });
  rig.billing.accounts.pay(paid.id, 12_100);
  const settled = await get(`${rig.url}/c/i/${paid.publicToken}`);
  expect(settled.status).toBe(200);
  expect(settled.html).toContain('already paid');
  expect(await get(`${rig.url}/c/i/${'x'.repeat(30)}`)).toMatchObject({ status: 404 });
});
