import { randomUUID } from 'node:crypto';
import { CheckoutStatus } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { testCall, waitFor } from '@invoicing/testing';
import { startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { DETAILS, finish, formOf, get, post, submit } from './testing/payer';

let rig: CheckoutRig;

beforeAll(async () => {
  rig = await startCheckoutRig();
});
afterAll(() => rig?.close());

const status = async (organizationId: string, checkoutId: string) =>
  (await rig.checkouts.getCheckout({ organizationId, checkoutId }, testCall())).status;

test('a payer pays: one invoice, one e-mail, one event', async () => {
  const organizationId = await rig.organization();
  const made = await rig.create(organizationId, { redirectUrl: 'https://shop.example/thanks?x=1' });
  expect(made).toMatchObject({ status: CheckoutStatus.OPEN, amountInclCents: 12_100 });

  const result = await finish(await submit(made.url), 'paid');
  expect(result.status).toBe(200);
  expect(result.html).toContain('your payment was received');
  expect(result.html).toContain(`https://shop.example/thanks?x=1&amp;checkout=${made.id}&amp;status=paid`);

  await waitFor(() => rig.billing.paidEvents.length === 1);
  const [invoice] = rig.billing.invoices.values();
  expect(invoice).toMatchObject({ checkoutId: made.id, totals: { inclCents: 12_100 }, payment: { method: 'ideal' } });
  // The invoice is issued with the very payment that is then recorded, in the language of the page.
  expect(invoice).toMatchObject({ prepayment: invoice!.payment, language: 'en' });
  expect(rig.billing.mailed).toEqual([invoice!.id]);
  const paid = await waitFor(async () => {
    const seen = await rig.checkouts.getCheckout({ organizationId, checkoutId: made.id }, testCall());
    return seen.invoiceId && seen;
  });
  expect(paid).toMatchObject({ status: CheckoutStatus.PAID, invoiceId: invoice!.id });
  expect((await get(made.url)).html).toContain(`/p/${invoice!.publicToken}`);
});

test('the language that the payer chose on the page is that of the invoice, and of the page after the bank', async () => {
  const organizationId = await rig.organization();
  const made = await rig.create(organizationId);
  const { html } = await get(`${made.url}?lang=nl`);
  const action = /<form[^>]* action="([^"]+)"/.exec(html)![1]!;
  const sent = await post(new URL(action, made.url).href, { form: formOf(html), method: 'ideal', ...DETAILS });
  expect((await finish(sent.location, 'paid')).html).toContain('uw betaling is ontvangen');
  const invoice = await waitFor(() => [...rig.billing.invoices.values()].find((each) => each.checkoutId === made.id));
  expect(invoice).toMatchObject({ language: 'nl' });
});

test('a payment that was under way before its language was kept leaves the language to billing', async () => {
  const organizationId = await rig.organization();
  const made = await rig.create(organizationId);
  const bank = await submit(made.url);
  const sessions = (await rig.database()).db!.collection('sessions');
  await sessions.updateOne({ token: made.url.split('/').at(-1)! }, { $unset: { 'attempts.0.language': 1 } });
  expect((await finish(bank, 'paid')).status).toBe(200);
  const invoice = await waitFor(() => [...rig.billing.invoices.values()].find((each) => each.checkoutId === made.id));
  expect(invoice).toMatchObject({ language: '', prepayment: { method: 'ideal' } });
});

test.each([
  ['failed', 'did not succeed'],
  ['canceled', 'You cancelled'],
] as const)('a payment that is %s leaves the session open for another try', async (outcome, words) => {
  const organizationId = await rig.organization();
  const made = await rig.create(organizationId);
  const result = await finish(await submit(made.url), outcome);
  expect(result.html).toContain(words);
  expect(await status(organizationId, made.id)).toBe(CheckoutStatus.OPEN);
  expect((await finish(await submit(made.url, 'bancontact'), 'paid')).html).toContain('was received');
  expect(await status(organizationId, made.id)).toBe(CheckoutStatus.PAID);
});

test('a repeated creation answers the same address', async () => {
  const organizationId = await rig.organization();
  const call = testCall({ operationId: randomUUID() });
  const request = {
    organizationId,
    title: 'T',
    lines: [{ description: 'a', quantity: '1', unitPriceCents: 100, vatTreatment: 'VAT_TREATMENT_ZERO' as never }],
    customer: undefined,
    methods: [],
  };
  const answers = await Promise.all([1, 2, 3].map(() => rig.checkouts.createCheckout(request, call)));
  expect(new Set(answers.map(({ url }) => url)).size).toBe(1);
  expect(answers[0]!.id).toBe(call.operationId);
});
