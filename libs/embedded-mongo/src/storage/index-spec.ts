import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { compareNumbers } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter, isOperatorDoc } from '../query/compile-filter';
import { isRegex } from '../query/regex';
import { describe } from '../bson/describe';
import { type Index } from './collection';

const known = new Set([
  'v', 'key', 'name', 'unique', 'sparse', 'partialFilterExpression', 'expireAfterSeconds', 'hidden', 'background', 'ns',
  'collation', 'dropDups', 'clustered', 'prepareUnique',
  'weights', 'default_language', 'language_override', 'textIndexVersion', '2dsphereIndexVersion', 'bits', 'min', 'max',
  'wildcardProjection', 'storageEngine',
]); // prettier-ignore

const refused: Record<string, string> = {
  text: 'text indexes',
  '2d': 'geospatial indexes',
  '2dsphere': 'geospatial indexes',
};

/** Checks a createIndexes specification and gives it the form the catalog keeps. */
export function parseIndexSpec(spec: Doc, slot: number): Index {
  for (const option of Object.keys(spec)) {
    if (!known.has(option)) {
      throw new CommandError(
        'InvalidIndexSpecificationOption',
        `The field '${option}' is not valid for an index specification. Specification: ${describe(spec)}`,
      );
    }
  }
  const { key, name } = spec;
  if (!isDoc(key))
    throw new CommandError('FailedToParse', "The 'key' field is a required property of an index specification");
  if (typeof name !== 'string')
    throw new CommandError('FailedToParse', "The 'name' field is a required property of an index specification");
  if (name === '') throw new CommandError('CannotCreateIndex', 'index name cannot be empty');
  const isId = Object.keys(key).join() === '_id' && slot === 1;
  if (spec.collation !== undefined && !(isDoc(spec.collation) && spec.collation.locale === 'simple')) {
    throw new CommandError('CannotCreateIndex', 'index collation is not supported by this server');
  }
  const unique = isId || isTrue(spec.unique);
  const sparse = isTrue(spec.sparse);
  const filter = spec.partialFilterExpression;
  if (filter !== undefined && !isDoc(filter))
    throw new CommandError('CannotCreateIndex', 'partialFilterExpression must be an object');
  if (filter) checkPartialFilter(filter);
  if (filter !== undefined && sparse)
    throw new CommandError('CannotCreateIndex', "cannot mix 'partialFilterExpression' and 'sparse' options");
  const expireAfterSeconds = expiry(spec.expireAfterSeconds, key);
  const listed: Doc = { v: 2, key, name };
  if (unique && !(isId && spec.clustered === undefined)) listed.unique = true;
  if (spec.clustered === true) listed.clustered = true;
  if (spec.background !== undefined) listed.background = spec.background;
  if (sparse) listed.sparse = true;
  if (filter !== undefined) listed.partialFilterExpression = filter;
  if (spec.expireAfterSeconds !== undefined) listed.expireAfterSeconds = spec.expireAfterSeconds;
  if (isTrue(spec.hidden)) listed.hidden = true;
  if (isTrue(spec.prepareUnique)) listed.prepareUnique = true;
  return {
    slot,
    name,
    key,
    spec: listed,
    fields: indexFields(key),
    unique,
    sparse,
    hidden: isTrue(spec.hidden),
    prepareUnique: isTrue(spec.prepareUnique),
    partial: filter && { filter, matches: compileFilter(filter) },
    expireAfterSeconds,
    usage: { ops: 0, since: new Date() },
    multikey: false,
    truncated: false,
  };
}

const partialOperators = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte', '$exists', '$type']);

/** Only conditions that say what is there: from them the planner can tell that a query needs nothing else. */
function checkPartialFilter(filter: Doc): void {
  for (const name of Object.keys(filter)) {
    const operand = filter[name]!;
    if ((name === '$and' || name === '$or') && Array.isArray(operand)) {
      for (const clause of operand) if (isDoc(clause)) checkPartialFilter(clause);
      continue;
    }
    const operators = isOperatorDoc(operand) ? Object.keys(operand) : [];
    const absent = isOperatorDoc(operand) && operand.$exists === false;
    if (
      name.startsWith('$') ||
      absent ||
      isRegex(operand) ||
      !operators.every((operator) => partialOperators.has(operator))
    ) {
      throw new CommandError(
        'CannotCreateIndex',
        `Expression not supported in partial index: ${describe({ [name]: operand })}`,
      );
    }
  }
}

const isTrue = (value: Value | undefined): boolean =>
  value === true || (value !== undefined && isNumber(value) && compareNumbers(value, 0) !== 0);

function expiry(value: Value | undefined, key: Doc): number | undefined {
  if (value === undefined) return undefined;
  if (!isNumber(value))
    throw new CommandError('CannotCreateIndex', 'TTL index expireAfterSeconds option must be numeric');
  if (Object.keys(key).length > 1)
    throw new CommandError(
      'CannotCreateIndex',
      'TTL indexes are single-field indexes, compound indexes do not support TTL',
    );
  const seconds = toDouble(value);
  if (seconds < 0)
    throw new CommandError(
      'CannotCreateIndex',
      'TTL index expireAfterSeconds option must be within an acceptable range, try a higher number',
    );
  return seconds;
}

function indexFields(key: Doc): Index['fields'] {
  const paths = Object.keys(key);
  if (paths.length === 0) throw new CommandError('CannotCreateIndex', 'Index keys cannot be an empty object');
  if (paths.length > 32) throw new CommandError('CannotCreateIndex', 'Index key pattern may have at most 32 fields');
  return paths.map((path) => {
    const kind = key[path]!;
    if (path === '' || path.split('.').includes(''))
      throw new CommandError('CannotCreateIndex', 'Index keys cannot contain an empty field.');
    if (path.includes('$**'))
      throw new CommandError('CannotCreateIndex', 'wildcard indexes are not supported by this server');
    if (path.startsWith('$'))
      throw new CommandError(
        'CannotCreateIndex',
        `Index key contains an illegal field name: field name starts with '$'.`,
      );
    if (typeof kind === 'string' && refused[kind])
      throw new CommandError('CannotCreateIndex', `${refused[kind]} are not supported by this server`);
    if (kind !== 'hashed' && !isNumber(kind)) {
      throw new CommandError(
        'CannotCreateIndex',
        typeof kind === 'string'
          ? `Unknown index plugin '${kind}'`
          : `Values in v:2 index key pattern cannot be of this type. Only numbers > 0, numbers < 0, and strings are allowed.`,
      );
    }
    if (kind !== 'hashed' && compareNumbers(kind, 0) === 0)
      throw new CommandError('CannotCreateIndex', 'Values in the index key pattern cannot be 0.');
    return { path, parts: path.split('.'), descending: kind !== 'hashed' && compareNumbers(kind, 0) < 0 };
  });
}
