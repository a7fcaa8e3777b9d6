import { type Request } from 'express';
import { isLanguage, languageOfCountry, preferredLanguage, type Language } from '@invoicing/design';

/**
 * Of the page that a payer asks for: as they choose, else `known` (an invoice has one), else what their browser prefers, else what is
 * spoken in their country.
 */
export function languageOfRequest(request: Request, known?: string, countryCode = ''): Language {
  const chosen = request.query['lang'];
  if (isLanguage(chosen)) return chosen;
  if (isLanguage(known)) return known;
  return preferredLanguage(request.get('accept-language')) ?? languageOfCountry(countryCode);
}

/** No page waits longer for another part or for a provider. */
export const PAGE_TIMEOUT_MS = 5_000;

/** The outcome of some work, or `otherwise` when it takes longer than that. */
export const within = <T>(timeoutMs: number, work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work, new Promise<T>((resolve) => setTimeout(resolve, timeoutMs, otherwise).unref())]);
