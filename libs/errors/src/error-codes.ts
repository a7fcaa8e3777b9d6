import { errorTable, type ErrorKind } from './error-table';

interface CodeRow {
  /** The kinds that the code goes with; none: HTTP's own matter, which no service ever raises. */
  readonly kinds: readonly ErrorKind[];
  /** HTTP status, where it is not that of the kind. */
  readonly http?: number;
  /** What it means, in a sentence for strangers. */
  readonly meaning: string;
}

/** Codes that integrators see, in `{ "error": … }`. The API document fixes them; within v1 the list only grows. */
const publicRows = {
  validation: {
    kinds: ['invalid'],
    meaning:
      'Body does not fit the schema, or an id does not exist in the organisation; `details` names every violation.',
  },
  unauthorized: { kinds: ['unauthenticated'], meaning: 'Key missing, unknown, revoked or expired.' },
  plan_limit_api: { kinds: ['blocked'], meaning: 'The plan of the organisation has no API access.' },
  billing_readonly: {
    kinds: ['blocked'],
    meaning: 'The organisation is in arrears and cannot send; creating drafts still works.',
  },
  forbidden: { kinds: ['forbidden'], meaning: 'Scope missing, profile does not match, or platform-only operation.' },
  test_only: { kinds: ['forbidden'], meaning: 'Only a test organisation has a clock of its own.' },
  not_found: { kinds: ['absent'], meaning: 'There is no such path.' },
  method_not_allowed: {
    kinds: [],
    http: 405,
    meaning: 'The path has no such method; `Allow` names those it has.',
  },
  idempotency_conflict: { kinds: ['conflict'], meaning: 'The Idempotency-Key was used with a different body.' },
  idempotency_in_flight: {
    kinds: ['busy'],
    meaning: 'The first request with this Idempotency-Key is still running; retry shortly.',
  },
  payload_too_large: { kinds: [], http: 413, meaning: 'The body is larger than 1 MiB.' },
  unsupported_media_type: { kinds: [], http: 415, meaning: 'The body is not plain `application/json` in UTF-8.' },
  rate_limited: {
    kinds: ['exhausted'],
    meaning: 'Too many requests in the last minute; waiting as long as `Retry-After` says is enough.',
  },
  generic: { kinds: ['internal', 'unfinished'], http: 500, meaning: 'Server-side failure.' },
  unavailable: { kinds: ['unavailable'], meaning: 'The API is temporarily unavailable.' },
} as const satisfies Record<string, CodeRow>;

/** Codes that services and operators see. An integrator is told what the gateway makes of their kind. */
const innerRows = {
  access_point_missing: { kinds: ['blocked'], meaning: 'No Peppol access point is connected.' },
  account_full: { kinds: ['blocked'], meaning: "The invoice's account has as many entries as it takes." },
  already_paid: {
    kinds: ['exists'],
    meaning: 'The invoice is settled by another payment, or the payment by another invoice.',
  },
  busy: { kinds: ['busy'], meaning: 'Somebody else is at it; try again shortly.' },
  conflict: { kinds: ['conflict'], meaning: 'It was changed meanwhile, or is no longer in a state that allows this.' },
  draft: { kinds: ['blocked'], meaning: 'It is a draft: issue it first.' },
  endpoint_disabled: { kinds: ['blocked'], meaning: 'The webhook endpoint is disabled; enable it first.' },
  irreversible: { kinds: ['blocked'], meaning: 'The entry cannot be reversed.' },
  last_owner: { kinds: ['blocked'], meaning: 'The organisation would be left without an owner.' },
  ledger_broken: {
    kinds: ['internal'],
    meaning: 'The ledger of mail credits does not add up; nothing is taken from it.',
  },
  no_credits: { kinds: ['blocked'], meaning: 'There are no mail credits left.' },
  no_e_invoice: { kinds: ['blocked'], meaning: 'The document makes no valid e-invoice.' },
  not_last_period: { kinds: ['blocked'], meaning: 'A later period of the books is closed: open that one first.' },
  organization_gone: { kinds: ['absent'], meaning: 'The organisation does not exist.' },
  provider_key_secret_missing: {
    kinds: ['blocked'],
    meaning: 'PROVIDER_KEY_SECRET is needed to connect this provider.',
  },
  provider_failed: {
    kinds: ['invalid', 'unauthenticated', 'absent', 'conflict', 'exhausted', 'unavailable'],
    meaning: 'The payment provider refused, or did not answer.',
  },
  revision_conflict: { kinds: ['conflict'], meaning: 'It was changed since the revision that the caller has seen.' },
  sandbox_needs_test: { kinds: ['blocked'], meaning: 'Only a test organisation can use the sandbox.' },
  series_broken: {
    kinds: ['internal'],
    meaning: 'A number series has gaps: nothing is issued in it. `numbers verify` says where.',
  },
  series_begun: {
    kinds: ['blocked'],
    meaning: 'Numbers of that year are given: how they look and where they began stays as it is.',
  },
  sign_up_closed: { kinds: ['blocked'], meaning: 'Only an operator creates organisations here.' },
  subscription_ended: { kinds: ['blocked'], meaning: 'The subscription has ended.' },
} as const satisfies Record<string, CodeRow>;

const rows = { ...publicRows, ...innerRows };

/** A code that integrators can see. */
export type PublicErrorCode = keyof typeof publicRows;

/** Every error code there is. One that is not in the catalogue does not compile. */
export type ErrorCode = keyof typeof rows;

/** The kinds that a code goes with. */
export type KindOfCode<C extends ErrorCode> = (typeof rows)[C]['kinds'][number];

/** All codes that integrators can see, in the order of the API document. */
export const publicErrorCodes = Object.keys(publicRows) as PublicErrorCode[];

/** Whether a text is a code of the catalogue. A peer of another version may know others. */
export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(rows, text);

/** What a code means, in a sentence for strangers. */
export const meaningOfCode = (code: ErrorCode): string => rows[code].meaning;

/** The HTTP status that a code is answered with. */
export function httpStatusOfCode(code: PublicErrorCode): number {
  const { kinds, http }: CodeRow = publicRows[code];
  return http ?? errorTable[kinds[0] ?? 'internal'].http;
}
