import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { compileSort, Sorter } from '../query/sort';
import { groupStage } from './group';
import { type CompileStage } from './pipeline';

const match: CompileStage = (operand) => {
  if (!isDoc(operand)) throw new CommandError(15959, 'the match filter must be an expression in an object');
  const matches = compileFilter(operand);
  return function* (docs) {
    for (const doc of docs) if (!doc || matches(doc)) yield doc;
  };
};

const positiveInteger = (name: string, operand: Value, least: number): number => {
  const value = isNumber(operand) ? toDouble(operand) : NaN;
  if (!Number.isInteger(value))
    throw new CommandError(
      name === '$limit' ? 5107201 : 5107200,
      `invalid argument to ${name} stage: Expected a number in: ${name}: ${String(operand)}`,
    );
  if (value < least)
    throw new CommandError(
      name === '$limit' ? 15958 : 15956,
      least === 1 ? 'the limit must be positive' : `Argument to ${name} cannot be negative`,
    );
  return value;
};

const limit: CompileStage = (operand) => {
  const count = positiveInteger('$limit', operand, 1);
  return function* (docs) {
    let seen = 0;
    for (const doc of docs) {
      yield doc;
      if (doc && ++seen === count) return;
    }
  };
};

const skip: CompileStage = (operand) => {
  const count = positiveInteger('$skip', operand, 0);
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

/** The stages that are not one document in, one document out. */
export const stages: Record<string, CompileStage> = {
  $match: match,
  $limit: limit,
  $skip: skip,
  $sort: sort,
  $count: count,
  $group: groupStage,
};
