import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { sameKey } from '../storage/collection';
import { isDoc, type Doc } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { parseCollation } from '../bson/collation';
import { boolField } from './command';

/** What create takes besides the options it keeps. */
const ignored = new Set([
  'create', '$db', 'lsid', 'writeConcern', 'comment', 'maxTimeMS', 'apiVersion', '$clusterTime', '$readPreference', 'autoIndexId',
  'collation', 'storageEngine', 'indexOptionDefaults',
]); // prettier-ignore

const kept = [
  'validator',
  'validationLevel',
  'validationAction',
  'clusteredIndex',
  'capped',
  'size',
  'max',
  'viewOn',
  'pipeline',
  'changeStreamPreAndPostImages',
];

/** The options of `create` that say how the collection behaves; those it would have to disregard are refused. */
export function collectionOptions(body: Doc): Doc {
  if (parseCollation(body.collation))
    throw new CommandError(
      'CommandNotSupported',
      'a default collation of a collection is not supported by this server',
    );
  const refused = Object.keys(body).find((option) => !ignored.has(option) && !kept.includes(option));
  if (refused) throw new CommandError('CommandNotSupported', `create with ${refused} is not supported by this server`);
  const capped = boolField(body, 'capped');
  if (!capped && body.size !== undefined)
    throw new CommandError('InvalidOptions', "the 'capped' field needs to be true when the 'size' field is present");
  if (capped && !(isNumber(body.size) && toDouble(body.size!) > 0))
    throw new CommandError('InvalidOptions', "the 'size' field is required when 'capped' is true");
  const options: Doc = {};
  for (const option of kept) if (body[option] !== undefined && body[option] !== null) options[option] = body[option];
  if (!capped) delete options.capped;
  checkViewOptions(options);
  checkValidator(options);
  const { clusteredIndex } = options;
  if (clusteredIndex !== undefined) {
    const given: Doc = isDoc(clusteredIndex) ? clusteredIndex : {};
    if (!isDoc(given.key) || !sameKey(given.key, { _id: 1 }) || given.unique !== true) {
      throw new CommandError(
        'InvalidIndexSpecificationOption',
        'The clusteredIndex option is only supported for key: {_id: 1}, unique: true',
      );
    }
    options.clusteredIndex = { v: 2, name: '_id_', ...given };
  }
  return options;
}

function checkViewOptions(options: Doc): void {
  if (options.viewOn === undefined) {
    if (options.pipeline !== undefined)
      throw new CommandError('InvalidOptions', "'pipeline' requires 'viewOn' to also be specified");
    return;
  }
  options.pipeline ??= [];
  const other = Object.keys(options).find((option) => option !== 'viewOn' && option !== 'pipeline');
  if (other) throw new CommandError('InvalidOptions', `Cannot set both 'viewOn' and '${other}'`);
}

/** Throws mongod's error for a validator, level or action that cannot be. */
export function checkValidator({ validator, validationLevel = 'strict', validationAction = 'error' }: Doc): void {
  if (validator !== undefined && !isDoc(validator))
    throw new CommandError('TypeMismatch', "BSON field 'create.validator' must be an object");
  if (validator) compileFilter(validator);
  oneOf(validationLevel, ['off', 'strict', 'moderate']);
  oneOf(validationAction, ['error', 'warn']);
}

function oneOf(value: unknown, allowed: string[]): void {
  if (!allowed.some((option) => option === value))
    throw new CommandError('BadValue', `Enumeration value '${String(value)}' is not a valid value.`);
}
