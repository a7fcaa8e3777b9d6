import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { startCheckoutRig, type CheckoutRig } from '../../testing/checkout-rig';
import { get, post } from '../../testing/payer';
import { providerConformance } from '../../testing/provider-conformance';
import { type ProviderAccount } from '../../sessions/session-ports';
import { sandboxKind } from './sandbox-kind';

let rig: CheckoutRig;
beforeAll(async () => {
  rig = await startCheckoutRig();
});
afterAll(() => rig?.close());

const open = (url: string, token: string) => {
  const account = { provider: 'sandbox', apiKey: null, baseUrl: null } as ProviderAccount;
  return sandboxKind({ sandboxUrl: () => url, token, publicUrl: rig.url }).open(account);
};
const provider = () => open(rig.url, rig.sandboxToken);
const decide = async (id: string, outcome: string) => void (await post(`${rig.url}/sandbox/pay/${id}`, { outcome }));

providerConformance(() => ({
  provider: provider(),
  unauthorized: open(rig.url, 'wrong'),
  unreachable: open('http://127.0.0.1:1', rig.sandboxToken),
  decide: async (id, outcome) => {
    if (outcome !== 'expired') return decide(id, outcome);
    // Nobody presses a button for that: time passes.
    const connection = await rig.database();
    const old = new Date(Date.now() - 3_600_001);
    await connection.collection('sandbox_payments').updateOne({ _id: id as never }, { $set: { createdAt: old } });
  },
  giveBack: async (id, kind, amountCents) =>
    void (await post(`${rig.url}/sandbox/pay/${id}`, { outcome: kind, amountCents: String(amountCents) })),
  forgetKeys: () => undefined,
}));

const wanted = (callbackUrl: string) => ({
  idempotencyKey: String(Math.random()),
  amountCents: 100,
  currency: 'EUR',
  description: '<script>alert(1)</script>',
  method: 'creditcard',
  language: 'en' as const,
  returnUrl: `${rig.url}/c/back`,
  callbackUrl,
});

test('the callback carries the id and nothing else, and the payer goes back', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk))).on('end', () => response.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const made = await provider().createPayment(
    wanted(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`),
  );
  const answer = await post(made.payUrl!, { outcome: 'paid' });
  expect(answer).toMatchObject({ status: 303, location: `${rig.url}/c/back` });
  expect(bodies).toEqual([`id=${made.id}`]);
  server.close();
});

test('a payment that ended stays as it is', async () => {
  const made = await provider().createPayment(wanted('http://127.0.0.1:1/'));
  await decide(made.id, 'failed');
  await decide(made.id, 'paid');
  expect(await provider().getPayment(made.id)).toMatchObject({ status: 'failed', payUrl: null });
  expect((await get(`${rig.url}/sandbox/pay/${made.id}`)).html).toContain('This payment is <strong>failed</strong>');
});

test('a pending payment can still be paid', async () => {
  const made = await provider().createPayment(wanted('http://127.0.0.1:1/'));
  await decide(made.id, 'pending');
  expect((await get(made.payUrl!)).html).not.toContain('Leave pending');
  await decide(made.id, 'paid');
  expect(await provider().getPayment(made.id)).toMatchObject({ status: 'paid' });
});

test('the pay page is safe with any text, and strangers make nothing', async () => {
  const made = await provider().createPayment(wanted('http://127.0.0.1:1/'));
  const { html } = await get(made.payUrl!);
  expect(html).not.toContain('<script>alert');
  expect((await get(`${rig.url}/sandbox/pay/sb_unknown`)).status).toBe(404);
  expect((await post(made.payUrl!, { outcome: 'refunded' })).status).toBe(400);
  const response = await fetch(`${rig.url}/sandbox/api/payments/${made.id}/refunds`, { method: 'POST' });
  expect(response.status).toBe(401);
});
