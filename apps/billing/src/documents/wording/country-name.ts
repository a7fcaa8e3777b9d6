import type { Language } from '@invoicing/design';

/** "Duitsland" for DE; the code itself when nobody knows it. */
export function countryName(code: string, language: Language): string {
  if (!/^[A-Z]{2}$/.test(code)) return code;
  return new Intl.DisplayNames([language], { type: 'region', fallback: 'code' }).of(code) ?? code;
}
