import { MOLLIE_KEY, MollieImitation } from '../../testing/mollie-imitation';
import { providerConformance } from '../../testing/provider-conformance';
import { type NewPayment } from '../../sessions/session-ports';
import { amountOf, mollieProvider } from './mollie-provider';

const mollie = new MollieImitation();
beforeAll(() => mollie.start());
afterAll(() => mollie.stop());

const provider = () => mollieProvider(MOLLIE_KEY, mollie.url);

providerConformance(() => ({
  provider: provider(),
  unauthorized: mollieProvider('test_wrong', mollie.url),
  unreachable: mollieProvider(MOLLIE_KEY, 'http://127.0.0.1:1'),
  decide: async (id, outcome) => void mollie.decide(id, outcome),
  giveBack: async (id, kind, amountCents) => void mollie.giveBack(id, kind, amountCents),
  forgetKeys: () => mollie.forgetKeys(),
}));

const wanted = (idempotencyKey: string): NewPayment => ({
  idempotencyKey,
  amountCents: 1_000,
  currency: 'EUR',
  description: 'Brood',
  method: 'ideal',
  language: 'nl',
  returnUrl: 'https://pay.example/c/token/return',
  callbackUrl: 'https://pay.example/providers/mollie/s/a',
});

test('what Mollie is asked is what its documentation asks for', async () => {
  await provider().createPayment(wanted('what'));
  expect(mollie.requests.at(-1)).toMatchObject({
    method: 'POST',
    path: '/v2/payments',
    body: {
      amount: { currency: 'EUR', value: '10.00' },
      description: 'Brood',
      redirectUrl: 'https://pay.example/c/token/return',
      cancelUrl: 'https://pay.example/c/token/return',
      webhookUrl: 'https://pay.example/providers/mollie/s/a',
      method: 'ideal',
      locale: 'nl_NL',
      metadata: { attempt: 'what' },
    },
  });
  await provider().listMethods(1_000, 'EUR', 'en');
  expect(mollie.requests.at(-1)).toMatchObject({
    path: '/v2/methods',
    query: { 'amount[value]': '10.00', 'amount[currency]': 'EUR', locale: 'en_GB' },
  });
});

test('a method that the client does not know is not offered', async () => {
  const ids = (await provider().listMethods(1_000, 'EUR', 'nl')).map(({ id }) => id);
  expect(ids).toEqual(['ideal', 'bancontact', 'banktransfer', 'klarna']);
});

test('an answer that was lost is found again by the same key', async () => {
  mollie.trouble({ kind: 'lost' });
  await expect(provider().createPayment(wanted('lost'))).rejects.toMatchObject({ kind: 'unavailable' });
  const before = mollie.payments.size;
  const found = await provider().createPayment(wanted('lost'));
  expect(mollie.payments.size).toBe(before);
  expect(mollie.payments.has(found.id)).toBe(true);
});

test.each([
  [500, 'unavailable'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [401, 'unauthenticated'],
  [404, 'absent'],
  [409, 'conflict'],
  [422, 'invalid'],
])('an answer of %i is %s', async (status, kind) => {
  mollie.trouble({ kind: 'status', status });
  await expect(provider().getPayment('tr_x')).rejects.toMatchObject({ kind });
});

test('rate limiting tells how long to wait', async () => {
  mollie.trouble({ kind: 'status', status: 429, retryAfter: 7 });
  await expect(provider().createPayment(wanted('busy'))).rejects.toMatchObject({
    kind: 'exhausted',
    retryAfterSeconds: 7,
  });
});

test('one call is one request: who asks decides whether to ask again', async () => {
  const before = mollie.requests.length;
  mollie.trouble({ kind: 'status', status: 503 });
  await expect(provider().getPayment('tr_x')).rejects.toMatchObject({ kind: 'unavailable' });
  expect(mollie.requests.length).toBe(before + 1);
});

test('a status that nobody knows yet is waited for, an odd amount is no payment of ours', async () => {
  const { id } = await provider().createPayment(wanted('odd'));
  mollie.decide(id, 'authorized');
  expect(await provider().getPayment(id)).toMatchObject({ status: 'pending' });
  const payment = mollie.payments.get(id)!;
  mollie.payments.set(id, { ...payment, request: { ...payment.request, amount: { currency: 'EUR', value: '10.0' } } });
  expect(await provider().getPayment(id)).toMatchObject({ amountCents: -1 });
});

test('amounts are written with two decimals', () => {
  expect([0, 1, 12, 100, 123_456].map((cents) => amountOf(cents, 'EUR').value)).toEqual([
    '0.00',
    '0.01',
    '0.12',
    '1.00',
    '1234.56',
  ]);
});
