import type { Language } from './texts';

// Those that Dutch and Belgian sellers meet most, first; the rest of the European Union and its neighbours after them.
const CODES =
  'NL BE DE FR LU GB IE AT BG CH CY CZ DK EE ES FI GR HR HU IS IT LI LT LV MT NO PL PT RO SE SI SK TR US CA AU NZ JP CN IN BR ZA MA AW CW SR'.split(
    ' ',
  );

/** Countries to choose from, by the name that people know them by; first: none. */
export function countryOptions(language: Language, none: string): readonly { value: string; label: string }[] {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return [{ value: '', label: none }, ...CODES.map((code) => ({ value: code, label: names.of(code) ?? code }))];
}
