import { isDoc, type Doc, type Value } from '../bson/value';
import { kind, naiveCompare } from './naive-order';

/** A value that a path reaches; `whole`: by its position in an array, so that an array is not taken apart. */
interface Reached {
  value: Value | undefined;
  whole?: true;
}

/** Everything that a path reaches, listed as mongod's `BSONElementIterator` (path.cpp) goes through it. */
function reached(value: Value | undefined, [head, ...rest]: string[]): Reached[] {
  if (head === undefined) return [{ value }];
  if (isDoc(value)) return reached(value[head], rest);
  if (!Array.isArray(value)) return [{ value: undefined }];
  return value.flatMap((item, i) => {
    const through = isDoc(item) ? reached(item, [head, ...rest]) : [];
    if (String(i) !== head) return through;
    if (rest.length === 0) return [...through, { value: item, whole: true as const }];
    return isDoc(item) || Array.isArray(item) ? [...through, ...reached(item, rest)] : through;
  });
}

const expanded = (all: Reached[]): (Value | undefined)[] =>
  all.flatMap(({ value, whole }) => (Array.isArray(value) && !whole ? [...value, value] : [value]));

/** MongoDB's filters written the slow and obvious way. */
export function matchesFilter(doc: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    const clauses = condition as Doc[];
    if (name === '$and') return clauses.every((clause) => matchesFilter(doc, clause));
    if (name === '$or') return clauses.some((clause) => matchesFilter(doc, clause));
    if (name === '$nor') return !clauses.some((clause) => matchesFilter(doc, clause));
    return meets(reached(doc, name.split('.')), condition);
  });
}

const operatorsOf = (condition: Value): Doc =>
  isDoc(condition) && Object.keys(condition)[0]?.startsWith('$') ? condition : { $eq: condition };

const meets = (all: Reached[], condition: Value): boolean =>
  Object.entries(operatorsOf(condition)).every(([operator, operand]) => holds(all, operator, operand));

const isNothing = (value: Value | undefined): boolean => value === null || value === undefined;

const equal = (value: Value | undefined, operand: Value): boolean =>
  operand === null ? isNothing(value) : value !== undefined && naiveCompare(value, operand) === 0;

function holds(all: Reached[], operator: string, operand: Value): boolean {
  const some = (test: (value: Value | undefined) => boolean): boolean => expanded(all).some(test);
  const list = operand as Value[];
  switch (operator) {
    case '$eq':
      return some((value) => equal(value, operand));
    case '$ne':
      return !some((value) => equal(value, operand));
    case '$in':
      return some((value) => list.some((item) => equal(value, item)));
    case '$nin':
      return !some((value) => list.some((item) => equal(value, item)));
    case '$all':
      return list.every((item) => some((value) => equal(value, item)));
    case '$not':
      return !meets(all, operand);
    case '$exists':
      return all.some(({ value }) => value !== undefined) === operand;
    case '$size':
      return all.some(({ value }) => Array.isArray(value) && value.length === operand);
    case '$mod':
      return some((value) => typeof value === 'number' && Math.trunc(value) % (list[0] as number) === list[1]);
    case '$type':
      return some((value) => value !== undefined && kind(value).toLowerCase() === typeKind(operand as string));
    case '$elemMatch':
      return all.some(({ value }) => Array.isArray(value) && value.some((item) => elementMeets(item, operand as Doc)));
    default:
      return some((value) => ordered(value, operator, operand));
  }
}

const typeKind = (name: string): string => (name === 'bool' ? 'boolean' : name);

const elementMeets = (item: Value, condition: Doc): boolean =>
  Object.keys(condition)[0]!.startsWith('$')
    ? meets([{ value: item, whole: true }], condition)
    : isDoc(item) && matchesFilter(item, condition);

function ordered(value: Value | undefined, operator: string, operand: Value): boolean {
  if (operand === null) return operator.endsWith('e') && isNothing(value);
  if (value === undefined || kind(value) !== kind(operand)) return false;
  const order = naiveCompare(value, operand);
  return { $gt: order > 0, $gte: order >= 0, $lt: order < 0, $lte: order <= 0 }[operator]!;
}
