import { BSONRegExp } from 'bson';
import { CommandError } from '../command-error';
import { compareValues } from '../bson/compare';
import { isDoc, typeOrder, TypeOrder, type Doc, type Value } from '../bson/value';
import { bitTest } from './bits';
import { equalTest, inTest, orderTest, regexTest } from './comparisons';
import { anyValue, positional, type Matcher, type ValueTest } from './path';
import { isReference } from './reference';
import { isRegex } from './regex';
import { modTest, sizeOperand, typeTest } from './value-tests';

/** One condition on a field: `atPath` over all values a path reaches, `atValue` on one value ($elemMatch on scalars). */
export interface Predicate {
  atPath: (parts: readonly string[]) => Matcher;
  atValue: ValueTest;
}

/** How operators compile the filters and predicates inside them. */
export interface Nested {
  filter: (filter: Doc) => Matcher;
  predicates: (operand: Value) => Predicate[];
}

const any = (test: ValueTest, expand = true): Predicate => ({
  atPath: (parts) => (doc) => anyValue(doc, parts, 0, test, expand),
  atValue: test,
});

const not = (predicates: Predicate[]): Predicate => ({
  atPath: (parts) => {
    const matchers = predicates.map((predicate) => predicate.atPath(parts));
    return (doc) => {
      const before = positional.index;
      const matched = matchers.every((matches) => matches(doc));
      positional.index = before;
      return !matched;
    };
  },
  atValue: (value) => !predicates.every((predicate) => predicate.atValue(value)),
});

/** `$eq`, of the value at a path or any element of an array there. */
export const equals = (operand: Value): Predicate => any(equalTest(operand));

/** `$regex`, in the same way. */
export function regexPredicate(regex: BSONRegExp): Predicate {
  return any(regexTest(regex));
}

function allPredicate(operand: Value, nested: Nested): Predicate {
  if (!Array.isArray(operand)) throw new CommandError('BadValue', '$all needs an array');
  const each = operand.map((item) => {
    const first = isDoc(item) ? Object.keys(item)[0] : undefined;
    if (first === '$elemMatch') return elemMatch((item as Doc).$elemMatch!, nested);
    if (first?.startsWith('$') && !isReference(first)) throw new CommandError('BadValue', 'no $ expressions in $all');
    return isRegex(item) ? regexPredicate(item) : equals(item);
  });
  return {
    atPath: (parts) => {
      const matchers = each.map((predicate) => predicate.atPath(parts));
      return (doc) => matchers.length > 0 && matchers.every((matches) => matches(doc));
    },
    atValue: (value) => each.length > 0 && each.every((predicate) => predicate.atValue(value)),
  };
}

const logical = new Set(['$and', '$or', '$nor', '$expr']);

function elemMatch(operand: Value, nested: Nested): Predicate {
  if (!isDoc(operand)) throw new CommandError('BadValue', '$elemMatch needs an Object');
  const first = Object.keys(operand)[0];
  let matches: ValueTest;
  if (first?.startsWith('$') && !logical.has(first) && !isReference(first)) {
    const predicates = nested.predicates(operand);
    matches = (value) => predicates.every((predicate) => predicate.atValue(value));
  } else {
    const filter = nested.filter(operand);
    matches = (value) => (isDoc(value) || Array.isArray(value)) && filter(value as Doc);
  }
  return any((value) => {
    if (!Array.isArray(value)) return false;
    for (let i = 0; i < value.length; i++) {
      if (!matches(value[i])) continue;
      positional.index = i;
      return true;
    }
    return false;
  }, false);
}

function notPredicate(operand: Value, nested: Nested): Predicate {
  if (isRegex(operand)) return not([regexPredicate(operand)]);
  if (!isDoc(operand)) throw new CommandError('BadValue', '$not needs a regex or a document');
  if (Object.keys(operand).length === 0) throw new CommandError('BadValue', '$not cannot be empty');
  return not(compileOperators(operand, nested));
}

/** Predicates of a document of operators; throws BadValue for an unknown one. */
export function compileOperators(operators: Doc, nested: Nested): Predicate[] {
  return Object.keys(operators).flatMap((name) => compileOperator(name, operators[name]!, operators, nested) ?? []);
}

function compileOperator(name: string, operand: Value, siblings: Doc, nested: Nested): Predicate | undefined {
  switch (name) {
    case '$eq':
      return equals(operand);
    case '$ne':
      return not([equals(operand)]);
    case '$in':
      return any(inTest(operand));
    case '$nin':
      if (!Array.isArray(operand)) throw new CommandError('BadValue', '$nin needs an array');
      return not([any(inTest(operand))]);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (isRegex(operand)) throw new CommandError('BadValue', `Can't have RegEx as arg to predicate over field`);
      return any(orderTest(name, operand));
    case '$exists': {
      const exists = any((value) => value !== undefined, false);
      return isFalse(operand) ? not([exists]) : exists;
    }
    case '$regex':
      return regexPredicate(regexOperand(operand, siblings.$options));
    case '$options':
      if (siblings.$regex === undefined) throw new CommandError('BadValue', '$options needs a $regex');
      return undefined;
    case '$not':
      return notPredicate(operand, nested);
    case '$all':
      return allPredicate(operand, nested);
    case '$elemMatch':
      return elemMatch(operand, nested);
    case '$size': {
      const size = sizeOperand(operand);
      return any((value) => Array.isArray(value) && value.length === size, false);
    }
    case '$type':
      return any(typeTest(operand));
    case '$mod':
      return any(modTest(operand));
    case '$bitsAllSet':
    case '$bitsAllClear':
    case '$bitsAnySet':
    case '$bitsAnyClear':
      return any(bitTest(name, operand));
    case '$comment':
      return undefined;
    case '$near':
    case '$nearSphere':
    case '$geoWithin':
    case '$geoIntersects':
      throw new CommandError('BadValue', `${name} is not supported: this server has no geospatial indexes`);
    default:
      throw new CommandError('BadValue', `unknown operator: ${name}`);
  }
}

const isFalse = (value: Value): boolean =>
  value === false || value === null || (typeOrder(value) === TypeOrder.number && compareValues(value, 0) === 0);

function regexOperand(operand: Value, options: Value | undefined): BSONRegExp {
  if (options !== undefined && typeof options !== 'string')
    throw new CommandError('BadValue', '$options has to be a string');
  if (isRegex(operand)) return options ? new BSONRegExp(operand.pattern, options) : operand;
  if (typeof operand !== 'string') throw new CommandError('BadValue', '$regex has to be a string');
  return new BSONRegExp(operand, options ?? '');
}
