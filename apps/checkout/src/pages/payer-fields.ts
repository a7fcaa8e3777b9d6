import { type Language } from '@invoicing/design';
import { countryCodes } from '@invoicing/rules';
import { type PayerField } from '../sessions/payer-form';
import { countryHints, type CountryHints } from './country-hints';
import { texts } from './texts';

/** One field of the invoice details, as the form template draws it. */
export interface FieldView {
  readonly name: PayerField;
  readonly label: string;
  /** The label when the payer is a company. */
  readonly companyLabel?: string;
  readonly type?: 'text' | 'email';
  readonly maxLength?: number;
  readonly autocomplete: string;
  readonly required?: boolean;
  /** `company`: optional for companies only. */
  readonly optional?: true | 'company';
  readonly company?: boolean;
  readonly half?: boolean;
  readonly hint?: string;
  /** The hint, where it follows the country. */
  readonly hints?: CountryHints;
  readonly options?: readonly { readonly code: string; readonly name: string }[];
}

/** The fields of the payer's form; `companiesOnly`: the VAT identification number is required. */
export function payerFields(language: Language, companiesOnly = false): readonly FieldView[] {
  const t = texts[language];
  const hints = countryHints(language);
  const text = (name: Exclude<PayerField, 'type'>, maxLength: number, autocomplete: string) =>
    ({ name, label: t[name], type: 'text', maxLength, autocomplete }) as const;
  return [
    { name: 'email', label: t.email, type: 'email', maxLength: 254, autocomplete: 'email', required: true },
    { ...text('companyName', 200, 'organization'), company: true },
    { ...text('name', 200, 'name'), companyLabel: t.contactName, optional: 'company' },
    // Before what depends on it.
    { name: 'countryCode', label: t.countryCode, autocomplete: 'country', options: countries(language) },
    { ...text('addressLine1', 200, 'address-line1'), optional: true },
    { ...text('postalCode', 20, 'postal-code'), optional: true, half: true, hints: hints.postalCode },
    { ...text('city', 100, 'address-level2'), optional: true, half: true },
    {
      ...text('btwId', 30, 'off'),
      ...(companiesOnly ? { required: true, hint: t.btwIdNeeded } : { optional: true as const, hints: hints.btwId }),
      ...{ company: true, half: true },
    },
    { ...text('kvkNumber', 30, 'off'), optional: true, company: true, half: true, hints: hints.kvkNumber },
  ];
}

// The neighbours come first; the rest is in the order of the alphabet.
const FIRST = ['NL', 'BE', 'DE', 'FR'];
const known = new Map<Language, readonly { code: string; name: string }[]>();

function countries(language: Language): readonly { code: string; name: string }[] {
  const made = known.get(language);
  if (made) return made;
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const all = countryCodes
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => rank(a.code) - rank(b.code) || a.name.localeCompare(b.name, language));
  known.set(language, all);
  return all;
}

const rank = (code: string): number => {
  const index = FIRST.indexOf(code);
  return index < 0 ? FIRST.length : index;
};
