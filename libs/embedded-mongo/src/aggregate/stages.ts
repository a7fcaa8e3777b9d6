import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { compareValues } from '../bson/compare';
import { typeName } from '../bson/type-name';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { compileSort, Sorter } from '../query/sort';
import { compileExpression } from './compile-expression';
import { compileAccumulator, groupStage } from './group';
import { graphLookup } from './graph-lookup';
import { lookup } from './lookup';
import { mingoStages } from './stages-delegated';
import { compilePipeline, type CompileStage } from './pipeline';
import { redact } from './redact';
import { unwind } from './unwind';

const match: CompileStage = (operand, { variables }) => {
  if (!isDoc(operand)) throw new CommandError(15959, 'the match filter must be an expression in an object');
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
      limits ? 5107201 : 5107200,
      `invalid argument to ${name} stage: Expected a number in: ${name}: ${String(operand)}`,
    );
  if (value < least)
    throw new CommandError(
      limits ? 15958 : 15956,
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
  if (!isDoc(operand)) throw new CommandError(15973, 'the $sort key specification must be an object');
  if (Object.keys(operand).length === 0) throw new CommandError(15976, '$sort stage must have at least one sort key');
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
    throw new CommandError(40156, 'the count field must be a non-empty string');
  return function* (docs) {
    let n = 0;
    for (const doc of docs) {
      if (doc) n++;
      else yield undefined;
    }
    if (n > 0) yield { [operand]: n };
  };
};

const sortByCount: CompileStage = (operand, context) => {
  const groups = groupStage({ _id: operand, count: { $sum: 1 } }, context, '$group');
  const order = sort({ count: -1 }, context, '$sort');
  return (docs) => order(groups(docs));
};

const facet: CompileStage = (operand, context) => {
  if (!isDoc(operand) || Object.keys(operand).length === 0)
    throw new CommandError(40169, 'the $facet specification must be a non-empty object');
  const pipelines = Object.keys(operand).map((name) => {
    const pipeline = operand[name];
    if (!Array.isArray(pipeline))
      throw new CommandError(40170, `arguments to $facet must be arrays, ${name} is type ${typeName(pipeline)}`);
    return { name, run: compilePipeline(pipeline as Doc[], context) };
  });
  return function* (docs) {
    const all: Doc[] = [];
    for (const doc of docs) {
      if (doc) all.push(doc);
      else yield undefined;
    }
    const result: Doc = {};
    for (const { name, run } of pipelines) {
      const found: Doc[] = [];
      for (const doc of run(all)) {
        if (doc) found.push(doc);
        else yield undefined;
      }
      result[name] = found;
    }
    yield result;
  };
};

const sample: CompileStage = (operand) => {
  const size = isDoc(operand) && isNumber(operand.size) ? toDouble(operand.size!) : NaN;
  if (!Number.isInteger(size) || size < 1)
    throw new CommandError(28747, 'size argument to $sample must be a positive integer');
  return function* (docs) {
    // Reservoir sampling: every document is as likely to stay.
    const kept: Doc[] = [];
    let seen = 0;
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const place = Math.floor(Math.random() * ++seen);
      if (kept.length < size) kept.splice(place, 0, doc);
      else if (place < size) kept[place] = doc;
    }
    yield* kept;
  };
};

const bucket: CompileStage = (operand, { variables }) => {
  if (!isDoc(operand) || !Array.isArray(operand.boundaries) || operand.groupBy === undefined) {
    throw new CommandError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  const { boundaries, default: fallback, output = { count: { $sum: 1 } } } = operand;
  const groupBy = compileExpression(operand.groupBy);
  const fields = Object.keys(output as Doc).map((name) => ({
    name,
    start: compileAccumulator(name, (output as Doc)[name]!),
  }));
  return function* (docs) {
    const start = (): { state: ReturnType<(typeof fields)[number]['start']>; name: string }[] =>
      fields.map(({ name, start }) => ({ name, state: start() }));
    const buckets = new Map<Value, ReturnType<typeof start>>();
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const value = groupBy(doc, variables);
      const at = boundaries.findLastIndex((boundary) => compareValues(value, boundary) >= 0);
      const inside = value !== undefined && at >= 0 && at < boundaries.length - 1;
      if (!inside && fallback === undefined)
        throw new CommandError(
          40066,
          '$switch could not find a matching branch for an input, and no default was specified.',
        );
      const id = inside ? boundaries[at]! : fallback!;
      const states = buckets.get(id) ?? start();
      buckets.set(id, states);
      for (const { state } of states) state.add(doc, variables);
    }
    const ordered = [...buckets].sort(([a], [b]) => compareValues(a, b));
    for (const [_id, states] of ordered) {
      const result: Doc = { _id };
      for (const { name, state } of states) result[name] = state.result() ?? null;
      yield result;
    }
  };
};

const unionWith: CompileStage = (operand, context) => {
  const spec = typeof operand === 'string' ? { coll: operand } : operand;
  if (!isDoc(spec) || typeof spec.coll !== 'string') throw new CommandError(9, '$unionWith requires a collection name');
  const { coll, pipeline = [] } = spec;
  const run = compilePipeline(pipeline as Doc[], context);
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
      throw new CommandError(5858203, '$documents must evaluate to an array of objects');
    yield* list;
  };
};

const refused =
  (code: number, message: string): CompileStage =>
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
  $geoNear: refused(115, '$geoNear is not supported by this server'),
  $search: refused(115, '$search is not supported by this server'),
  $out: refused(40601, '$out can only be the final stage in the pipeline'),
  $merge: refused(40601, '$merge can only be the final stage in the pipeline'),
};
