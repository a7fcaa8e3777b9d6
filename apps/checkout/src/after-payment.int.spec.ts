import { type Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { waitFor } from '@invoicing/testing';
import { line, startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { MOLLIE_KEY, MollieImitation } from './testing/mollie-imitation';
import { finish, get, post, submit } from './testing/payer';

/** What happens to money after it came: at the provider, at the payer's bank, on the invoice's account. */
let rig: CheckoutRig;
const mollie = new MollieImitation();
beforeAll(async () => {
  await mollie.start();
  rig = await startCheckoutRig();
});
afterAll(async () => {
  await rig?.close();
  await mollie.stop();
});

const invoiceOf = (organizationId: string): Invoice =>
  rig.billing.issue(crypto.randomUUID(), {
    organizationId,
    customerId: '11111111-1111-4111-8111-111111111111',
    lines: [line('Advies', 10_000)],
  });
const pageOf = ({ publicToken }: Invoice): string => `${rig.url}/c/i/${publicToken}`;
const idOf = (payUrl: string): string => payUrl.split('/').at(-1)!;
const entriesOf = ({ id }: Invoice) => rig.billing.accounts.entries.filter(({ invoiceId }) => invoiceId === id);
const callBack = ({ url, body }: { url: string; body: string }) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });

/** An invoice that was paid through Mollie, and the id of its payment there. */
async function paidByMollie(): Promise<{ invoice: Invoice; id: string }> {
  const organizationId = await rig.organization({ provider: 'mollie', apiKey: MOLLIE_KEY, baseUrl: mollie.url });
  const invoice = invoiceOf(organizationId);
  const id = idOf(await submit(pageOf(invoice)));
  await callBack(mollie.decide(id, 'paid'));
  await waitFor(() => entriesOf(invoice).length === 1);
  return { invoice, id };
}

/** As if the time of its next look had come. */
async function lookAgain(paymentId: string): Promise<void> {
  const sessions = (await rig.database()).collection('sessions');
  const past = new Date(Date.now() - 1);
  await waitFor(async () => {
    const found = await sessions.findOne({ 'attempts.paymentId': paymentId, 'fulfilment.status': 'done' });
    const attempts = (found?.['attempts'] ?? []) as { paymentId: string; pollAt: Date | null }[];
    const at = attempts.findIndex((each) => each.paymentId === paymentId);
    // What follows a payment, and a look that is under way, are done before it is looked at again.
    if (!found || !attempts[at]?.pollAt || attempts[at].pollAt <= new Date()) return false;
    const seen = { _id: found._id, revision: found['revision'] as number };
    const change = { dueAt: past, [`attempts.${at}.pollAt`]: past };
    return (await sessions.updateOne(seen, { $set: change, $inc: { revision: 1 } })).matchedCount === 1;
  });
}

test('a refund and a chargeback that were made at the provider are noticed by callback, each once', async () => {
  const { invoice, id } = await paidByMollie();
  await callBack(mollie.giveBack(id, 'refund', 2_100));
  await waitFor(() => entriesOf(invoice).length === 2);
  const callback = mollie.giveBack(id, 'chargeback', 10_000);
  for (let times = 0; times < 3; times++) await callBack(callback);
  // It was just looked at: the callbacks only say that it is to be looked at again soon.
  await waitFor(() => entriesOf(invoice).length === 3, 20_000);
  expect(entriesOf(invoice)).toMatchObject([
    { type: 'payment', cents: 12_100 },
    { type: 'refund', cents: -2_100 },
    { type: 'chargeback', cents: -10_000 },
  ]);
}, 40_000);

test('a refund that is heard of before the payment is on its account is told right after it', async () => {
  const organizationId = await rig.organization({ provider: 'mollie', apiKey: MOLLIE_KEY, baseUrl: mollie.url });
  const invoice = invoiceOf(organizationId);
  const id = idOf(await submit(pageOf(invoice)));
  rig.billing.interfere = (when, method) => {
    if (when === 'before' && method === 'recordPayment') throw new Error('unreachable');
  };
  await callBack(mollie.decide(id, 'paid'));
  await callBack(mollie.giveBack(id, 'refund', 2_100));
  rig.billing.interfere = () => undefined;
  await waitFor(() => entriesOf(invoice).length === 2, 20_000);
  expect(entriesOf(invoice)).toMatchObject([{ type: 'payment' }, { type: 'refund', cents: -2_100 }]);
}, 40_000);

test('without a callback they are noticed on schedule, and so is a refund that did not arrive', async () => {
  const { invoice, id } = await paidByMollie();
  mollie.giveBack(id, 'refund', 12_100);
  mollie.payments
    .get(id)!
    .chargebacks.push({ id: `chb_${id}`, cents: 100, createdAt: new Date().toISOString(), reversedAt: null });
  await lookAgain(id);
  await waitFor(() => entriesOf(invoice).length === 3);
  mollie.payments.get(id)!.refunds[0]!.status = 'failed';
  mollie.payments.get(id)!.chargebacks[0]!.reversedAt = new Date().toISOString();
  await lookAgain(id);
  await waitFor(() => entriesOf(invoice).filter(({ undone }) => undone).length === 2);
  expect(rig.billing.accounts.received(invoice.id)).toBe(12_100);
});

test('while billing does not answer nothing is forgotten', async () => {
  const { invoice, id } = await paidByMollie();
  rig.billing.interfere = (when, method) => {
    if (when === 'before' && method === 'recordMovement') throw new Error('unreachable');
  };
  await callBack(mollie.giveBack(id, 'refund', 100));
  rig.billing.interfere = () => undefined;
  expect(entriesOf(invoice)).toHaveLength(1);
  await lookAgain(id);
  await waitFor(() => entriesOf(invoice).length === 2);
});

test('the page asks for what is open, and no longer when nothing is', async () => {
  const invoice = invoiceOf(await rig.organization());
  rig.billing.accounts.pay(invoice.id, 2_100);
  const { html } = await get(pageOf(invoice));
  expect(html).toContain('€100.00');
  const payPage = await submit(pageOf(invoice));
  expect((await get(payPage)).html).toContain('€100.00');
  expect((await finish(payPage, 'paid')).html).toContain('€100.00');
  await waitFor(() => entriesOf(invoice).length === 2);
  expect(rig.billing.accounts.openCents(invoice)).toBe(0);
  expect((await get(pageOf(invoice))).html).toContain('The invoice is paid');
});

test('a payment that was charged back at the sandbox is asked for again, and can be paid again', async () => {
  const invoice = invoiceOf(await rig.organization());
  const payPage = await submit(pageOf(invoice));
  await finish(payPage, 'paid');
  await waitFor(() => entriesOf(invoice).length === 1);
  expect((await get(payPage)).html).toContain('Charge back');
  expect(await post(payPage, { outcome: 'chargeback' })).toMatchObject({ status: 303 });
  await waitFor(() => entriesOf(invoice).length === 2);
  expect((await get(payPage)).html).not.toContain('Charge back');
  const again = await submit(pageOf(invoice));
  expect(again).not.toBe(payPage);
  await finish(again, 'paid');
  await waitFor(() => entriesOf(invoice).length === 3);
  expect(rig.billing.accounts.openCents(invoice)).toBe(0);
  expect(rig.billing.paidEvents.filter((id) => id === invoice.id)).toHaveLength(1);
});

test('a payment under way when the rest was paid by bank: what is too much goes back', async () => {
  const invoice = invoiceOf(await rig.organization());
  const payPage = await submit(pageOf(invoice));
  rig.billing.accounts.pay(invoice.id, 2_100);
  await finish(payPage, 'paid');
  await waitFor(() => entriesOf(invoice).some(({ type, providerId }) => type === 'refund' && providerId !== ''));
  expect(rig.billing.accounts.received(invoice.id)).toBe(12_100);
  const response = await fetch(`${rig.url}/sandbox/api/payments/${idOf(payPage)}`);
  expect(await response.json()).toMatchObject({ status: 'paid', refundedCents: 2_100 });
});
