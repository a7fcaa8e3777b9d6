import { type Checked, type Violation, validUnless } from '@invoicing/errors';
import { DOCUMENT_TEXT_LIMITS, partyViolations, readParty, textMessage } from '@invoicing/rules';
import { redirectUrlFault } from './redirect-url';
import { type InvoiceTerms, type PayerPrefill } from './session';

/** What an integrator asks for, but for its lines, which billing prices. */
export interface CheckoutInput {
  readonly organizationId: string;
  readonly profileId: string | null;
  readonly title: string;
  readonly terms: InvoiceTerms;
  readonly customer: PayerPrefill;
  readonly redirectUrl: string | null;
  readonly methods: readonly string[];
  readonly expiresInHours: number;
}

const MAX_TITLE = 200;
const METHOD_LIMIT = 50;
// Provider method ids: ideal, creditcard, gift_card, in3 … The same as in OpenAPI.
const METHOD_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The input with its prefill in stored form, or all that is wrong with it as JSON Pointers into the REST body.
 */
export function checkCheckoutInput(input: CheckoutInput, allowLoopback: boolean): Checked<CheckoutInput> {
  const violations: Violation[] = [];
  const refuse = (path: string, message: string | undefined): void => {
    if (message !== undefined) violations.push({ path, message });
  };

  refuse('/title', input.title.trim() === '' ? 'is required' : textMessage(input.title, { max: MAX_TITLE }));
  const { reference = '', note = '' } = input.terms;
  refuse('/reference', textMessage(reference, { max: DOCUMENT_TEXT_LIMITS.reference }));
  refuse('/note', textMessage(note, { max: DOCUMENT_TEXT_LIMITS.note, multiline: true }));
  if (!Number.isInteger(input.expiresInHours) || input.expiresInHours < 1 || input.expiresInHours > 720)
    refuse('/expiresInHours', 'must be from 1 to 720');
  if (input.redirectUrl !== null) refuse('/redirectUrl', redirectUrlFault(input.redirectUrl, allowLoopback));

  if (input.methods.length > METHOD_LIMIT) refuse('/methods', `must have at most ${METHOD_LIMIT} methods`);
  input.methods.forEach((method, index) => {
    if (!METHOD_ID.test(method)) refuse(`/methods/${index}`, 'is not a payment method id');
    else if (input.methods.indexOf(method) < index) refuse(`/methods/${index}`, 'is named twice');
  });

  const customer = readParty(input.customer);
  if ('faults' in customer) return { violations: [...violations, ...partyViolations(customer.faults, '/customer')] };
  return validUnless(violations, () => ({ ...input, customer: customer.party }));
}
