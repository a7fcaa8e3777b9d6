// Crockford's base 32: no letters that are read as digits.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LENGTH = 8;

/** How long a code works. */
export const SIGN_IN_MS = 10 * 60_000;
/** How often a code may be typed wrong: then it is worth nothing any more. */
export const MAX_ATTEMPTS = 5;
/** Requests within `LIMIT_WINDOW_MS`: mails to one address, and asked for from one client address. */
export const MAX_PER_EMAIL = 5;
export const MAX_PER_CLIENT = 30;
export const LIMIT_WINDOW_MS = 15 * 60_000;

/** A code of 40 random bits, from 8 random bytes or more; with 5 attempts it is guessed once in two hundred thousand million times. */
export const codeFrom = (random: Uint8Array): string =>
  [...random.subarray(0, LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** As people read it: ABCD-2345. */
export const readableCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** What somebody typed, as the code is stored: no dash, no space, upper case, O is 0, I and L are 1. */
export const typedCode = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
