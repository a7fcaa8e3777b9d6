import { CommandError } from '../command-error';
import { toDouble } from '../bson/arithmetic';
import { compareValues, valuesEqual } from '../bson/compare';
import { typeName } from '../bson/type-name';
import { getField, isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter, compilePredicates, isOperatorDoc } from '../query/compile-filter';
import { isRegex } from '../query/regex';
import { describe } from '../bson/describe';
import { KEEP, type CompileOperation, type UpdateContext } from './path-update';

function arrayAt(operator: string, path: string, old: Value, { doc }: UpdateContext): Value[] {
  if (Array.isArray(old)) return old;
  if (operator === '$push') {
    throw new CommandError(
      'BadValue',
      `The field '${path}' must be an array but is of type ${typeName(old)} in document {_id: ${describe(doc._id)}}`,
    );
  }
  if (operator === '$addToSet') {
    throw new CommandError(
      'BadValue',
      `Cannot apply $addToSet to non-array field. Field named '${path.split('.').at(-1)}' has non-array type ${typeName(old)}`,
    );
  }
  throw new CommandError(
    operator === '$pop' ? 'TypeMismatch' : 'BadValue',
    operator === '$pop'
      ? `Path '${path}' contains an element of non-array type '${typeName(old)}'`
      : `Cannot apply ${operator} to a non-array value`,
  );
}

interface Push {
  each: Value[];
  position: number | undefined;
  slice: number | undefined;
  sort: ((a: Value, b: Value) => number) | undefined;
}

function parsePush(operand: Value): Push {
  if (!isDoc(operand) || !Object.hasOwn(operand, '$each')) {
    return { each: [operand], position: undefined, slice: undefined, sort: undefined };
  }
  const { $each, $position, $slice, $sort, ...rest } = operand;
  const unknown = Object.keys(rest)[0];
  if (unknown) throw new CommandError('BadValue', `Unrecognized clause in $push: ${unknown}`);
  if (!Array.isArray($each)) {
    throw new CommandError(
      'BadValue',
      `The argument to $each in $push must be an array but it was of type: ${typeName($each)}`,
    );
  }
  return {
    each: $each,
    position: integer('$position', $position),
    slice: integer('$slice', $slice),
    sort: $sort === undefined ? undefined : elementOrder($sort),
  };
}

function integer(name: string, value: Value | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = ['int', 'long', 'double'].includes(typeName(value)) ? toDouble(value) : NaN;
  if (Number.isInteger(number)) return number;
  throw new CommandError(
    'BadValue',
    `The value for ${name} must be an integer value but was given type: ${typeName(value)}`,
  );
}

function elementOrder(sort: Value): (a: Value, b: Value) => number {
  if (!isDoc(sort)) {
    const direction = integer('$sort', sort)!;
    if (Math.abs(direction) !== 1) throw new CommandError('BadValue', 'The $sort element value must be either 1 or -1');
    return (a, b) => direction * compareValues(a, b);
  }
  const keys = Object.keys(sort).map((path) => ({
    parts: path.split('.'),
    direction: Math.sign(toDouble(sort[path]!)),
  }));
  if (keys.length === 0)
    throw new CommandError('BadValue', `The $sort pattern is empty when it should be a set of fields.`);
  return (a, b) => {
    for (const { parts, direction } of keys) {
      const order = direction * compareValues(at(a, parts) ?? null, at(b, parts) ?? null);
      if (order !== 0) return order;
    }
    return 0;
  };
}

const at = (value: Value | undefined, parts: string[]): Value | undefined =>
  parts.reduce<Value | undefined>((current, part) => (isDoc(current) ? getField(current, part) : undefined), value);

const push: CompileOperation = (operand, path) => {
  const { each, position, slice, sort } = parsePush(operand);
  return {
    creates: true,
    apply: (old, context) => {
      const items = old === undefined ? [] : [...arrayAt('$push', path, old, context)];
      items.splice(position ?? items.length, 0, ...each);
      if (sort) items.sort(sort);
      if (slice === undefined) return items;
      if (slice === 0) return [];
      return slice > 0 ? items.slice(0, slice) : items.slice(slice);
    },
  };
};

const addToSet: CompileOperation = (operand, path) => {
  let each: Value[] = [operand];
  if (isDoc(operand) && Object.hasOwn(operand, '$each')) {
    if (!Array.isArray(operand.$each)) {
      throw new CommandError(
        'TypeMismatch',
        `The argument to $each in $addToSet must be an array but it was of type ${typeName(operand.$each)}`,
      );
    }
    if (Object.keys(operand).length > 1)
      throw new CommandError('BadValue', `Found unexpected fields after $each in $addToSet: ${describe(operand)}`);
    each = operand.$each;
  }
  return {
    creates: true,
    apply: (old, context) => {
      const items = old === undefined ? [] : [...arrayAt('$addToSet', path, old, context)];
      const before = items.length;
      for (const item of each) if (!items.some((existing) => valuesEqual(existing, item))) items.push(item);
      return old !== undefined && items.length === before ? KEEP : items;
    },
  };
};

const pop: CompileOperation = (operand, path) => {
  const end = toDouble(typeof operand === 'object' && operand === null ? 0 : operand);
  if (end !== 1 && end !== -1)
    throw new CommandError('FailedToParse', `$pop expects 1 or -1, found: ${describe(operand)}`);
  return {
    creates: false,
    apply: (old, context) => {
      if (old === undefined) return KEEP;
      const items = arrayAt('$pop', path, old, context);
      return end === 1 ? items.slice(0, -1) : items.slice(1);
    },
  };
};

function removing(operator: string, path: string, removes: (item: Value) => boolean): ReturnType<CompileOperation> {
  return {
    creates: false,
    apply: (old, context) => {
      if (old === undefined) return KEEP;
      const items = arrayAt(operator, path, old, context);
      const kept = items.filter((item) => !removes(item));
      return kept.length === items.length ? KEEP : kept;
    },
  };
}

const pull: CompileOperation = (operand, path) => removing('$pull', path, pullTest(operand));

/** A document of fields is a filter on elements that are documents; anything else is a condition on the element. */
function pullTest(operand: Value): (item: Value) => boolean {
  if (isRegex(operand) || isOperatorDoc(operand)) {
    const logical = isDoc(operand) && ['$and', '$or', '$nor', '$expr'].includes(Object.keys(operand)[0]!);
    if (logical) return documentTest(operand);
    const predicates = compilePredicates(operand);
    return (item) => predicates.every((predicate) => predicate.atPath(['item'])({ item }));
  }
  if (isDoc(operand)) return documentTest(operand);
  return (item) => valuesEqual(item, operand);
}

function documentTest(filter: Doc): (item: Value) => boolean {
  const matches = compileFilter(filter);
  return (item) => isDoc(item) && matches(item);
}

const pullAll: CompileOperation = (operand, path) => {
  if (!Array.isArray(operand))
    throw new CommandError('BadValue', `$pullAll requires an array argument but was given a ${typeName(operand)}`);
  return removing('$pullAll', path, (item) => operand.some((unwanted) => valuesEqual(item, unwanted)));
};

export const arrayOperations: Record<string, CompileOperation> = {
  $push: push,
  $addToSet: addToSet,
  $pop: pop,
  $pull: pull,
  $pullAll: pullAll,
};
