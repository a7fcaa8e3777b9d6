import { httpStatusOfCode, meaningOfCode, publicErrorCodes, type PublicErrorCode } from '@invoicing/errors';
import { isOpen, type Operation, type Route } from '../routes/route';

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
export function errorCodesOf(route: Route): readonly PublicErrorCode[] {
  // What is not even HTTP is refused before any operation; and a part of the answer may fail to be made.
  if (isOpen(route)) return ['validation', 'generic'];
  const { body, errors }: Operation = route;
  return [...alwaysWithKey, ...(body ? withBody : []), ...errors];
}

const HEADERS: Partial<Record<PublicErrorCode, readonly string[]>> = {
  rate_limited: ['Retry-After', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'],
  idempotency_in_flight: ['Retry-After'],
  unavailable: ['Retry-After'],
  unauthorized: ['WWW-Authenticate'],
};

const header = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const;

/** `responses` of the errors, by status; codes that share a status share a response. */
export function errorResponses(codes: readonly PublicErrorCode[]): Record<string, unknown> {
  const byStatus = new Map<number, PublicErrorCode[]>();
  for (const code of codes) {
    const status = httpStatusOfCode(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, shared]) => [
        String(status),
        {
          description: shared.map((code) => `\`${code}\`: ${meaningOfCode(code)}`).join('\n\n'),
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

const errorExample = (code: PublicErrorCode) =>
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
        enum: publicErrorCodes.filter((code) => code !== 'validation'),
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
