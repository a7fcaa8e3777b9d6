import { type ObjectId } from 'bson';
import { CommandError } from '../../command-error';
import { bsonClass, isDoc, type Value } from '../../bson/value';
import { mingoOperator } from '../mingo';
import { type CompileOperator } from '../expression';
import { fromPlain, toPlain } from '../plain';

const names = [
  '$dateAdd', '$dateDiff', '$dateFromParts', '$dateFromString', '$dateSubtract', '$dateToParts', '$dateToString', '$dateTrunc',
  '$dayOfMonth', '$dayOfWeek', '$dayOfYear', '$hour', '$isoDayOfWeek', '$isoWeek', '$isoWeekYear', '$millisecond', '$minute',
  '$month', '$second', '$week', '$year',
  '$indexOfBytes', '$ltrim', '$rtrim', '$trim', '$regexFind', '$regexFindAll', '$regexMatch', '$replaceAll', '$replaceOne', '$split',
  '$acos', '$acosh', '$asin', '$asinh', '$atan', '$atan2', '$atanh', '$cos', '$cosh', '$degreesToRadians', '$radiansToDegrees',
  '$sin', '$sinh', '$tan', '$tanh',
  '$bitAnd', '$bitNot', '$bitOr', '$bitXor', '$rand',
]; // prettier-ignore

/** Evaluates the arguments here and hands their plain values to mingo. */
const delegate: CompileOperator = (operand, name, compile) => {
  if (name === '$rand' && !(typeof operand === 'object' && operand !== null && Object.keys(operand).length === 0))
    throw new CommandError('Location3040501', '$rand does not currently accept arguments');
  const { compute, options } = mingoOperator(name);
  const run = (argument: unknown): Value => {
    try {
      return fromPlain(compute({}, argument, options));
    } catch (error) {
      throw new CommandError('BadValue', (error as Error).message);
    }
  };
  if (isDoc(operand) && !Object.keys(operand)[0]?.startsWith('$')) {
    const parts = Object.keys(operand).map((key) => [key, compile(operand[key]!)] as const);
    return (doc, variables) =>
      run(Object.fromEntries(parts.map(([key, part]) => [key, literal(part(doc, variables))])));
  }
  if (Array.isArray(operand)) {
    const items = operand.map(compile);
    return (doc, variables) => run(items.map((item) => literal(item(doc, variables))));
  }
  const single = compile(operand);
  return (doc, variables) => run(literal(single(doc, variables)));
};

const literal = (value: Value | undefined): object => ({ $literal: toPlain(timeOf(value ?? null)) });

/** Dates may be given as the ObjectId that carries one. */
const timeOf = (value: Value): Value =>
  typeof value === 'object' && value !== null && bsonClass(value) === 'ObjectId'
    ? (value as ObjectId).getTimestamp()
    : value;

export const delegatedOperators: Record<string, CompileOperator> = Object.fromEntries(
  names.map((name) => [name, delegate]),
);
