import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CheckoutStatus } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { testCall, waitFor } from '@invoicing/testing';
import { mollieProvider } from './providers/mollie/mollie-provider';
import { providerKinds, providerOpener } from './providers/provider-kinds';
import { startCheckoutRig, type CheckoutRig } from './testing/checkout-rig';
import { MOLLIE_KEY, MollieImitation } from './testing/mollie-imitation';
import { DETAILS, finish, formOf, get, post, submit } from './testing/payer';
import { type ProviderAccount } from './sessions/session-ports';

/**
 * A provider that answers later than we wait, or half, or after it hung up. Every test has a provider of its own and mostly waits for
 * time limits, so they run side by side.
 */
jest.setTimeout(120_000);

let rig: CheckoutRig;
const mollies: MollieImitation[] = [];
beforeAll(async () => {
  rig = await startCheckoutRig();
});
afterAll(async () => {
  await Promise.all(mollies.map((mollie) => mollie.stop()));
  await rig?.close();
});

/** Later than any time limit of ours. */
const TOO_LATE_MS = 20_000;
const WRITE_LIMIT_MS = 8_000;
/** Time limits, and what is tried again after them, on a machine that does other things beside. */
const PATIENCE_MS = 60_000;

/** Lets a test say when something goes on. */
function held() {
  let release: () => void = () => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  return { until, release: () => release() };
}

async function shop() {
  const mollie = new MollieImitation();
  mollies.push(mollie);
  await mollie.start();
  const organizationId = await rig.organization({ provider: 'mollie', apiKey: MOLLIE_KEY, baseUrl: mollie.url });
  const made = await rig.create(organizationId);
  return {
    mollie,
    organizationId,
    made,
    asked: (id: string): number => mollie.requests.filter(({ path }) => path === `/v2/payments/${id}`).length,
    status: async () => (await rig.checkouts.getCheckout({ organizationId, checkoutId: made.id }, testCall())).status,
    /** The whole of what was paid: one invoice, one e-mail, one event. */
    expectPaidOnce: async (id: string): Promise<void> => {
      const invoices = () => [...rig.billing.invoices.values()].filter(({ checkoutId }) => checkoutId === made.id);
      const invoice = await waitFor(() => invoices()[0]?.payment && invoices()[0], PATIENCE_MS);
      expect(invoice.payment).toMatchObject({ provider: 'mollie', id });
      expect(invoices()).toHaveLength(1);
      expect(rig.billing.mailed.filter((each) => each === invoice.id)).toHaveLength(1);
      expect(rig.billing.paidEvents.filter((each) => each === invoice.id)).toHaveLength(1);
    },
  };
}
const session = async (id: string) => {
  const found = await (await rig.database()).collection('sessions').findOne({ _id: id as never });
  return found as unknown as { attempts: { status: string; pollAt: Date | null }[]; dueAt: Date; expiresAt: Date };
};
const idOf = (payUrl: string): string => payUrl.split('/').at(-1)!;
const callBack = ({ url, body }: { url: string; body: string }) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } });

test.concurrent('money that goes back later than we wait goes back once', async () => {
  const { mollie, made, expectPaidOnce } = await shop();
  const ids = [idOf(await submit(made.url)), idOf(await submit(made.url, 'bancontact'))];
  mollie.trouble({ kind: 'slow', delayMs: WRITE_LIMIT_MS + 500, on: '/refunds' });
  await callBack(mollie.decide(ids[0]!, 'paid'));
  await callBack(mollie.decide(ids[1]!, 'paid'));
  await expectPaidOnce(ids[0]!);
  const refund = await waitFor(async () => {
    const [, second] = (await session(made.id)).attempts as unknown as { movements?: { amountCents: number }[] }[];
    return second?.movements;
  }, PATIENCE_MS);
  expect(refund).toMatchObject([{ amountCents: 12_100 }]);
  expect(ids.map((id) => mollie.refunded(id))).toEqual([0, 12_100]);
});

test.concurrent(
  'a payment made later than we wait: the payer may try again, and still meets that one payment',
  async () => {
    const { mollie, made, status, expectPaidOnce } = await shop();
    const fields = { form: formOf((await get(made.url)).html), method: 'ideal', ...DETAILS };
    const { until, release } = held();
    mollie.trouble({ kind: 'held', until, on: '/v2/payments' });
    const slow = await post(made.url, fields);
    expect(slow.status).toBe(503);
    expect(slow.html).toContain('Paying is not possible right now');
    expect(slow.html).toContain('value="anna@example.com"');
    expect(mollie.payments.size).toBe(0);
    await waitFor(() => mollie.hungUp === 1, PATIENCE_MS);

    // Mollie is still at it: trying again is refused there, which is no reason to give the payment up.
    expect((await post(made.url, fields)).status).toBe(503);
    expect(mollie.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
    expect(await status()).toBe(CheckoutStatus.OPEN);
    release();
    await waitFor(() => mollie.payments.size === 1, PATIENCE_MS);
    const again = await post(made.url, fields);
    expect(again.status).toBe(303);
    expect(await submit(made.url)).toBe(again.location);
    expect([...mollie.payments.keys()]).toEqual([idOf(again.location)]);

    await callBack(mollie.decide(idOf(again.location), 'paid'));
    await expectPaidOnce(idOf(again.location));
  },
);

test.concurrent(
  'an answer lost after the payment was made: the same form, and another tab, meet that payment',
  async () => {
    const { mollie, made, status, expectPaidOnce } = await shop();
    const fields = { form: formOf((await get(made.url)).html), method: 'ideal', ...DETAILS };
    mollie.trouble({ kind: 'lost', on: '/v2/payments' });
    expect((await post(made.url, fields)).status).toBe(503);
    expect([mollie.payments.size, await status()]).toEqual([1, CheckoutStatus.OPEN]);
    const again = await post(made.url, fields);
    expect(await submit(made.url)).toBe(again.location);
    expect([...mollie.payments.keys()]).toEqual([idOf(again.location)]);
    await callBack(mollie.decide(idOf(again.location), 'paid'));
    await expectPaidOnce(idOf(again.location));
  },
);

test.concurrent('an answer lost to a payer who never tries again leaves nothing pending', async () => {
  const { mollie, organizationId, made, status } = await shop();
  mollie.trouble({ kind: 'lost', on: '/v2/payments' });
  await expect(submit(made.url)).rejects.toThrow('503');
  expect((await session(made.id)).attempts).toMatchObject([{ status: 'starting', pollAt: expect.any(Date) }]);
  const past = new Date(Date.now() - 1_000);
  const due = { $set: { 'attempts.0.pollAt': past, dueAt: past } };
  await (await rig.database()).collection('sessions').updateOne({ _id: made.id as never, organizationId }, due);
  const left = await waitFor(async () => {
    const seen = await session(made.id);
    return seen.attempts[0]?.status === 'failed' && seen;
  }, PATIENCE_MS);
  expect(left.attempts).toMatchObject([{ pollAt: null }]);
  expect(left.dueAt).toEqual(left.expiresAt);
  // Nobody was ever shown where to pay it, so what is said about it is not listened to.
  const [id] = [...mollie.payments.keys()];
  await callBack(mollie.decide(id!, 'paid'));
  expect(await status()).toBe(CheckoutStatus.OPEN);
  expect((await get(made.url)).html).toContain('The payment did not succeed');
});

test.concurrent.each(['slow', 'stalled'] as const)(
  'a look that is %s: the callback ends, the poll makes up for it',
  async (kind) => {
    const { mollie, made, asked, expectPaidOnce } = await shop();
    const id = idOf(await submit(made.url));
    const before = asked(id);
    mollie.trouble(kind === 'slow' ? { kind, delayMs: TOO_LATE_MS, on: id } : { kind, on: id });
    expect((await callBack(mollie.decide(id, 'paid'))).status).toBe(200);
    await waitFor(() => mollie.hungUp === 1, PATIENCE_MS);
    await expectPaidOnce(id);
    expect(asked(id)).toBeGreaterThanOrEqual(before + 2);
  },
);

test.concurrent('a page waits once for all payments that are under way, then shows what is known', async () => {
  const { mollie, made, asked } = await shop();
  const ids = [idOf(await submit(made.url)), idOf(await submit(made.url, 'bancontact'))];
  const before = ids.map(asked);
  for (const id of ids) mollie.trouble({ kind: 'slow', delayMs: TOO_LATE_MS, on: id });
  const visit = get(made.url);
  await waitFor(() => ids.every((id, index) => asked(id) === before[index]! + 1));
  expect(mollie.hungUp).toBe(0);
  const { status, html } = await visit;
  await waitFor(() => mollie.hungUp === 2, PATIENCE_MS);
  expect(status).toBe(200);
  expect(html).toContain('data-pay-form');
});

test.concurrent('what was paid elsewhere is invoiced while fifty payments wait for a provider that hangs', async () => {
  const { mollie, organizationId } = await shop();
  const pages = await Promise.all(Array.from({ length: 50 }, () => rig.create(organizationId)));
  const ids = await Promise.all(pages.map(async ({ url }) => idOf(await submit(url))));
  for (const id of ids) mollie.trouble({ kind: 'slow', delayMs: TOO_LATE_MS, on: id });
  const elsewhere = await rig.create(await rig.organization());
  const payPage = await submit(elsewhere.url);
  const before = mollie.requests.length;
  const due = { $set: { 'attempts.0.pollAt': new Date(0), dueAt: new Date(0) } };
  await (await rig.database()).collection('sessions').updateMany({ organizationId, 'attempts.0.status': 'open' }, due);
  await waitFor(() => mollie.requests.length >= before + 16, PATIENCE_MS);
  await finish(payPage, 'paid');
  await waitFor(() => [...rig.billing.invoices.values()].some((each) => each.checkoutId === elsewhere.id), PATIENCE_MS);
  // Behind them it would have come when all but the last sixteen had been given up.
  expect(mollie.hungUp).toBeLessThan(50 - 16);
  await mollie.stop();
});

test.concurrent('methods that are listed too late: a page that says so, or what was known a minute ago', async () => {
  const { mollie, made } = await shop();
  mollie.trouble({ kind: 'slow', delayMs: TOO_LATE_MS, on: '/v2/methods' });
  const { status, html } = await get(made.url);
  expect(status).toBe(200);
  await waitFor(() => mollie.hungUp === 1, PATIENCE_MS);
  expect(html).toContain('Paying is not possible right now');
  expect(html).not.toContain('data-pay-form');
  expect((await get(made.url)).html).toContain('data-pay-form');

  const kinds = providerKinds({ sandboxUrl: () => rig.url, token: '', publicUrl: rig.url });
  const account = { id: 'a', provider: 'mollie', apiKey: MOLLIE_KEY, baseUrl: mollie.url } as ProviderAccount;
  let now = 0;
  const list = (open = providerOpener(kinds, () => now)) => open(account).listMethods(100, 'EUR', 'nl');
  const open = providerOpener(kinds, () => now);
  const known = await list(open);
  now = 61_000;
  mollie.trouble(
    { kind: 'slow', delayMs: TOO_LATE_MS, on: '/v2/methods' },
    { kind: 'stalled', on: '/v2/methods' },
    { kind: 'stalled', on: '/v2/methods' },
  );
  const [slow, stalled, unknown] = await Promise.allSettled([list(open), list(open), list()]);
  expect([slow, stalled]).toMatchObject([{ value: known }, { value: known }]);
  expect(unknown).toMatchObject({ reason: { kind: 'unavailable' } });
});

test.concurrent('an answer that stalls is given up, whatever garbage is collected meanwhile', async () => {
  const { mollie, made } = await shop();
  const id = idOf(await submit(made.url));
  mollie.trouble({ kind: 'stalled', on: id });
  setFlagsFromString('--expose-gc');
  const collecting = setInterval(runInNewContext('gc') as () => void, 300);
  try {
    await expect(mollieProvider(MOLLIE_KEY, mollie.url).getPayment(id)).rejects.toMatchObject({ kind: 'unavailable' });
  } finally {
    clearInterval(collecting);
  }
});
