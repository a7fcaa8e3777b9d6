import { Type, type TString, type TInteger, type TSchema } from '@sinclair/typebox';

// Fields that several schemas share. Every field has a description and an examples: [the] OpenAPI document is made of them.

/** Text on one line that is not blank. */
export const singleLine = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^(?=.*\\S)[^\\r\\n\\t]*$', description, examples: [example] });

/** Text on one line; blank counts as absent, as forms send it. */
export const optionalLine = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, pattern: '^[^\\r\\n\\t]*$', description, examples: [example] });

export const uuid = (description: string, example = '0f8fad5b-d9cb-469f-a165-70867728950e') =>
  Type.String({ format: 'uuid', description, examples: [example] });

export const date = (description: string, example = '2026-03-01') =>
  Type.String({ format: 'date', description, examples: [example] });

export const timestamp = (description: string, example = '2026-03-01T09:30:00.000Z') =>
  Type.String({ format: 'date-time', description, examples: [example] });

export const cents = (description: string, example: number) =>
  Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description,
    examples: [example],
  });

/** One of a few words. */
export const oneOf = <const W extends string>(words: readonly W[], description: string, example: NoInfer<W>) =>
  Type.Unsafe<W>({ type: 'string', enum: [...words], description, examples: [example] });

/** A field of an answer that is always there and may be null. */
export const orNull = <S extends TString | TInteger>(schema: S) =>
  Type.Unsafe<S['static'] | null>({ ...schema, type: [schema['type'] as string, 'null'] });

/** A schema with a name in the OpenAPI document; unknown fields are refused. */
export const object = <P extends Record<string, TSchema>>(title: string, properties: P, description: string) =>
  Type.Object(properties, { title, description, additionalProperties: false });
