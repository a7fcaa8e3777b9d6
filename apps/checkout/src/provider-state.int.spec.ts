import { Agent, request } from 'node:http';
import { CheckoutStatus } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { metricsRegistry } from '@invoicing/telemetry';
import { testCall, waitFor } from '@invoicing/testing';
import { line, startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { MOLLIE_KEY, MollieImitation } from './testing/mollie-imitation';
import { DETAILS, formOf, get, post, submit } from './testing/payer';

/** Ten thousand once in a while; a fifth of them says the same in a fifth of the time. */
const CALLBACKS = Number(process.env['CALLBACKS'] ?? 2_000);

/** What is true about money, with Mollie imitated: real HTTP, and everything that goes wrong with it. */
let rig: CheckoutRig;
const mollie = new MollieImitation();

beforeAll(async () => {
  await mollie.start();
  rig = await startCheckoutRig();
});
afterAll(async () => {
  agent.destroy();
  await rig?.close();
  await mollie.stop();
});

const organization = () => rig.organization({ provider: 'mollie', apiKey: MOLLIE_KEY, baseUrl: mollie.url });
const paymentOf = (payUrl: string): string => payUrl.split('/').at(-1)!;
const statusOf = async (organizationId: string, checkoutId: string) =>
  (await rig.checkouts.getCheckout({ organizationId, checkoutId }, testCall())).status;
const invoicesOf = (checkoutId: string) =>
  [...rig.billing.invoices.values()].filter((invoice) => invoice.checkoutId === checkoutId);
const callBack = ({ url, body }: { url: string; body: string }) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
/** How often something was reported, as an operator counts it. */
const reported = async (report: string): Promise<number> => {
  const counted = await metricsRegistry.getSingleMetric('checkout_reports_total')?.get();
  return counted?.values.find(({ labels }) => labels['report'] === report)?.value ?? 0;
};
const agent = new Agent({ keepAlive: true, maxSockets: 200 });
/** The same, cheap enough to do ten thousand times. */
const quickCallBack = ({ url, body }: { url: string; body: string }): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    sent.once('error', reject).end(body);
  });
const asked = (id: string): number => mollie.requests.filter(({ path }) => path === `/v2/payments/${id}`).length;

async function started() {
  const organizationId = await organization();
  const made = await rig.create(organizationId);
  const id = paymentOf(await submit(made.url));
  return { organizationId, made, id };
}

test('a callback is enough, and says so again without effect', async () => {
  const { organizationId, made, id } = await started();
  const callback = mollie.decide(id, 'paid');
  for (let times = 0; times < 3; times++) expect((await callBack(callback)).status).toBe(200);
  await waitFor(() => invoicesOf(made.id)[0]?.payment);
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.PAID);
  // What is known to be paid is asked for what went back of it, once in a while; and never is paid less.
  const before = asked(id);
  for (let times = 0; times < 3; times++) expect((await callBack(mollie.decide(id, 'failed'))).status).toBe(200);
  expect(asked(id)).toBeLessThanOrEqual(before + 1);
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.PAID);
  expect(invoicesOf(made.id)).toHaveLength(1);
});

test('a callback that lies is looked into and believed nothing', async () => {
  const { organizationId, made, id } = await started();
  const before = asked(id);
  const { webhookUrl } = mollie.payments.get(id)!.request;
  await callBack({ url: webhookUrl, body: `id=${id}&status=paid&amount[value]=121.00&paidAt=2026-01-01` });
  expect(asked(id)).toBe(before + 1);
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.OPEN);
  expect((await fetch(`${webhookUrl}?id=${id}&status=paid`)).status).toBe(404);
  expect((await callBack({ url: webhookUrl, body: `id=${id}&x=${'x'.repeat(5_000)}` })).status).toBe(413);
  expect(asked(id)).toBe(before + 1);
  expect(invoicesOf(made.id)).toEqual([]);
});

test('a callback that never comes is made up for by a poll', async () => {
  const { made, id } = await started();
  mollie.decide(id, 'paid');
  await waitFor(() => invoicesOf(made.id)[0]?.payment, 15_000);
});

test('coming back is enough too', async () => {
  const { made, id } = await started();
  mollie.decide(id, 'paid');
  expect((await get(made.url)).html).toContain('was received');
});

test('an amount or a currency that differs is no payment', async () => {
  for (const amount of [
    { currency: 'EUR', value: '120.99' },
    { currency: 'EUR', value: '121.01' },
    { currency: 'EUR', value: '0.00' },
    { currency: 'USD', value: '121.00' },
  ]) {
    const { organizationId, made, id } = await started();
    const before = await reported('payment_mismatched');
    const payment = mollie.payments.get(id)!;
    mollie.payments.set(id, { ...payment, request: { ...payment.request, amount } });
    await callBack(mollie.decide(id, 'paid'));
    expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.OPEN);
    expect((await get(made.url)).html).toContain('does not match');
    expect(invoicesOf(made.id)).toEqual([]);
    expect(await reported('payment_mismatched')).toBe(before + 1);
    // The right sum can still be paid, in a payment of its own.
    const again = paymentOf(await submit(made.url));
    expect(again).not.toBe(id);
    await callBack(mollie.decide(again, 'paid'));
    expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.PAID);
  }
});

test('forged callbacks ask nothing of the provider and change nothing', async () => {
  const { organizationId, made, id } = await started();
  const other = await started();
  const { url } = mollie.decide(other.id, 'paid');
  const mine = mollie.payments.get(id)!.request.webhookUrl;
  const before = asked(id) + asked(other.id);
  const forged: [string, string][] = [
    [mine, `id=${other.id}`],
    [mine, 'id=tr_unknown'],
    [mine, ''],
    [mine, 'id[$ne]=x'],
    [mine, `id=${id}&id=${other.id}`],
    [mine.replace('/mollie/', '/sandbox/'), `id=${id}`],
    [mine.replace(made.id, other.made.id), `id=${id}`],
    [`${rig.url}/providers/mollie/x/y`, `id=${id}`],
    [`${rig.url}/providers/mollie/${'0'.repeat(36)}/y`, `id=${id}`],
  ];
  for (const [address, body] of forged) expect((await callBack({ url: address, body })).status).toBe(200);
  expect(asked(id) + asked(other.id)).toBe(before);
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.OPEN);
  expect(url).not.toBe(mine);
});

test(`${CALLBACKS} callbacks at once are a handful of questions`, async () => {
  const { made, id } = await started();
  const before = asked(id);
  const callback = mollie.decide(id, 'paid');
  const startedAt = Date.now();
  const answers: number[] = [];
  const callers = Array.from({ length: 500 }, async () => {
    for (let times = 0; times < CALLBACKS / 500; times++) answers.push(await quickCallBack(callback));
  });
  await Promise.all(callers);
  expect(answers).toHaveLength(CALLBACKS);
  expect(new Set(answers)).toEqual(new Set([200]));
  // Until it is paid, then whether it still is: once in two seconds by a callback, and once by the worker that has the time for it.
  expect(asked(id) - before).toBeLessThanOrEqual(4 + (Date.now() - startedAt) / 1_000);
  await waitFor(() => invoicesOf(made.id)[0]?.payment);
  expect(invoicesOf(made.id)).toHaveLength(1);
}, 60_000);

test('a double submit, a second tab and the back button meet one payment', async () => {
  const made = await rig.create(await organization());
  const form = formOf((await get(made.url)).html);
  const before = mollie.payments.size;
  const doubled = await Promise.all([1, 2, 3].map(() => post(made.url, { form, method: 'ideal', ...DETAILS })));
  const addresses = doubled.filter(({ status }) => status === 303).map(({ location }) => location);
  const secondTab = await submit(made.url);
  expect(new Set([...addresses, secondTab]).size).toBe(1);
  expect(mollie.payments.size).toBe(before + 1);

  mollie.decide(paymentOf(secondTab), 'paid');
  const afterwards = await post(made.url, { form: 'old-form', method: 'bancontact', ...DETAILS });
  expect((await get(new URL(afterwards.location, made.url).href)).html).toContain('was received');
  expect(mollie.payments.size).toBe(before + 1);
});

test('two payments: one invoice, the second goes back', async () => {
  const { made, id } = await started();
  const second = paymentOf(await submit(made.url, 'bancontact'));
  expect(second).not.toBe(id);
  const before = [await reported('surplus_payment'), await reported('money_went_back')];
  await Promise.all([callBack(mollie.decide(id, 'paid')), callBack(mollie.decide(second, 'paid'))]);
  await waitFor(() => [id, second].some((each) => mollie.refunded(each) === 12_100));
  await waitFor(() => invoicesOf(made.id)[0]?.payment);
  const [invoice] = invoicesOf(made.id);
  expect(invoicesOf(made.id)).toHaveLength(1);
  const kept = [id, second].filter((each) => mollie.refunded(each) === 0);
  expect(kept).toEqual([invoice!.payment!.id]);
  // The session hears of the surplus after its refund was asked for.
  await waitFor(async () => (await get(made.url)).html.includes('paid twice'));
  await waitFor(async () => (await reported('money_went_back')) === before[1]! + 1);
  expect(await reported('surplus_payment')).toBe(before[0]! + 1);
  expect(rig.billing.mailed.filter((each) => each === invoice!.id)).toHaveLength(1);
  expect(rig.billing.paidEvents.filter((each) => each === invoice!.id)).toHaveLength(1);
});

test('a second payment that is made long after the invoice goes back too', async () => {
  const { made, id } = await started();
  const second = paymentOf(await submit(made.url, 'bancontact'));
  await callBack(mollie.decide(id, 'paid'));
  const invoice = await waitFor(() => invoicesOf(made.id)[0]?.payment && invoicesOf(made.id)[0]);
  await callBack(mollie.decide(second, 'paid'));
  await waitFor(() => mollie.refunded(second) === 12_100);
  expect([invoice.payment?.id, mollie.refunded(id)]).toEqual([id, 0]);
  expect(invoicesOf(made.id)).toEqual([invoice]);
});

test("another session's token, form and payment do nothing here", async () => {
  const mine = await started();
  const other = await rig.create(mine.organizationId, { lines: [line('Ander', 100)] });
  const form = formOf((await get(other.url)).html);
  const fields = { form, method: 'bancontact', ...DETAILS };
  // One form sent to two sessions is two payments, each of its own sum.
  const [here, there] = [await post(mine.made.url, fields), await post(other.url, fields)].map(({ location }) =>
    paymentOf(location),
  );
  expect(here).not.toBe(there);
  expect([here, there].map((id) => mollie.payments.get(id!)!.request.amount.value)).toEqual(['121.00', '1.21']);

  // Coming back to one session with the attempt of another.
  const returnUrl = new URL(mollie.payments.get(there!)!.request.redirectUrl);
  mollie.decide(there!, 'paid');
  await get(`${mine.made.url}/return${returnUrl.search}`);
  expect(await statusOf(mine.organizationId, mine.made.id)).toBe(CheckoutStatus.OPEN);
  expect((await get(mine.made.url)).html).not.toContain('was received');
  await get(returnUrl.href);
  expect(await statusOf(mine.organizationId, other.id)).toBe(CheckoutStatus.PAID);
  expect(await statusOf(mine.organizationId, mine.made.id)).toBe(CheckoutStatus.OPEN);
  await waitFor(() => invoicesOf(other.id)[0]?.payment);
  expect(invoicesOf(mine.made.id)).toEqual([]);
});

test('late money wins over expiry', async () => {
  const { organizationId, made, id } = await started();
  const connection = await rig.database();
  const past = { $set: { expiresAt: new Date(Date.now() - 1_000), dueAt: new Date() } };
  await connection.collection('sessions').updateOne({ _id: made.id as never }, past);
  await waitFor(async () => (await statusOf(organizationId, made.id)) === CheckoutStatus.EXPIRED);
  expect(await get(made.url)).toMatchObject({ status: 410 });
  await callBack(mollie.decide(id, 'paid'));
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.PAID);
  await waitFor(() => invoicesOf(made.id)[0]?.payment);
});

test('a pending payment holds expiry back', async () => {
  const { organizationId, made, id } = await started();
  await callBack(mollie.decide(id, 'pending'));
  const connection = await rig.database();
  const past = { $set: { expiresAt: new Date(Date.now() - 1_000), dueAt: new Date() } };
  await connection.collection('sessions').updateOne({ _id: made.id as never }, past);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.OPEN);
  expect((await get(made.url)).html).toContain('Waiting for confirmation');
  // While it is pending nothing else is paid.
  expect((await post(made.url, { form: 'x', method: 'ideal', ...DETAILS })).html).toContain('Waiting for confirmation');
  await callBack(mollie.decide(id, 'failed'));
  await waitFor(async () => (await statusOf(organizationId, made.id)) === CheckoutStatus.EXPIRED, 15_000);
});

test('nothing is said to be uncharged that may have been paid', async () => {
  const { made, id } = await started();
  mollie.decide(id, 'paid');
  mollie.trouble({ kind: 'status', status: 503, on: id }, { kind: 'status', status: 503, on: '/v2/methods' });
  const fresh = `${made.url}?lang=nl`;
  const { html } = await get(fresh);
  expect(html).toContain('hoeft dat niet nog eens');
  expect(html).not.toContain('niets afgeschreven');
  expect((await get(fresh)).html).toContain('is ontvangen');
});

test('a provider that is down is a friendly page, and the session stays open', async () => {
  const organizationId = await organization();
  const made = await rig.create(organizationId);
  mollie.trouble({ kind: 'status', status: 503 });
  const down = await get(made.url);
  expect(down.status).toBe(200);
  expect(down.html).toContain('Paying is not possible right now');

  const form = formOf((await get(made.url)).html);
  const fields = { form, method: 'ideal', ...DETAILS };
  for (const trouble of [{ kind: 'lost' }, { kind: 'status', status: 429, retryAfter: 1 }] as const) {
    mollie.trouble(trouble);
    const refused = await post(made.url, fields);
    expect(refused.status).toBe(503);
    expect(refused.html).toContain('Paying is not possible right now');
    expect(refused.html).toContain('value="anna@example.com"');
  }
  expect(await statusOf(organizationId, made.id)).toBe(CheckoutStatus.OPEN);
  // The first try did reach Mollie, its answer was lost: the same form meets that payment.
  const payments = mollie.payments.size;
  expect((await post(made.url, fields)).status).toBe(303);
  expect(mollie.payments.size).toBe(payments);
});
