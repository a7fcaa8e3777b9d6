import { isDoc, type Doc, type Value } from '../bson/value';
import { kind, naiveCompare } from './naive-order';

/** What a collection does, written the slow and obvious way: the model that the real one is checked against. */
export class NaiveCollection {
  docs: Doc[] = [];

  insert(doc: Doc): boolean {
    if (this.docs.some(({ _id }) => naiveCompare(_id, doc._id) === 0)) return false;
    this.docs.push(structuredCopy(doc) as Doc);
    return true;
  }

  find(filter: Doc, sort: Doc = {}): Doc[] {
    const found = this.docs.filter((doc) => naiveMatch(doc, filter));
    return found.sort((a, b) => {
      for (const [path, direction] of Object.entries(sort)) {
        const result = naiveCompare(sortValue(a, path, direction as number), sortValue(b, path, direction as number));
        if (result !== 0) return result * (direction as number);
      }
      return 0;
    });
  }

  remove(filter: Doc): number {
    const before = this.docs.length;
    this.docs = this.docs.filter((doc) => !naiveMatch(doc, filter));
    return before - this.docs.length;
  }

  set(filter: Doc, field: string, value: Value | undefined): number {
    const found = this.docs.filter((doc) => naiveMatch(doc, filter));
    for (const doc of found) {
      if (value === undefined) delete doc[field];
      else doc[field] = structuredCopy(value);
    }
    return found.length;
  }
}

/** A copy with the same classes inside. */
function structuredCopy(value: Value): Value {
  if (Array.isArray(value)) return value.map(structuredCopy);
  if (!isDoc(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, structuredCopy(inner)]));
}

/** The values at a path: of arrays on the way, those in their documents. */
function reach(value: Value | undefined, path: string[]): (Value | undefined)[] {
  if (path.length === 0) return [value];
  const [name, ...rest] = path as [string, ...string[]];
  if (Array.isArray(value)) return value.filter(isDoc).flatMap((item) => reach(item, path));
  return isDoc(value) ? reach(value[name], rest) : [undefined];
}

/** As `reach`, with the items of an array at the end beside the array. */
const candidates = (doc: Doc, path: string): (Value | undefined)[] =>
  reach(doc, path.split('.')).flatMap((value) => (Array.isArray(value) ? [value, ...value] : [value]));

function naiveMatch(doc: Doc, filter: Doc): boolean {
  return Object.entries(filter).every(([name, condition]) => {
    if (name === '$and') return (condition as Doc[]).every((clause) => naiveMatch(doc, clause));
    if (name === '$or') return (condition as Doc[]).some((clause) => naiveMatch(doc, clause));
    if (name === '$nor') return !(condition as Doc[]).some((clause) => naiveMatch(doc, clause));
    const operators = isDoc(condition) && Object.keys(condition)[0]?.startsWith('$') ? condition : { $eq: condition };
    return Object.entries(operators).every(([operator, operand]) => naiveOperator(doc, name, operator, operand));
  });
}

function naiveOperator(doc: Doc, path: string, operator: string, operand: Value): boolean {
  switch (operator) {
    case '$ne':
      return !naiveOperator(doc, path, '$eq', operand);
    case '$nin':
      return !naiveOperator(doc, path, '$in', operand);
    case '$in':
      return (operand as Value[]).some((value) => naiveOperator(doc, path, '$eq', value));
    case '$not':
      return !naiveMatch(doc, { [path]: operand });
    case '$exists':
      return reach(doc, path.split('.')).some((value) => value !== undefined) === operand;
    case '$size':
      return reach(doc, path.split('.')).some((value) => Array.isArray(value) && value.length === operand);
    case '$elemMatch':
      return reach(doc, path.split('.')).some(
        (value) =>
          Array.isArray(value) &&
          value.some((item) => Object.entries(operand as Doc).every(([op, to]) => passes(item, op, to))),
      );
    default:
      return candidates(doc, path).some((value) => passes(value, operator, operand));
  }
}

const isNaNValue = (value: Value): boolean => kind(value) === 'number' && String(value) === 'NaN';

function passes(value: Value | undefined, operator: string, operand: Value): boolean {
  if (operand === null && operator !== '$gt' && operator !== '$lt') return value === null || value === undefined;
  if (operator === '$eq') return value !== undefined && naiveCompare(value, operand) === 0;
  const extreme = ['MinKey', 'MaxKey'].includes(kind(operand));
  const given = value === undefined && extreme ? null : value;
  if (given === undefined || (!extreme && kind(given) !== kind(operand))) return false;
  if (!extreme && (isNaNValue(given) || isNaNValue(operand)))
    return operator.endsWith('e') && isNaNValue(given) && isNaNValue(operand);
  const result = naiveCompare(given, operand);
  return { $gt: result > 0, $gte: result >= 0, $lt: result < 0, $lte: result <= 0 }[operator]!;
}

/** An array sorts by its least item, or its greatest when descending; a missing field as null, an empty array below it. */
function sortValue(doc: Doc, path: string, direction: number): Value | undefined {
  const values = reach(doc, path.split('.')).flatMap((value): (Value | undefined)[] => {
    if (Array.isArray(value)) return value.length === 0 ? [undefined] : value;
    return [value ?? null];
  });
  if (values.length === 0) return null;
  return values.reduce((best, value) => (naiveCompare(value, best) * direction < 0 ? value : best));
}
