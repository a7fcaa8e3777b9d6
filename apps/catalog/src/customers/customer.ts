import { requireValid, type Violation, validUnless } from '@invoicing/errors';
import { type PartyDetails, partyViolations, readParty } from '@invoicing/rules';

/** What is known of a customer; only `name` is certain. The REST body has the same field names. */
export interface CustomerDetails extends PartyDetails {
  readonly name: string;
}

/** The details in their stored form. Throws `validation` with JSON Pointers into the REST body, all violations at once. */
export function checkCustomer(given: CustomerDetails): CustomerDetails {
  const nameless: Violation[] = given.name.trim() === '' ? [{ path: '/name', message: 'is required' }] : [];
  const read = readParty(given);
  if ('faults' in read) return requireValid({ violations: [...nameless, ...partyViolations(read.faults)] });
  return requireValid(validUnless(nameless, () => ({ ...read.party, name: given.name })));
}

/** Two spellings of one mailbox compare equal; nobody runs case-sensitive mailboxes side by side. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();
