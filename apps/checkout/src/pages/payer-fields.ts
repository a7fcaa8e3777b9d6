import { countryCodes } from '@invoicing/rules';
import { type PayerField } from '../sessions/payer-form';
import { texts, type Language } from './texts';

/** One field of the invoice details, as the form template draws it. */
export interface FieldView {
  readonly name: PayerField;
  readonly label: string;
  /** The label when the payer is a company. */
  readonly companyLabel?: string;
  readonly type?: 'text' | 'email';
  readonly maxLength?: number;
  readonly autocomplete: string;
  readonly inputMode?: 'numeric';
  readonly required?: boolean;
  /** `company`: optional for companies only. */
  readonly optional?: true | 'company';
  readonly company?: boolean;
  readonly half?: boolean;
  readonly hint?: string;
  readonly options?: readonly { readonly code: string; readonly name: string }[];
}

/** The fields of the payer's form; `companiesOnly`: the VAT identification number is required. */
export function payerFields(language: Language, companiesOnly = false): readonly FieldView[] {
  const t = texts[language];
  return [
    { name: 'email', label: t.email, type: 'email', maxLength: 254, autocomplete: 'email', required: true },
    {
      name: 'companyName',
      label: t.companyName,
      type: 'text',
      maxLength: 200,
      autocomplete: 'organization',
      company: true,
    },
    {
      name: 'name',
      label: t.name,
      companyLabel: t.contactName,
      type: 'text',
      maxLength: 200,
      autocomplete: 'name',
      optional: 'company',
    },
    {
      name: 'addressLine1',
      label: t.addressLine1,
      type: 'text',
      maxLength: 200,
      autocomplete: 'address-line1',
      optional: true,
    },
    {
      name: 'postalCode',
      label: t.postalCode,
      type: 'text',
      maxLength: 20,
      autocomplete: 'postal-code',
      optional: true,
      half: true,
    },
    {
      name: 'city',
      label: t.city,
      type: 'text',
      maxLength: 100,
      autocomplete: 'address-level2',
      optional: true,
      half: true,
    },
    { name: 'countryCode', label: t.countryCode, autocomplete: 'country', options: countries(language) },
    ...companyNumbers(t, companiesOnly),
  ];
}

const companyNumbers = (t: (typeof texts)[Language], companiesOnly: boolean): FieldView[] => [
  {
    name: 'btwId',
    label: t.btwId,
    type: 'text',
    maxLength: 30,
    autocomplete: 'off',
    ...(companiesOnly ? { required: true } : { optional: true as const }),
    company: true,
    half: true,
    hint: companiesOnly ? t.btwIdNeeded : t.btwIdHint,
  },
  {
    name: 'kvkNumber',
    label: t.kvkNumber,
    type: 'text',
    maxLength: 30,
    autocomplete: 'off',
    inputMode: 'numeric',
    optional: true,
    company: true,
    half: true,
    hint: t.kvkNumberHint,
  },
];

// The neighbours come first; the rest is in the order of the alphabet.
const FIRST = ['NL', 'BE', 'DE'];
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
