import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { valuesEqual } from '../bson/compare';
import { describe } from '../bson/describe';
import { isDoc, type Doc, type Value } from '../bson/value';
import { findIndex, type Collection, type Index } from '../storage/collection';
import { parseIndexSpec } from '../storage/index-spec';
import { slotPrefix } from '../storage/keys';
import { type WriteTransaction } from '../storage/write-transaction';
import { buildIndex, duplicates } from './build-index';
import { checkValidator } from './collection-options';
import { checkView, isView } from './views';
import { boolField, collectionName, docField, type Command } from './command';

const fixedOptions = ['cappedSize', 'cappedMax', 'timeseries', 'expireAfterSeconds'];
const validation = ['validator', 'validationLevel', 'validationAction'];

/** Changes a TTL index's time, hides an index, makes it unique in two steps, or replaces the validator; the rest of collMod is refused. */
export function collModCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  const refused = fixedOptions.find((option) => body[option] !== undefined);
  if (refused) throw new CommandError('CommandNotSupported', `collMod with ${refused} is not supported by this server`);
  const change = docField(body, 'index');
  if (change) checkChange(change);
  return engine.writes.run<Doc>((transaction): Doc => {
    const collection = transaction.collection(db, name);
    if (!collection) throw new CommandError('NamespaceNotFound', `ns does not exist: ${db}.${name}`);
    if (isView(collection)) return changeView(command, transaction, collection);
    if (body.viewOn !== undefined || body.pipeline !== undefined)
      throw new CommandError('InvalidOptions', 'collMod: not a view');
    const options: Doc = { ...collection.options };
    for (const option of validation) if (body[option] !== undefined) options[option] = body[option];
    checkValidator(options);
    if (isDoc(options.validator) && Object.keys(options.validator).length === 0) delete options.validator;
    const changed = { ...collection, options };
    if (!valuesEqual(options, collection.options)) transaction.setCollection(changed);
    if (!change) return {};
    const index = findIndex(collection, change.name ?? change.keyPattern);
    if (!index)
      throw new CommandError(
        'IndexNotFound',
        `cannot find index ${describe(change.name ?? change.keyPattern)} for ns ${db}.${name}`,
      );
    return changeIndex(transaction, changed, index, change);
  });
}

function changeView({ body, db, name, engine }: Command, transaction: WriteTransaction, view: Collection): Doc {
  const other = [...validation, 'index'].find((option) => body[option] !== undefined);
  if (other) throw new CommandError('InvalidOptions', `option not supported on a view: ${other}`);
  const { viewOn, pipeline } = body;
  if (viewOn === undefined || pipeline === undefined)
    throw new CommandError('InvalidOptions', "Must specify both 'viewOn' and 'pipeline' when modifying a view");
  const options: Doc = { viewOn, pipeline };
  checkView(engine, db, String(body[name]), options);
  transaction.setCollection({ ...view, options });
  return {};
}

const changes = ['expireAfterSeconds', 'hidden', 'unique', 'prepareUnique'];

function checkChange(change: Doc): void {
  if (change.name !== undefined && change.keyPattern !== undefined)
    throw new CommandError('InvalidOptions', 'Cannot specify both key pattern and name.');
  if (change.name === undefined && change.keyPattern === undefined)
    throw new CommandError('InvalidOptions', 'Must specify either index name or key pattern.');
  if (!changes.some((name) => change[name] !== undefined))
    throw new CommandError('InvalidOptions', 'no expireAfterSeconds, hidden, unique, or prepareUnique field');
  if (change.unique !== undefined && !boolField(change, 'unique'))
    throw new CommandError('BadValue', 'Cannot make index non-unique');
}

function changeIndex(transaction: WriteTransaction, collection: Collection, index: Index, change: Doc): Doc {
  const spec: Doc = { ...index.spec };
  const reply: Doc = {};
  if (change.expireAfterSeconds !== undefined) changeExpiry(index, spec, change.expireAfterSeconds, reply);
  for (const name of ['hidden', 'prepareUnique'] as const) {
    if (change[name] === undefined) continue;
    const wanted = boolField(change, name);
    if (wanted === index[name]) continue;
    reply[`${name}_old`] = index[name];
    reply[`${name}_new`] = wanted;
    if (wanted) spec[name] = true;
    else delete spec[name];
  }
  if (change.unique !== undefined && !index.unique) return convert(transaction, collection, index, spec, reply);
  const { multikey, truncated } = index;
  const changed = { ...parseIndexSpec(spec, index.slot), multikey, truncated };
  transaction.setCollection({ ...collection, indexes: replaced(collection, index, changed) });
  return reply;
}

function changeExpiry(index: Index, spec: Doc, seconds: Value, reply: Doc): void {
  if (!isNumber(seconds) || toDouble(seconds) < 0)
    throw new CommandError('InvalidOptions', 'expireAfterSeconds field must be a non-negative number');
  if (index.expireAfterSeconds !== undefined) reply.expireAfterSeconds_old = spec.expireAfterSeconds!;
  reply.expireAfterSeconds_new = seconds;
  spec.expireAfterSeconds = seconds;
}

const replaced = ({ indexes }: Collection, index: Index, by: Index): Index[] =>
  indexes.map((other) => (other.slot === index.slot ? by : other));

/** Builds the index anew: the entries of a unique one have another form. */
function convert(
  transaction: WriteTransaction,
  collection: Collection,
  index: Index,
  { prepareUnique, ...spec }: Doc,
  reply: Doc,
): Doc {
  if (prepareUnique !== true)
    throw new CommandError(
      'InvalidOptions',
      "Cannot make index unique with 'prepareUnique=false'. Run collMod to set it first.",
    );
  const violations = duplicates(transaction, collection, index);
  if (violations.length > 0)
    throw new CommandError(
      'CannotConvertIndexToUnique',
      'Cannot convert the index to unique. Please resolve conflicting documents before running collMod again.',
      { violations },
    );
  transaction.discard(slotPrefix(collection.number, index.slot));
  const unique = parseIndexSpec({ ...spec, unique: true }, collection.nextSlot);
  buildIndex(
    transaction,
    { ...collection, indexes: replaced(collection, index, unique), nextSlot: collection.nextSlot + 1 },
    unique,
  );
  return { ...reply, unique_new: true };
}
