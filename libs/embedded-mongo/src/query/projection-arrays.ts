import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter, compilePredicates, isOperatorDoc } from './compile-filter';

/** What `find`'s projection does to an array; `keepsOthers`: what is no array stays as it is. */
export interface ArrayProjection {
  keepsOthers: boolean;
  apply: (items: Value[]) => Value | undefined;
}

/** `$slice` as find has it; undefined when it is the aggregation operator of that name. */
export function sliceProjection(operand: Value): ArrayProjection | undefined {
  if (Array.isArray(operand) && operand.length > 0 && !isNumber(operand[0])) return undefined;
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((value) => {
    if (isNumber(value)) return Math.trunc(toDouble(value));
    throw new CommandError('Location28667', 'Invalid $slice syntax. The given syntax did not match the find() syntax');
  });
  const [first, count] = numbers as [number, number | undefined];
  if (count === undefined) {
    return { keepsOthers: true, apply: (items) => (first >= 0 ? items.slice(0, first) : items.slice(first)) };
  }
  if (count <= 0)
    throw new CommandError('Location28724', 'First argument to $slice must be an array, but is of type: int');
  return {
    keepsOthers: true,
    apply: (items) => {
      const start = first < 0 ? Math.max(0, items.length + first) : first;
      return items.slice(start, start + count);
    },
  };
}

/** The first item that matches, alone. */
export function elemMatchProjection(operand: Value): ArrayProjection {
  if (!isDoc(operand)) throw new CommandError('Location31274', 'elemMatch: Invalid argument, object required');
  const matches = itemTest(operand);
  return {
    keepsOthers: false,
    apply: (items) => {
      const found = items.find(matches);
      return found === undefined ? undefined : [found];
    },
  };
}

function itemTest(operand: Doc): (item: Value) => boolean {
  const first = Object.keys(operand)[0];
  if (isOperatorDoc(operand) && !['$and', '$or', '$nor', '$expr'].includes(first!)) {
    const predicates = compilePredicates(operand);
    return (item) => predicates.every((predicate) => predicate.atValue(item));
  }
  const filter = compileFilter(operand);
  return (item) => isDoc(item) && filter(item);
}
