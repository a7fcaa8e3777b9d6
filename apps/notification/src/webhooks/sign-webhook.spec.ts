import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, webhookHeaders, webhookSignature } from './sign-webhook';
import published from './vectors.json';

test.each(published.vectors)('published vector: $name', ({ secret, id, timestamp, body, signature }) => {
  expect(webhookSignature(secret, id, timestamp, body)).toBe(signature);
  // The reference implementation agrees.
  expect(new Webhook(secret).sign(id, new Date(timestamp * 1000), body)).toBe(signature);
});

const body = JSON.stringify({ type: 'invoice.paid', name: 'Café €' });

test('the reference implementation verifies what we send', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = webhookHeaders([secret], 'msg_1', new Date(), body);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow();
  expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
});

test('while a secret is rotated, receivers with the old and with the new one are both content', () => {
  const [newest, old] = [newWebhookSecret(), newWebhookSecret()];
  const headers = webhookHeaders([newest, old], 'msg_1', new Date(), body);
  for (const secret of [newest, old]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
});
