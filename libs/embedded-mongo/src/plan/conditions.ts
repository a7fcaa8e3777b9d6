import { isDoc, type Doc, type Value } from '../bson/value';
import { isOperatorDoc } from '../query/compile-filter';
import { isReference } from '../query/reference';
import { isRegex } from '../query/regex';

/** One condition that every match must meet, on one path. */
export interface Condition {
  path: string;
  operator: string;
  operand: Value;
  /** Options of a `$regex`. */
  options?: string;
  /** Conditions of one $elemMatch hold for one and the same element, so their bounds may be intersected even in a multikey index. */
  element?: object;
}

/** What a filter asks of single paths, and so of indexes. */
export interface Conditions {
  all: Condition[];
  /** The branches of each `$or`. */
  ors: Doc[][];
  /** Something in the filter is not in `all` or `ors`, so bounds alone never decide. */
  rest: boolean;
}

/** Conditions of a filter that an index can help with. */
export function conditionsOf(filter: Doc): Conditions {
  const conditions: Conditions = { all: [], ors: [], rest: false };
  collect(filter, conditions);
  return conditions;
}

function collect(filter: Doc, into: Conditions): void {
  for (const name of Object.keys(filter)) {
    const operand = filter[name]!;
    if (name === '$and' && Array.isArray(operand)) for (const clause of operand) collect(clause as Doc, into);
    else if (name === '$or' && Array.isArray(operand)) {
      if (operand.length === 1) collect(operand[0] as Doc, into);
      else into.ors.push(operand as Doc[]);
    } else if (name === '$comment') continue;
    else if (name.startsWith('$') && !isReference(name)) into.rest = true;
    else collectField(name, operand, into);
  }
}

function collectField(path: string, operand: Value, into: Conditions, element?: object): void {
  if (isRegex(operand)) {
    into.all.push({ path, operator: '$regex', operand: operand.pattern, options: operand.options });
    return;
  }
  if (!isOperatorDoc(operand)) {
    into.all.push({ path, operator: '$eq', operand, ...(element && { element }) });
    return;
  }
  for (const operator of Object.keys(operand)) collectOperator(path, operator, operand, into, element);
}

function collectOperator(path: string, operator: string, operators: Doc, into: Conditions, element?: object): void {
  const operand = operators[operator]!;
  if (operator === '$options' || operator === '$comment') return;
  if (operator === '$regex') {
    const pattern = isRegex(operand) ? operand.pattern : String(operand);
    const options =
      typeof operators.$options === 'string' ? operators.$options : isRegex(operand) ? operand.options : '';
    into.all.push({ path, operator, operand: pattern, options });
    return;
  }
  if (operator === '$all' && Array.isArray(operand)) {
    into.rest ||= operand.length === 0;
    for (const item of operand) {
      if (isDoc(item) && Object.keys(item)[0] === '$elemMatch') collectElemMatch(path, item.$elemMatch!, into);
      else collectField(path, item, into);
    }
    return;
  }
  if (operator === '$elemMatch') return collectElemMatch(path, operand, into);
  into.all.push({ path, operator, operand, ...(element && { element }) });
}

/** Necessary but not sufficient, so the filter itself is still applied. */
function collectElemMatch(path: string, operand: Value, into: Conditions): void {
  into.rest = true;
  if (!isDoc(operand)) return;
  const element = {};
  if (isOperatorDoc(operand)) {
    if (!Object.keys(operand).some((name) => ['$and', '$or', '$nor', '$expr', '$not'].includes(name))) {
      collectField(path, operand, into, element);
    }
    return;
  }
  for (const name of Object.keys(operand)) collectField(`${path}.${name}`, operand[name]!, into, element);
}
