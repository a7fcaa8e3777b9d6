import type { Dispatcher } from 'undici';
import { LetterRejected } from './letter-carrier';

/** Where Pingen is, and whose account. */
export interface PingenOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly organisationId: string;
  /** https://api.pingen.com */
  readonly apiUrl: string;
  /** https://identity.pingen.com */
  readonly identityUrl: string;
}

const TIME_LIMIT_MS = 30_000;
const TOKEN_MARGIN_MS = 60_000;
const LETTER = /\/deliveries\/letters\/[^/]+$/;
const JSON_API = 'application/vnd.api+json';

/** Pingen's HTTP API. Throws LetterRejected for a letter that it will never take, and Error for everything else. */
export function pingenClient(options: PingenOptions) {
  let token: { value: string; until: number } | undefined;
  return {
    call,
    /** To a signed address, which is a storage's: our token is none of its business. */
    upload: async (url: string, pdf: Buffer): Promise<void> => {
      await answer('PUT', url, { 'content-type': 'application/pdf' }, pdf);
    },
  };

  async function call(
    method: Dispatcher.HttpMethod,
    url: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<{ data: { id: string; attributes: Record<string, string | undefined> } }> {
    const authorization = `Bearer ${await accessToken()}`;
    const all = { ...headers, authorization, accept: JSON_API, 'content-type': JSON_API };
    return JSON.parse(await answer(method, url, all, body && JSON.stringify(body)));
  }

  async function accessToken(): Promise<string> {
    if (token && token.until > Date.now()) return token.value;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: options.clientId,
      client_secret: options.clientSecret,
      scope: 'letter',
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const granted = JSON.parse(
      await answer('POST', `${options.identityUrl}/auth/access-tokens`, headers, form.toString()),
    );
    token = { value: granted.access_token, until: Date.now() + granted.expires_in * 1_000 - TOKEN_MARGIN_MS };
    return token.value;
  }

  async function answer(
    method: Dispatcher.HttpMethod,
    url: string,
    headers: Record<string, string>,
    body: string | Buffer | undefined,
  ): Promise<string> {
    const { request } = await import('undici');
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    const response = await request(url, { method, headers, body: body ?? null, signal });
    const text = await response.body.text();
    const { statusCode } = response;
    if (statusCode < 300) return text;
    if (statusCode === 401) token = undefined;
    const message = `Pingen answered ${statusCode} to ${method} ${new URL(url).pathname}`;
    // 422: the letter itself is at fault, and will be at fault again. 404 to a letter's own address: it is no longer there.
    const isGone = statusCode === 404 && method === 'GET' && LETTER.test(url);
    throw statusCode === 422 || isGone ? new LetterRejected(message) : new Error(message);
  }
}
