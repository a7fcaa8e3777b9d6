import { accumulatingOperators } from './operators-accumulating';
import { arithmeticOperators } from './operators-arithmetic';
import { arrayOperators } from './operators-array';
import { conversionOperators } from './operators-conversion';
import { delegatedOperators } from './operators-delegated';
import { logicOperators } from './operators-logic';
import { objectOperators } from './operators-object';
import { setOperators } from './operators-set';
import { stringOperators } from './operators-string';
import { type CompileOperator } from './operand';

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
