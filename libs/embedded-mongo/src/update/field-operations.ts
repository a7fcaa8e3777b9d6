import { Timestamp } from 'bson';
import { CommandError } from '../command-error';
import { add, integerOverflow, isNumber, multiply } from '../bson/arithmetic';
import { compareValues } from '../bson/compare';
import { typeName } from '../bson/type-name';
import { isDoc, type Value } from '../bson/value';
import { arrayOperations } from './array-operations';
import { describe } from '../bson/describe';
import { KEEP, type CompileOperation } from './path-update';

const set: CompileOperation = (operand) => ({ creates: true, apply: () => copy(operand) });

/** A compiled update serves many documents: what it puts into one must not be changed through another. */
function copy(value: Value): Value {
  if (Array.isArray(value)) return value.map(copy);
  if (!isDoc(value)) return value;
  return Object.fromEntries(Object.keys(value).map((name) => [name, copy(value[name]!)]));
}

const setOnInsert: CompileOperation = (operand) => ({
  creates: true,
  apply: (_old, { inserting }) => (inserting ? copy(operand) : KEEP),
});

const unset: CompileOperation = () => ({
  creates: false,
  apply: (old) => (old === undefined ? KEEP : undefined),
});

/** `$inc` and `$mul`: a missing field counts as 0. */
function arithmetic(
  operator: string,
  verb: string,
  compute: (old: Value | undefined, operand: Value) => Value,
): CompileOperation {
  return (operand, path) => {
    if (!isNumber(operand)) {
      throw new CommandError(
        'TypeMismatch',
        `Cannot ${verb} with non-numeric argument: {${path}: ${describe(operand)}}`,
      );
    }
    return {
      creates: true,
      apply: (old, { doc }) => {
        if (old === undefined || isNumber(old)) return compute(old, operand);
        throw new CommandError(
          'TypeMismatch',
          `Cannot apply ${operator} to a value of non-numeric type. {_id: ${describe(doc._id)}} has the field '${path.split('.').at(-1)}' of non-numeric type ${typeName(old)}`,
        );
      },
    };
  };
}

const extreme =
  (wanted: number): CompileOperation =>
  (operand) => ({
    creates: true,
    apply: (old) => (old === undefined || Math.sign(compareValues(operand, old)) === wanted ? copy(operand) : KEEP),
  });

const currentDate: CompileOperation = (operand, path) => {
  const type = isDoc(operand) ? operand.$type : operand === true || operand === false ? 'date' : undefined;
  if (type !== 'date' && type !== 'timestamp') {
    throw new CommandError(
      'BadValue',
      `The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {${path}: ${describe(operand)}}}`,
    );
  }
  return {
    creates: true,
    apply: (_old, { now }) =>
      type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / 1000), i: now.getTime() % 1000 || 1 }),
  };
};

const bitwise: Record<string, (a: bigint, b: bigint) => bigint> = {
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const isInteger = (value: Value | undefined): value is number | bigint =>
  value !== undefined && ['int', 'long'].includes(typeName(value));

const bit: CompileOperation = (operand, path) => {
  if (!isDoc(operand) || Object.keys(operand).length === 0) {
    throw new CommandError(
      'BadValue',
      `The $bit modifier is not compatible with a ${typeName(operand)}. You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}}`,
    );
  }
  return {
    creates: true,
    apply: (old = 0, { doc }) => {
      if (!isInteger(old)) {
        throw new CommandError(
          'BadValue',
          `Cannot apply $bit to a value of non-integral type._id: ${describe(doc._id)} has the field ${path} of non-integer type ${typeName(old)}`,
        );
      }
      return Object.keys(operand).reduce<number | bigint>((value, name) => {
        const compute = bitwise[name];
        const by = operand[name];
        if (!compute)
          throw new CommandError(
            'BadValue',
            `The $bit modifier only supports 'and', 'or', and 'xor', not '${name}' which is an unknown operator: {${name}: ${describe(by)}}`,
          );
        if (!isInteger(by))
          throw new CommandError(
            'BadValue',
            `The $bit modifier field must be an Integer(32/64 bit); a '${typeName(by)}' is not supported here: {${name}: ${describe(by)}}`,
          );
        const result = BigInt.asIntN(64, compute(BigInt(value), BigInt(by)));
        return typeof value === 'number' && typeof by === 'number' ? Number(BigInt.asIntN(32, result)) : result;
      }, old);
    },
  };
};

/** Every update operator on one field; `$rename` is apart because it has two. */
export const fieldOperations: Record<string, CompileOperation> = {
  $set: set,
  $setOnInsert: setOnInsert,
  $unset: unset,
  $inc: arithmetic('$inc', 'increment', (old, by) => (old === undefined ? by : add(old, by, integerOverflow))),
  $mul: arithmetic('$mul', 'multiply', (old, by) => multiply(old ?? 0, by, integerOverflow)),
  $min: extreme(-1),
  $max: extreme(1),
  $currentDate: currentDate,
  $bit: bit,
  ...arrayOperations,
};
