import { CheckoutStatus, type Checkout } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { testCall, waitFor } from '@invoicing/testing';
import { startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { MOLLIE_KEY, MollieImitation } from './testing/mollie-imitation';
import { DETAILS, get, post, submit } from './testing/payer';

/** What becomes of a checkout that is cancelled, and of money that was on its way to it. */
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

const organization = () => rig.organization({ provider: 'mollie', apiKey: MOLLIE_KEY, baseUrl: mollie.url });
const idOf = (payUrl: string): string => payUrl.split('/').at(-1)!;
const callBack = ({ url, body }: { url: string; body: string }) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
const cancel = ({ id: checkoutId }: Checkout, organizationId = '') =>
  rig.checkouts.cancelCheckout({ organizationId, checkoutId }, testCall());
const statusOf = async ({ id: checkoutId }: Checkout) =>
  (await rig.checkouts.getCheckout({ organizationId: '', checkoutId }, testCall())).status;
const invoicesOf = ({ id }: Checkout) =>
  [...rig.billing.invoices.values()].filter((invoice) => invoice.checkoutId === id);
const actionsOf = async (organizationId: string) =>
  (await rig.history.listHistory({ organizationId, limit: 0 }, testCall())).entries.map(({ action, by, subject }) => [
    action,
    by?.kind,
    subject?.label,
  ]);
const conflict = { kind: 'conflict', code: 'conflict' };

test('nobody can pay it any more, and the page says why', async () => {
  const organizationId = await organization();
  const made = await rig.create(organizationId, { title: 'Proefles' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => cancel(made, organizationId)));
  const [first] = answers;
  expect(first).toMatchObject({ status: CheckoutStatus.EXPIRED, canceledAt: expect.any(Date) });
  expect(new Set(answers.map(({ canceledAt }) => canceledAt?.getTime())).size).toBe(1);
  const page = await get(made.url);
  expect([page.status, page.html]).toEqual([410, expect.stringContaining('This payment was cancelled')]);
  const before = mollie.payments.size;
  expect((await post(made.url, { form: 'f', method: 'ideal', ...DETAILS })).status).toBe(410);
  expect(mollie.payments.size).toBe(before);
  // Told once, by whom, and in the list of those that are over.
  expect(await actionsOf(organizationId)).toEqual([
    ['checkout.canceled', 'operator', 'Proefles'],
    ['checkout.created', 'operator', 'Proefles'],
  ]);
  const listed = { organizationId, limit: 0, status: CheckoutStatus.EXPIRED };
  expect((await rig.checkouts.listCheckouts(listed, testCall())).checkouts.map(({ id }) => id)).toEqual([made.id]);
  const stored = (await rig.database()).collection<{ _id: string; outbox: unknown[] }>('sessions');
  expect((await stored.findOne({ _id: made.id }))!.outbox).toHaveLength(1);
});

test('money that was on its way makes it paid, with its invoice', async () => {
  const made = await rig.create(await organization());
  const payment = idOf(await submit(made.url));
  expect((await cancel(made)).status).toBe(CheckoutStatus.EXPIRED);
  await callBack(mollie.decide(payment, 'paid'));
  await waitFor(() => invoicesOf(made)[0]?.payment);
  expect(invoicesOf(made)).toHaveLength(1);
  expect(await statusOf(made)).toBe(CheckoutStatus.PAID);
  expect((await get(made.url)).html).toContain('was received');
  await expect(cancel(made)).rejects.toMatchObject({ ...conflict, message: 'the checkout is paid' });
});

test('what is paid unnoticed is not cancelled, nor what is being paid or has expired', async () => {
  const organizationId = await organization();
  const paid = await rig.create(organizationId);
  mollie.decide(idOf(await submit(paid.url)), 'paid');
  await expect(cancel(paid)).rejects.toMatchObject(conflict);
  await waitFor(() => invoicesOf(paid)[0]?.payment);

  const pending = await rig.create(organizationId);
  const payment = idOf(await submit(pending.url));
  mollie.decide(payment, 'pending');
  await expect(cancel(pending)).rejects.toMatchObject({ ...conflict, message: 'a payment is being processed' });
  // Once that came to nothing it can be cancelled.
  mollie.decide(payment, 'failed');
  expect((await cancel(pending)).canceledAt).toBeDefined();

  const expired = await rig.create(organizationId);
  const sessions = (await rig.database()).collection<{ _id: string }>('sessions');
  await sessions.updateOne({ _id: expired.id }, { $set: { expiresAt: new Date(0), dueAt: new Date(0) } });
  await waitFor(async () => (await statusOf(expired)) === CheckoutStatus.EXPIRED);
  await expect(cancel(expired)).rejects.toMatchObject({ ...conflict, message: 'the checkout has expired' });
  const absent = { id: crypto.randomUUID() } as Checkout;
  await expect(cancel(absent)).rejects.toMatchObject({ kind: 'absent' });
  await expect(cancel(expired, crypto.randomUUID())).rejects.toMatchObject({ kind: 'absent' });
});

test('a payer whose payment was being made meanwhile is not sent to pay it', async () => {
  const made = await rig.create(await organization());
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  mollie.trouble({ kind: 'held', until, on: '/v2/payments' });
  const before = mollie.requests.length;
  const submitting = post(made.url, { form: 'f', method: 'ideal', ...DETAILS });
  await waitFor(() => mollie.requests.slice(before).some(({ method }) => method === 'POST'));
  await cancel(made);
  release();
  const { status, location } = await submitting;
  expect([status, new URL(location, made.url).pathname]).toEqual([303, new URL(made.url).pathname]);
});
