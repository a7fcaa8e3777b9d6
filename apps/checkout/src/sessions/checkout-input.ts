import type { Violation } from '@invoicing/errors';
import { redirectUrlFault } from './redirect-url';
import { type PayerPrefill } from './session';

/** What an integrator asks for, with its lines still to be priced by billing. */
export interface CheckoutInput {
  readonly organizationId: string;
  readonly profileId: string | null;
  readonly title: string;
  readonly customer: PayerPrefill;
  readonly redirectUrl: string | null;
  readonly methods: readonly string[];
  readonly expiresInHours: number;
  readonly lineCount: number;
}

const PREFILL_LIMITS: Record<keyof PayerPrefill, number> = {
  name: 200,
  email: 254,
  companyName: 200,
  addressLine1: 200,
  postalCode: 20,
  city: 100,
  countryCode: 2,
  btwId: 30,
  kvkNumber: 30,
  externalId: 200,
};
const METHOD_LIMIT = 50;
// Provider method ids: ideal, creditcard, gift_card, in3 …
const METHOD_ID = /^[a-z][a-z0-9_-]{0,39}$/;
// Control characters, line separators and what XML cannot carry.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/u;

/** All that is wrong, as JSON Pointers into the REST body; lines themselves are billing's to judge. */
export function checkoutViolations(input: CheckoutInput, allowLoopback: boolean): Violation[] {
  const violations: Violation[] = [];
  const refuse = (path: string, message: string): void => void violations.push({ path, message });

  if (input.title.trim() === '') refuse('/title', 'is required');
  else if (input.title.length > 200) refuse('/title', 'must be at most 200 characters');
  if (UNPRINTABLE.test(input.title)) refuse('/title', 'must not contain control characters');
  if (input.lineCount < 1 || input.lineCount > 100) refuse('/lines', 'must have 1 to 100 lines');
  if (!Number.isInteger(input.expiresInHours) || input.expiresInHours < 1 || input.expiresInHours > 720)
    refuse('/expiresInHours', 'must be from 1 to 720');

  const redirectFault = input.redirectUrl === null ? undefined : redirectUrlFault(input.redirectUrl, allowLoopback);
  if (redirectFault) refuse('/redirectUrl', redirectFault);

  if (input.methods.length > METHOD_LIMIT) refuse('/methods', `must have at most ${METHOD_LIMIT} methods`);
  input.methods.forEach((method, index) => {
    if (!METHOD_ID.test(method)) refuse(`/methods/${index}`, 'is not a payment method id');
    else if (input.methods.indexOf(method) < index) refuse(`/methods/${index}`, 'is named twice');
  });

  for (const [field, limit] of Object.entries(PREFILL_LIMITS) as [keyof PayerPrefill, number][]) {
    const value = input.customer[field];
    if (value === undefined) continue;
    if (value.length > limit) refuse(`/customer/${field}`, `must be at most ${limit} characters`);
    if (UNPRINTABLE.test(value)) refuse(`/customer/${field}`, 'must not contain control characters');
  }
  return violations;
}
