import { validationError } from '@invoicing/errors';

/** What VIES answered about a number. */
export interface ViesAnswer {
  readonly valid: boolean;
  /** Empty when the asker named no number of their own. */
  readonly consultationNumber: string;
  /** Empty where the member state does not tell. */
  readonly name: string;
  readonly address: string;
  /** The whole answer, letter by letter. */
  readonly raw: string;
}

/** Why there is none: a code of VIES, or `NO_ANSWER`. */
export interface ViesUnavailable {
  readonly unavailable: string;
}

/** Asks VIES; never guesses. Throws `validation` for what VIES calls the asker's own fault. */
export type Vies = (vatId: string, requesterVatId: string) => Promise<ViesAnswer | ViesUnavailable>;

/** Member states by the first letters of their numbers; XI is Northern Ireland. */
const PREFIXES = new Set(
  'AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI'.split(' '),
);

export const isOfMemberState = (vatId: string): boolean => PREFIXES.has(vatId.slice(0, 2));

const TIMEOUT_MS = 5_000;
/** An answer is a few hundred characters; evidence of a page that is something else is none. */
const MAX_ANSWER = 20_000;

/** The REST interface of VIES (ec.europa.eu/taxation_customs/vies, `POST check-vat-number`). */
export const viesClient =
  (url: string): Vies =>
  async (vatId, requesterVatId) => {
    const asked = {
      ...{ countryCode: vatId.slice(0, 2), vatNumber: vatId.slice(2) },
      ...(isOfMemberState(requesterVatId) && {
        requesterMemberStateCode: requesterVatId.slice(0, 2),
        requesterNumber: requesterVatId.slice(2),
      }),
    };
    let raw: string;
    try {
      const response = await fetch(`${url}/check-vat-number`, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(asked),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      raw = await response.text();
    } catch {
      return { unavailable: 'NO_ANSWER' };
    }
    return answerOf(raw);
  };

function answerOf(raw: string): ViesAnswer | ViesUnavailable {
  const said = raw.length > MAX_ANSWER ? {} : objectOf(raw);
  const fault = faultOf(said);
  if (fault === 'INVALID_INPUT')
    throw validationError([{ path: '/btwId', message: 'is refused by VIES as no number of that country' }]);
  if (fault === 'INVALID_REQUESTER_INFO')
    throw validationError([{ path: '', message: 'VIES refuses the VAT number of your own organisation' }]);
  if (fault !== undefined) return { unavailable: fault };
  if (typeof said['valid'] !== 'boolean') return { unavailable: 'NO_ANSWER' };
  const text = (name: string): string => {
    const value = said[name];
    // Member states that do not tell write dashes.
    return typeof value === 'string' && value !== '---' ? value.trim() : '';
  };
  const named = { name: text('name'), address: text('address') };
  return { valid: said['valid'], consultationNumber: text('requestIdentifier'), ...named, raw };
}

function objectOf(raw: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(raw) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The code of what went wrong; undefined: nothing did. */
function faultOf(said: Readonly<Record<string, unknown>>): string | undefined {
  const [wrapper] = Array.isArray(said['errorWrappers']) ? (said['errorWrappers'] as { error?: unknown }[]) : [];
  const code = wrapper?.error;
  if (typeof code === 'string' && /^[A-Z_]{1,60}$/.test(code)) return code;
  return wrapper !== undefined || said['actionSucceed'] === false ? 'NO_ANSWER' : undefined;
}
