import { httpStatusOfCode, meaningOfCode, publicErrorCodes, type PublicErrorCode } from '@invoicing/errors';
import { type TSchema } from '@sinclair/typebox';
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
  forbidden: ['WWW-Authenticate'],
};

/** A header that not every error of the response has says with which of them it comes. */
function headersOf(shared: readonly PublicErrorCode[]): Record<string, unknown> {
  const names = new Set(shared.flatMap((code) => HEADERS[code] ?? []));
  const withIt = (name: string) => shared.filter((code) => HEADERS[code]?.includes(name));
  const only = (codes: readonly PublicErrorCode[]) =>
    codes.length < shared.length && { description: `Only with ${codes.map((code) => `\`${code}\``).join(', ')}.` };
  return {
    'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
    Link: { $ref: '#/components/headers/Link' },
    ...Object.fromEntries(
      [...names].map((name) => [name, { $ref: `#/components/headers/${name}`, ...only(withIt(name)) }]),
    ),
  };
}

/**
 * What a server answers in the place of any operation: to a request that does not come to its end, and to one that is hardly a request.
 * They know no key and no operation.
 */
export const transportResponses = {
  RequestTimeout: transportResponse(
    '`validation`: the headers took longer than 10 s, or the request longer than 30 s. Nothing was done; send it again, with the same ' +
      '`Idempotency-Key`.',
    'the request came too slowly',
  ),
  HeadersTooLarge: transportResponse(
    '`validation`: the headers are larger than 16 KiB.',
    'the headers are larger than 16 KiB',
  ),
};

/** `responses` that every operation has beside its own. */
export const transportStatuses = {
  '408': { $ref: '#/components/responses/RequestTimeout' },
  '431': { $ref: '#/components/responses/HeadersTooLarge' },
};

function transportResponse(description: string, message: string) {
  const value = { error: 'validation', details: [{ path: '', message }] };
  return {
    description,
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ValidationError' },
        examples: { validation: { value } },
      },
    },
  };
}

/** `responses` of the errors, by status; codes that share a status share a response. */
export function errorResponses(codes: readonly PublicErrorCode[], body?: TSchema): Record<string, unknown> {
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
          headers: headersOf(shared),
          content: {
            'application/json': {
              schema: { $ref: `#/components/schemas/${shared.includes('validation') ? 'ValidationError' : 'Error'}` },
              examples: Object.fromEntries(shared.map((code) => [code, { value: errorExample(code, body) }])),
            },
          },
        },
      ]),
  );
}

function errorExample(code: PublicErrorCode, body: TSchema | undefined) {
  if (code !== 'validation') return { error: code };
  const [missing] = (body?.['required'] as readonly string[] | undefined) ?? [];
  const violation = missing
    ? { path: `/${missing}`, message: 'is required' }
    : { path: '', message: 'is not well-formed HTTP' };
  return { error: code, details: [violation] };
}

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
