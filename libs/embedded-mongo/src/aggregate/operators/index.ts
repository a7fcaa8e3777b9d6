import { accumulatingOperators } from './accumulating';
import { arithmeticOperators } from './arithmetic';
import { arrayOperators } from './array';
import { conversionOperators } from './conversion';
import { delegatedOperators } from './delegated';
import { logicOperators } from './logic';
import { objectOperators } from './object';
import { setOperators } from './set';
import { stringOperators } from './string';
import { type CompileOperator } from '../expression';

/**
 * Every expression operator by name. Those on which BSON's types bear are ours; dates, regular expressions and
 * trigonometry, whose arguments are plain, are mingo's.
 */
export const operators: Record<string, CompileOperator> = {
  ...delegatedOperators,
  ...logicOperators,
  ...arithmeticOperators,
  ...arrayOperators,
  ...setOperators,
  ...objectOperators,
  ...stringOperators,
  ...conversionOperators,
  ...accumulatingOperators,
};
