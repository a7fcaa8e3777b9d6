import { isLanguage, type Language, LANGUAGES } from '@invoicing/design';
import { allValid, refused, requireValid, valid, type Checked, validUnless } from '@invoicing/errors';
import { type PartyDetails, partyViolations, readParty } from '@invoicing/rules';

/** What is known of a customer; only `name` is certain. The REST body has the same field names. */
export interface CustomerDetails extends PartyDetails {
  readonly name: string;
  /** Of documents and their e-mails; absent: of the country. */
  readonly language?: Language | undefined;
}

/** Details before they are checked. */
export type GivenDetails = PartyDetails & { readonly name: string; readonly language?: string | undefined };

/** The details in their stored form. Throws `validation` with JSON Pointers into the REST body, all violations at once. */
export function checkCustomer(given: GivenDetails): CustomerDetails {
  const { name } = given;
  const read = readParty(given);
  const { party, language } = requireValid(
    allValid({
      name: validUnless(name.trim() === '' ? [{ path: '/name', message: 'is required' }] : [], () => name),
      party: 'faults' in read ? refused(...partyViolations(read.faults)) : valid(read.party),
      language: languageOf(given.language),
    }),
  );
  return { ...party, name, ...(language && { language }) };
}

// Forms send an empty text for what was not chosen.
function languageOf(asked = ''): Checked<Language | undefined> {
  if (asked === '' || isLanguage(asked)) return valid(asked === '' ? undefined : asked);
  return refused({ path: '/language', message: `must be one of ${LANGUAGES.join(', ')}` });
}

/** Two spellings of one mailbox compare equal; nobody runs case-sensitive mailboxes side by side. */
export const emailKey = (email: string): string => email.normalize('NFC').toLowerCase();
