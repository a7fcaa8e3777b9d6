import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

export type Mode = 'live' | 'test';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_BYTES = 32;
// 62^43 > 2^256 and 62^6 > 2^32: fixed lengths, so that a key is recognised by its shape.
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SHOWN_LENGTH = 6;
const SHAPE = new RegExp(`^ik_(live|test)_[0-9A-Za-z]{${SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new API key: `ik_live_` or `ik_test_`, 32 random bytes in base62, a checksum. Shown once, never stored. */
export function newKeyText(mode: Mode): string {
  const secret = base62(BigInt(`0x${randomBytes(SECRET_BYTES).toString('hex')}`), SECRET_LENGTH);
  const body = `ik_${mode}_${secret}`;
  return body + checksum(body);
}

/** Whether the text can be a key at all: the checksum stops typing errors and guesses before the store is asked. */
export const isKeyText = (text: string): boolean =>
  SHAPE.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));

/** What is stored of a key (hex). The key has 256 random bits, so a plain hash is enough. */
export const hashKeyText = (text: string): string => hash('sha256', text, 'hex');

/** The part of a key that may be shown: tells keys apart, opens nothing. */
export const visiblePrefix = (text: string): string => text.slice(0, 'ik_live_'.length + SHOWN_LENGTH);

function checksum(body: string): string {
  let text = '';
  // On every request's path, so without bigint.
  for (let rest = crc32(body), at = 0; at < CHECKSUM_LENGTH; at++, rest = Math.floor(rest / 62))
    text = DIGITS.charAt(rest % 62) + text;
  return text;
}

function base62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; rest > 0n; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text.padStart(length, DIGITS[0]);
}
