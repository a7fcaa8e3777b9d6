import { Type, type TString, type TInteger, type TSchema } from '@sinclair/typebox';

// Fields that several schemas share. Every field has a description and an examples: [the] OpenAPI document is made of them.

/** Text on one line that is not blank. */
export const singleLine = (maxLength: number, description: string, example: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '^(?=.*\\S)[^\\r\\n\\t]*$', description, examples: [example] });

/** Text on one line; blank counts as absent, as forms send it. */
export const optionalLine = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, pattern: '^[^\\r\\n\\t]*$', description, examples: [example] });

// One for each kind of thing, the same wherever the documents' examples mean that thing.
const EXAMPLE_IDS = {
  organization: '0f8fad5b-d9cb-469f-a165-70867728950e',
  profile: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
  key: 'b8f1a6c2-3d54-4e0b-9a37-5c2f8e1d4b60',
  customer: '5d3f1c2a-7b64-4e0f-8a9b-1c2d3e4f5a6b',
  product: 'e4eaaaf2-d142-41b3-b39e-1f5c0b5f7a21',
  invoice: '0b7c1b5e-5a0e-5c1e-9d52-0d6f3a1f8a11',
  subscription: '3f333df6-90a4-4fda-8dd3-9485d27cee36',
  checkout: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
  delivery: '0c5b2f7e-8d3a-4f61-9b0e-7a1c4d92e653',
  grant: '6ecd8c99-4036-403d-bf84-cf8400f67836',
  endpoint: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
  creditNote: '2c5ea4c0-4067-51e8-8c1b-6a5b7f3d9e21',
  entry: '16fd2706-8baf-433b-82eb-8c7fada847da',
  reminder: '5a1f7b0e-6c1d-5a5e-8f0a-3d8f0f6b2c41',
  event: '1b4e28ba-2fa1-51d2-883f-0016d3cca427',
  mail: '886313e1-3b8a-5372-9b90-0c9aee199e5d',
};

export const uuid = (of: keyof typeof EXAMPLE_IDS, description: string) =>
  Type.String({ format: 'uuid', description, examples: [EXAMPLE_IDS[of]] });

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
