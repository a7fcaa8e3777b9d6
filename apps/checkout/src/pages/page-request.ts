import { type Request } from 'express';
import { languageOf, type Language } from './texts';

/** Of the page that a payer asks for. */
export const languageOfRequest = (request: Request): Language =>
  languageOf(request.query['lang'], request.get('accept-language'));

/** No page waits longer for another part or for a provider. */
export const PAGE_TIMEOUT_MS = 5_000;

/** The outcome of some work, or `otherwise` when it takes longer than that. */
export const within = <T>(timeoutMs: number, work: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([work, new Promise<T>((resolve) => setTimeout(resolve, timeoutMs, otherwise).unref())]);
