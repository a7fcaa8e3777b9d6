import { PARTY_LIMITS } from '@invoicing/rules';

// The country alone says nothing about a person, and an answer with another one would be no country.
const PERSONAL = new Set(Object.keys(PARTY_LIMITS).filter((field) => field !== 'countryCode'));

/** A stored answer without what it says about a person. Its ids and amounts stay: a repeat of the request still learns what it made. */
export const redactAnswer = (body: string): string =>
  JSON.stringify(JSON.parse(body), (field, value: unknown) =>
    PERSONAL.has(field) && typeof value === 'string' ? 'erased' : value,
  );
