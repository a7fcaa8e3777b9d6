import { errorStatus, type ErrorCode } from '../edge/edge-error';
import { isOpen, type Operation, type Route } from '../routes/route';

const meaning: Record<ErrorCode, string> = {
  validation:
    'Body does not fit the schema, or an id does not exist in the organisation; `details` names every violation.',
  unauthorized: 'Key missing, unknown, revoked or expired.',
  plan_limit_api: 'The plan of the organisation has no API access.',
  billing_readonly: 'The organisation is in arrears and cannot send; creating drafts still works.',
  forbidden: 'Scope missing, profile does not match, or platform-only operation.',
  not_found: 'There is no such path.',
  method_not_allowed: 'The path has no such method; `Allow` names those it has.',
  idempotency_conflict: 'The Idempotency-Key was used with a different body.',
  idempotency_in_flight: 'The first request with this Idempotency-Key is still running; retry shortly.',
  payload_too_large: 'The body is larger than 1 MiB.',
  unsupported_media_type: 'The body is not plain `application/json` in UTF-8.',
  rate_limited: 'Too many requests in the last minute; waiting as long as `Retry-After` says is enough.',
  generic: 'Server-side failure.',
  unavailable: 'The API is temporarily unavailable.',
};

const alwaysWithKey = [
  'unauthorized',
  'plan_limit_api',
  'forbidden',
  'rate_limited',
  'generic',
  'unavailable',
] as const;
const withBody = [
  'validation',
  'idempotency_conflict',
  'idempotency_in_flight',
  'payload_too_large',
  'unsupported_media_type',
] as const;

/** Every error code that an operation can answer. */
export function errorCodesOf(route: Route): readonly ErrorCode[] {
  // What is not even HTTP is refused before any operation; and a part of the answer may fail to be made.
  if (isOpen(route)) return ['validation', 'generic'];
  const { body, errors }: Operation = route;
  return [...alwaysWithKey, ...(body ? withBody : []), ...errors];
}

const HEADERS: Partial<Record<ErrorCode, readonly string[]>> = {
  rate_limited: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  idempotency_in_flight: ['Retry-After'],
  unavailable: ['Retry-After'],
  unauthorized: ['WWW-Authenticate'],
};

const header = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const;

/** `responses` of the errors, by status; codes that share a status share a response. */
export function errorResponses(codes: readonly ErrorCode[]): Record<string, unknown> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(errorStatus[code], [...(byStatus.get(errorStatus[code]) ?? []), code]);
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, shared]) => [
        String(status),
        {
          description: shared.map((code) => `\`${code}\`: ${meaning[code]}`).join('\n\n'),
          headers: Object.fromEntries(
            ['X-Request-Id', ...new Set(shared.flatMap((code) => HEADERS[code] ?? []))].map(header),
          ),
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${shared.includes('validation') ? 'ValidationError' : 'Error'}` },
              examples: Object.fromEntries(shared.map((code) => [code, { value: errorExample(code) }])),
            },
          },
        },
      ]),
  );
}

const errorExample = (code: ErrorCode) =>
  code === 'validation'
    ? { error: code, details: [{ path: '/lines/0/quantity', message: 'must be a number' }] }
    : { error: code };

export const errorSchemas = {
  Error: {
    title: 'Error',
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'string',
        enum: (Object.keys(errorStatus) as ErrorCode[]).filter((code) => code !== 'validation'),
        description: 'Stable code.',
        examples: ['unauthorized'],
      },
    },
    description: 'A failure.',
  },
  ValidationError: {
    title: 'ValidationError',
    type: 'object',
    required: ['error', 'details'],
    properties: {
      error: { type: 'string', const: 'validation', description: 'Stable code.', examples: ['validation'] },
      details: {
        type: 'array',
        description: 'Every violation at once.',
        items: {
          type: 'object',
          required: ['path', 'message'],
          properties: {
            path: {
              type: 'string',
              description: 'JSON Pointer into the body; empty for the body itself.',
              examples: ['/lines/0/quantity'],
            },
            message: { type: 'string', description: 'A sentence for people.', examples: ['must be a number'] },
          },
        },
      },
    },
    description: 'A body that does not fit.',
  },
};
