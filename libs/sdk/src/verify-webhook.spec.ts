import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { WebhookVerificationError, verifyWebhook } from './verify-webhook';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const now = new Date('2026-03-01T12:00:00Z');
const body = JSON.stringify({ type: 'invoice.paid', data: { number: '2026-0001', name: 'Café' } });
const sign = (by = secret, at = now): string => new Webhook(by).sign('msg_1', at, body);
const headers = (signature = sign(), timestamp = String(now.getTime() / 1000)) => ({
  'Webhook-Id': 'msg_1',
  'Webhook-Timestamp': timestamp,
  'Webhook-Signature': signature,
});
const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'accepted',
    (error: unknown) => (error instanceof WebhookVerificationError ? error.reason : error),
  );

test('accepts what the reference implementation signed, as text, bytes and Headers', async () => {
  await expect(verifyWebhook(body, headers(), secret, { now })).resolves.toMatchObject({ type: 'invoice.paid' });
  await expect(verifyWebhook(Buffer.from(body), headers(), secret, { now })).resolves.toMatchObject({
    data: { name: 'Café' },
  });
  await expect(verifyWebhook(body, new Headers(headers()), secret, { now })).resolves.toBeDefined();
});

test('accepts the published vectors of the service', async () => {
  const file = join(__dirname, '../../../apps/notification/src/webhooks/vectors.json');
  const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
    vectors: { secret: string; id: string; timestamp: number; body: string; signature: string }[];
  };
  const outcomes = vectors.map((vector) => {
    const given = {
      'webhook-id': vector.id,
      'webhook-timestamp': String(vector.timestamp),
      'webhook-signature': vector.signature,
    };
    return reasonOf(verifyWebhook(vector.body, given, vector.secret, { now: new Date(vector.timestamp * 1000) }));
  });
  // A body that is empty is genuine, and no event.
  expect(await Promise.all(outcomes)).toEqual(vectors.map(({ body }) => (body === '' ? 'body' : 'accepted')));
});

test('one fitting signature among several is enough', async () => {
  const both = `v2,AAAA v1,not-base64! ${sign(other)} ${sign()}`;
  await expect(reasonOf(verifyWebhook(body, headers(both), secret, { now }))).resolves.toBe('accepted');
});

test('refuses another secret, a changed body, id or time', async () => {
  const refused = [
    verifyWebhook(body, headers(), other, { now }),
    verifyWebhook(`${body} `, headers(), secret, { now }),
    verifyWebhook(body, { ...headers(), 'Webhook-Id': 'msg_2' }, secret, { now }),
    verifyWebhook(body, headers(sign(), String(now.getTime() / 1000 + 1)), secret, { now }),
    verifyWebhook(body, headers('v1,'), secret, { now }),
  ];
  expect(await Promise.all(refused.map(reasonOf))).toEqual(Array(5).fill('signature'));
});

test('refuses old and future messages, and bounds are inclusive', async () => {
  const at = (seconds: number) => {
    const date = new Date(now.getTime() + seconds * 1000);
    return reasonOf(
      verifyWebhook(body, headers(sign(secret, date), String(date.getTime() / 1000)), secret, {
        now,
        toleranceSeconds: 300,
      }),
    );
  };
  expect(await Promise.all([-301, -300, 300, 301].map(at))).toEqual(['timestamp', 'accepted', 'accepted', 'timestamp']);
  await expect(reasonOf(verifyWebhook(body, headers(sign(), '1e9'), secret, { now }))).resolves.toBe('timestamp');
});

test('missing headers and an unusable secret are told apart', async () => {
  await expect(reasonOf(verifyWebhook(body, {}, secret, { now }))).resolves.toBe('headers');
  await expect(verifyWebhook(body, headers(), 'whsec_', { now })).rejects.toBeInstanceOf(TypeError);
});
