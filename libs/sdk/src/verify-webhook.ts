import type { WebhookEvent } from './models';

/** As Node, Express or `fetch` give them. Names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How strictly the time of a message is checked. */
export interface VerifyOptions {
  /** How old, or how far in the future, a message may be. Default 300. */
  readonly toleranceSeconds?: number;
  readonly now?: Date;
}

/** Not from the service, changed on its way, or too old: answer 400 and do nothing. */
export class WebhookVerificationError extends Error {
  constructor(readonly reason: 'headers' | 'timestamp' | 'signature' | 'body') {
    super(`webhook not accepted: ${reason}`);
    this.name = 'WebhookVerificationError';
  }
}

/**
 * The event of a webhook, once it is proven to come from the service (Standard Webhooks, HMAC-SHA256, constant time).
 * `body` must be the bytes as they came, not parsed and printed again. `secret` is `whsec_…`. Act once for each `webhook-id`: it is
 * the same on every attempt.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | undefined,
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  // A mistake of the receiver's own configuration, not of the message: it must not pass for a forged one.
  if (!secret) throw new TypeError('there is no webhook secret: is the variable that holds it (whsec_…) set?');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) throw new WebhookVerificationError('headers');
  const ageSeconds = Math.abs(now.getTime() / 1000 - Number(timestamp));
  if (!/^\d{1,12}$/.test(timestamp) || ageSeconds > toleranceSeconds) throw new WebhookVerificationError('timestamp');

  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  // While a secret is being rotated there are several: one that fits is enough.
  for (const each of signatures.split(' ')) {
    const [version, signature] = each.split(',', 2);
    if (version !== 'v1' || !signature) continue;
    const given = fromBase64(signature);
    if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return eventOf(bytes);
  }
  throw new WebhookVerificationError('signature');
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.keys(headers).find((each) => each.toLowerCase() === name);
  const value = found === undefined ? undefined : headers[found];
  return typeof value === 'string' ? value : value?.[0];
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''));
  // A mistake of the receiver's own configuration, not of the message.
  if (!bytes || bytes.length < 16) throw new TypeError('the webhook secret must be whsec_ and base64');
  return bytes;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    // Not base64 at all.
    return undefined;
  }
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent;
  } catch (cause) {
    throw Object.assign(new WebhookVerificationError('body'), { cause });
  }
}
