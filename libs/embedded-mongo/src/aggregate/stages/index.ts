import { CommandError } from '../../command-error';
import { type ErrorName } from '../../error-codes';
import { isNumber, toDouble } from '../../bson/arithmetic';
import { isDoc, type Doc, type Value } from '../../bson/value';
import { compileFilter } from '../../query/compile-filter';
import { compileSort, Sorter } from '../../query/sort';
import { compileExpression } from '../compile-expression';
import { bucket } from './bucket';
import { facet } from './facet';
import { groupStage } from './group';
import { graphLookup } from './graph-lookup';
import { lookup } from './lookup';
import { mingoStages } from './delegated';
import { type CompileStage } from '../stage';
import { redact } from './redact';
import { sample } from './sample';
import { unwind } from './unwind';

const match: CompileStage = (operand, { variables }) => {
  if (!isDoc(operand)) throw new CommandError('Location15959', 'the match filter must be an expression in an object');
  const matches = compileFilter(operand, variables);
  return function* (docs) {
    for (const doc of docs) if (!doc || matches(doc)) yield doc;
  };
};

function wholeNumber(name: string, operand: Value, least: number): number {
  const value = isNumber(operand) ? toDouble(operand) : NaN;
  const limits = name === '$limit';
  if (!Number.isInteger(value))
    throw new CommandError(
      limits ? 'Location5107201' : 'Location5107200',
      `invalid argument to ${name} stage: Expected a number in: ${name}: ${String(operand)}`,
    );
  if (value < least)
    throw new CommandError(
      limits ? 'Location15958' : 'Location15956',
      limits ? 'the limit must be positive' : `Argument to ${name} cannot be negative`,
    );
  return value;
}

const limit: CompileStage = (operand) => {
  const count = wholeNumber('$limit', operand, 1);
  return function* (docs) {
    let seen = 0;
    for (const doc of docs) {
      yield doc;
      if (doc && ++seen === count) return;
    }
  };
};

const skip: CompileStage = (operand) => {
  const count = wholeNumber('$skip', operand, 0);
  return function* (docs) {
    let seen = 0;
    for (const doc of docs) if (!doc || ++seen > count) yield doc;
  };
};

const sort: CompileStage = (operand) => {
  if (!isDoc(operand)) throw new CommandError('Location15973', 'the $sort key specification must be an object');
  if (Object.keys(operand).length === 0)
    throw new CommandError('Location15976', '$sort stage must have at least one sort key');
  const keyOf = compileSort(operand);
  return function* (docs) {
    const sorter = new Sorter<Doc>();
    for (const doc of docs) {
      if (doc) sorter.add(keyOf(doc), doc, 512);
      else yield undefined;
    }
    yield* sorter.sorted();
  };
};

const count: CompileStage = (operand) => {
  if (typeof operand !== 'string' || operand === '')
    throw new CommandError('Location40156', 'the count field must be a non-empty string');
  return function* (docs) {
    let n = 0;
    for (const doc of docs) {
      if (doc) n++;
      else yield undefined;
    }
    if (n > 0) yield { [operand]: n };
  };
};

const sortByCount: CompileStage = (operand, context, _name, compile) => {
  const groups = groupStage({ _id: operand, count: { $sum: 1 } }, context, '$group', compile);
  const order = sort({ count: -1 }, context, '$sort', compile);
  return (docs) => order(groups(docs));
};

const unionWith: CompileStage = (operand, context, _name, compile) => {
  const spec = typeof operand === 'string' ? { coll: operand } : operand;
  if (!isDoc(spec) || typeof spec.coll !== 'string')
    throw new CommandError('FailedToParse', '$unionWith requires a collection name');
  const { coll, pipeline = [] } = spec;
  const run = compile(pipeline as Doc[], context);
  return function* (docs) {
    yield* docs;
    yield* run(context.documents(coll, {}));
  };
};

const documents: CompileStage = (operand, { variables }) => {
  const expression = compileExpression(operand);
  return function* () {
    const list = expression({}, variables);
    if (!Array.isArray(list) || !list.every(isDoc))
      throw new CommandError('Location5858203', '$documents must evaluate to an array of objects');
    yield* list;
  };
};

const refused =
  (code: ErrorName, message: string): CompileStage =>
  () => {
    throw new CommandError(code, message);
  };

/** The stages that are not one document in, one document out. `$out` and `$merge`, which write, are the command's. */
export const stages: Record<string, CompileStage> = {
  ...mingoStages,
  $match: match,
  $limit: limit,
  $skip: skip,
  $sort: sort,
  $count: count,
  $group: groupStage,
  $sortByCount: sortByCount,
  $facet: facet,
  $sample: sample,
  $bucket: bucket,
  $unionWith: unionWith,
  $unwind: unwind,
  $lookup: lookup,
  $graphLookup: graphLookup,
  $redact: redact,
  $documents: documents,
  $geoNear: refused('CommandNotSupported', '$geoNear is not supported by this server'),
  $search: refused('CommandNotSupported', '$search is not supported by this server'),
  $collStats: refused('Location40602', '$collStats is only valid as the first stage in a pipeline.'),
  $indexStats: refused('Location40602', '$indexStats is only valid as the first stage in a pipeline.'),
  $out: refused('Location40601', '$out can only be the final stage in the pipeline'),
  $merge: refused('Location40601', '$merge can only be the final stage in the pipeline'),
};
