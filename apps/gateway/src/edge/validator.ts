import { type TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { type Violation } from '@invoicing/errors';
import { formats } from '../schemas/formats';
import { pointerToken } from './bound-body';

const MAX_VIOLATIONS = 1_000;

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, formats: validators() });
// JSON Schema's multipleOf computes with floats: 1.005 would be no multiple of 0.001.
ajv.addKeyword({
  keyword: 'x-decimals',
  type: 'number',
  schemaType: 'number',
  error: { message: ({ schema }) => `must have at most ${String(schema)} decimals` },
  validate: (most: number, value: number) => decimalsOf(value) <= most,
});

ajv.addKeyword({
  keyword: 'x-max-text-bytes',
  type: 'array',
  schemaType: 'number',
  error: { message: ({ schema }) => `must have at most ${String(schema)} bytes of text together` },
  validate: (most: number, items: unknown[]) => textBytes(items) <= most,
});

/** Checks a body against a schema: all that is wrong at once, each with its JSON Pointer and a sentence. */
export function compileValidator(schema: TSchema): (body: unknown) => Violation[] {
  const validate: ValidateFunction = ajv.compile(schema);
  return (body) => (validate(body) ? [] : (validate.errors ?? []).slice(0, MAX_VIOLATIONS).map(violationOf));
}

function violationOf({ instancePath, keyword, params, message }: ErrorObject): Violation {
  const given = params as Record<string, unknown>;
  switch (keyword) {
    case 'required':
      return { path: `${instancePath}/${pointerToken(String(given['missingProperty']))}`, message: 'is required' };
    case 'additionalProperties':
      return {
        path: `${instancePath}/${pointerToken(String(given['additionalProperty']))}`,
        message: 'is not a known field',
      };
    case 'type':
      return { path: instancePath, message: `must be ${article(String(given['type']))}` };
    case 'enum':
      return { path: instancePath, message: `must be one of ${(given['allowedValues'] as unknown[]).join(', ')}` };
    case 'format':
      return { path: instancePath, message: formats[given['format'] as keyof typeof formats].message };
    case 'minLength':
      return {
        path: instancePath,
        message: given['limit'] === 1 ? 'must not be empty' : `must have at least ${String(given['limit'])} characters`,
      };
    case 'maxLength':
      return { path: instancePath, message: `must have at most ${String(given['limit'])} characters` };
    case 'minItems':
      return { path: instancePath, message: `must have at least ${count(given['limit'])}` };
    case 'maxItems':
      return { path: instancePath, message: `must have at most ${count(given['limit'])}` };
    case 'minimum':
      return { path: instancePath, message: `must be at least ${String(given['limit'])}` };
    case 'maximum':
      return { path: instancePath, message: `must be at most ${String(given['limit'])}` };
    case 'pattern':
      return { path: instancePath, message: 'has characters or a form that is not allowed here' };
    default:
      return { path: instancePath, message: message ?? 'is not valid' };
  }
}

/** UTF-8 bytes of all texts in a value. */
function textBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((bytes: number, each) => bytes + textBytes(each), 0);
}

const article = (type: string): string => (/^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`);
const count = (limit: unknown): string => (limit === 1 ? '1 item' : `${String(limit)} items`);

/** Decimals of the shortest text of a number, e-notation included: 1e-7 has 7. */
function decimalsOf(value: number): number {
  const [coefficient = '', exponent = '0'] = String(value).split('e');
  return Math.max(0, (coefficient.split('.')[1] ?? '').length - Number(exponent));
}

function validators(): Record<string, (text: string) => boolean> {
  return Object.fromEntries(Object.entries(formats).map(([name, { fits }]) => [name, fits]));
}
