import { Schema, type IndexDefinition, type IndexOptions, type SchemaDefinitionProperty } from 'mongoose';

/** Where a document lives on a sharded cluster. `one shard`: a collection that stays small or belongs to nobody. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>> | 'one shard';

/** Keys, and options such as `unique`, `sparse`, `partialFilterExpression`, `expireAfterSeconds`, `name`. */
export type IndexDeclaration = readonly [keys: IndexDefinition, options?: IndexOptions];

/** One collection: its name, the schema of its documents, its indexes, and what it can be sharded by. */
export interface CollectionDeclaration<T> {
  readonly name: string;
  readonly schema: Schema<T>;
  readonly shardKey: ShardKey;
}

type KeysOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never;
type RequiredField = { readonly type: FieldType; readonly required: true };
type OptionalField = FieldType & { readonly required?: never };

/**
 * The schema of every field of `T`, also the optional ones and those of each member of a union: one that is forgotten does not compile,
 * nor does one that is `required` here and optional in `T`, or the other way round.
 */
export type Fields<T> = {
  readonly [K in KeysOf<T>]: Extract<ValueOf<T, K>, undefined | null> extends never ? RequiredField : OptionalField;
};

// An empty text is a value: mongoose would call it missing.
Schema.Types.String.checkRequired((value) => typeof value === 'string');

const OPTIONS = {
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  minimize: false,
  id: false,
  autoCreate: false,
  autoIndex: false,
} as const;

/**
 * Declares a collection, once, beside its store; `openCollection` brings the database in line with it. `_id` is a text. Throws when a
 * unique index does not begin with the shard key: a sharded cluster could not keep it.
 */
export function declareCollection<T extends { readonly _id: string }>(
  name: string,
  declared: {
    readonly shardKey: ShardKey;
    readonly fields: Omit<Fields<T>, '_id'>;
    readonly indexes: readonly IndexDeclaration[];
  },
): CollectionDeclaration<T> {
  const { shardKey, fields, indexes } = declared;
  const schema = new Schema<T>(
    { _id: required(String), ...fields } as never,
    { ...OPTIONS, collection: name } as never,
  );
  for (const [keys, options = {}] of indexes) {
    if (options.unique) checkUnique(name, Object.keys(keys), shardKey);
    schema.index(keys, options);
  }
  return { name, schema, shardKey };
}

function checkUnique(name: string, keys: readonly string[], shardKey: ShardKey): void {
  if (shardKey === 'one shard') return;
  const isPrefix = Object.entries(shardKey).every(([field, kind], index) => keys[index] === field && kind === 1);
  if (!isPrefix) throw new Error(`${name}: the unique index on ${keys.join(', ')} does not begin with the shard key`);
}

/** Schema of documents inside a document; they have no id of their own. */
export const embedded = <T extends object>(fields: Fields<T>): Schema =>
  new Schema(fields as never, { ...OPTIONS, _id: false } as never) as unknown as Schema;

/** A field that is always there and never null. Without it a field may be absent or null. `[type]` is a list. */
export const required = (type: FieldType, options: { readonly enum?: readonly (string | number)[] } = {}) =>
  ({ type, required: true, ...options }) as const;

/** A text that is always there, one of these words. */
export const oneOf = (...words: readonly string[]) => required(String, { enum: words });

/** A list that may be absent; mongoose would add an empty one. */
export const optionalList = (type: FieldType) => ({ type: [type], default: undefined });

type FieldType = NonNullable<SchemaDefinitionProperty>;
