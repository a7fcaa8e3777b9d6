import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { compareNumbers, valuesEqual } from '../bson/compare';
import { typeName, typeNumbers } from '../bson/type-name';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileRegex } from './regex';

type Check = (value: Value) => boolean;

const documentation = new Set(['title', 'description', '$comment']);

/** `$jsonSchema`: draft 4 as MongoDB has it, with `bsonType`. A keyword speaks only of values of its own type. */
export function compileJsonSchema(schema: Value): Check {
  if (!isDoc(schema)) throw new CommandError('TypeMismatch', '$jsonSchema must be an object');
  const checks = Object.keys(schema).flatMap((keyword) => {
    if (documentation.has(keyword)) return [];
    const compile = Object.hasOwn(keywords, keyword) ? keywords[keyword] : undefined;
    if (!compile) throw new CommandError('FailedToParse', `Unknown $jsonSchema keyword: ${keyword}`);
    return [compile(schema[keyword]!, schema)];
  });
  return (value) => checks.every((check) => check(value));
}

const jsonTypes: Record<string, string[]> = {
  object: ['object'],
  array: ['array'],
  number: ['int', 'long', 'double', 'decimal'],
  boolean: ['bool'],
  string: ['string'],
  null: ['null'],
};

const list = (value: Value, keyword: string): Value[] => {
  if (Array.isArray(value)) return value;
  throw new CommandError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an array`);
};

const limit = (value: Value, keyword: string): number => {
  if (isNumber(value)) return toDouble(value);
  throw new CommandError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a number`);
};

const onText =
  (check: (text: string) => boolean): Check =>
  (value) =>
    typeof value !== 'string' || check(value);
const onList =
  (check: (items: Value[]) => boolean): Check =>
  (value) =>
    !Array.isArray(value) || check(value);
const onDoc =
  (check: (doc: Doc) => boolean): Check =>
  (value) =>
    !isDoc(value) || check(value);
const onNumber =
  (check: (number: Value) => boolean): Check =>
  (value) =>
    !isNumber(value) || check(value);

function bsonType(value: Value): Check {
  const names = (Array.isArray(value) ? value : [value]).flatMap((name) => {
    if (name === 'number') return jsonTypes.number!;
    if (typeof name !== 'string' || !Object.hasOwn(typeNumbers, name))
      throw new CommandError('BadValue', `Unknown type name alias: ${String(name)}`);
    return [name];
  });
  return (given) => names.includes(typeName(given));
}

function type(value: Value): Check {
  const names = (Array.isArray(value) ? value : [value]).flatMap((name) => {
    const known = typeof name === 'string' ? jsonTypes[name] : undefined;
    if (!known) throw new CommandError('BadValue', `Unknown type name alias: ${String(name)}`);
    return known;
  });
  return (given) => names.includes(typeName(given));
}

function properties(value: Value): Check {
  const checks = Object.entries(isDoc(value) ? value : {}).map(
    ([name, schema]) => [name, compileJsonSchema(schema)] as const,
  );
  return onDoc((doc) => checks.every(([name, check]) => !Object.hasOwn(doc, name) || check(doc[name]!)));
}

const patterns = (schema: Doc): RegExp[] =>
  Object.keys(isDoc(schema.patternProperties) ? schema.patternProperties : {}).map((source) =>
    compileRegex(source, ''),
  );

function patternProperties(value: Value): Check {
  const checks = Object.entries(isDoc(value) ? value : {}).map(
    ([source, schema]) => [compileRegex(source, ''), compileJsonSchema(schema)] as const,
  );
  return onDoc((doc) =>
    Object.keys(doc).every((name) => checks.every(([pattern, check]) => !pattern.test(name) || check(doc[name]!))),
  );
}

function additionalProperties(value: Value, schema: Doc): Check {
  if (value === true) return () => true;
  const check = value === false ? (): boolean => false : compileJsonSchema(value);
  const known = new Set(Object.keys(isDoc(schema.properties) ? schema.properties : {}));
  const others = patterns(schema);
  return onDoc((doc) =>
    Object.keys(doc).every(
      (name) => known.has(name) || others.some((pattern) => pattern.test(name)) || check(doc[name]!),
    ),
  );
}

function items(value: Value): Check {
  if (!Array.isArray(value)) {
    const check = compileJsonSchema(value);
    return onList((given) => given.every(check));
  }
  const checks = value.map(compileJsonSchema);
  return onList((given) => given.every((item, i) => checks[i]?.(item) ?? true));
}

function additionalItems(value: Value, schema: Doc): Check {
  if (value === true || !Array.isArray(schema.items)) return () => true;
  const from = schema.items.length;
  const check = value === false ? (): boolean => false : compileJsonSchema(value);
  return onList((given) => given.slice(from).every(check));
}

function dependencies(value: Value): Check {
  const checks = Object.entries(isDoc(value) ? value : {}).map(([name, needs]) => {
    const check: Check = Array.isArray(needs) ? required(needs) : compileJsonSchema(needs);
    return [name, check] as const;
  });
  return onDoc((doc) => checks.every(([name, check]) => !Object.hasOwn(doc, name) || check(doc)));
}

const required = (value: Value): Check => {
  const names = list(value, 'required') as string[];
  return onDoc((doc) => names.every((name) => Object.hasOwn(doc, name)));
};

const all = (value: Value, keyword: string): Check[] => list(value, keyword).map(compileJsonSchema);

const keywords: Record<string, (value: Value, schema: Doc) => Check> = {
  bsonType,
  type,
  properties,
  patternProperties,
  additionalProperties,
  items,
  additionalItems,
  dependencies,
  required,
  enum: (value) => (given) => list(value, 'enum').some((option) => valuesEqual(option, given)),
  minLength: (value) => onText((text) => [...text].length >= limit(value, 'minLength')),
  maxLength: (value) => onText((text) => [...text].length <= limit(value, 'maxLength')),
  pattern: (value) => {
    const pattern = compileRegex(String(value), '');
    return onText((text) => pattern.test(text));
  },
  minItems: (value) => onList((given) => given.length >= limit(value, 'minItems')),
  maxItems: (value) => onList((given) => given.length <= limit(value, 'maxItems')),
  uniqueItems: (value) =>
    onList(
      (given) =>
        value !== true || given.every((item, i) => !given.slice(0, i).some((other) => valuesEqual(item, other))),
    ),
  minProperties: (value) => onDoc((doc) => Object.keys(doc).length >= limit(value, 'minProperties')),
  maxProperties: (value) => onDoc((doc) => Object.keys(doc).length <= limit(value, 'maxProperties')),
  minimum: (value, schema) =>
    onNumber((number) => compareNumbers(number, value) > (schema.exclusiveMinimum === true ? 0 : -1)),
  maximum: (value, schema) =>
    onNumber((number) => compareNumbers(number, value) < (schema.exclusiveMaximum === true ? 0 : 1)),
  exclusiveMinimum: () => () => true,
  exclusiveMaximum: () => () => true,
  multipleOf: (value) => onNumber((number) => toDouble(number) % limit(value, 'multipleOf') === 0),
  allOf: (value) => {
    const checks = all(value, 'allOf');
    return (given) => checks.every((check) => check(given));
  },
  anyOf: (value) => {
    const checks = all(value, 'anyOf');
    return (given) => checks.some((check) => check(given));
  },
  oneOf: (value) => {
    const checks = all(value, 'oneOf');
    return (given) => checks.filter((check) => check(given)).length === 1;
  },
  not: (value) => {
    const check = compileJsonSchema(value);
    return (given) => !check(given);
  },
};
