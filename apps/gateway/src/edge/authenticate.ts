import { type KeyLookup } from '../keys/key-lookup';
import { type KeyRecord } from '../keys/key-store';
import { hashKeyText, isKeyText } from '../keys/key-text';
import { type AddressLimiter } from '../rate/address-limiter';
import { clientAddress } from './client-address';
import { EdgeError } from './edge-error';
import { type EdgeRequest } from './edge-request';

const BEARER = /^Bearer +([^\s]+) *$/i;

/**
 * The key behind `Authorization: Bearer …`. Missing, unknown, revoked and expired look the same: 401. An address that keeps trying bad
 * keys gets 429 instead, while a good key from the same address works on.
 */
export const authenticator =
  (keys: KeyLookup, badKeys: AddressLimiter) =>
  async (request: EdgeRequest): Promise<KeyRecord> => {
    const text = BEARER.exec(request.headers.authorization ?? '')?.[1];
    if (text === undefined) throw unauthorized();
    const key = isKeyText(text) ? await keys.find(hashKeyText(text)) : undefined;
    if (key && key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > Date.now())) return key;
    const waitSeconds = key ? 0 : badKeys.add(clientAddress(request));
    throw waitSeconds > 0
      ? new EdgeError('rate_limited', { headers: { 'retry-after': String(waitSeconds) } })
      : unauthorized();
  };

const unauthorized = (): EdgeError =>
  new EdgeError('unauthorized', { headers: { 'www-authenticate': 'Bearer realm="invoicing"' } });
