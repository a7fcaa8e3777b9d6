import { type Value } from '../bson/value';
import { type Expression } from './compile-expression';

export type CompileOperator = (operand: Value, name: string) => Expression;

/** Every expression operator by name. */
export const operators: Record<string, CompileOperator> = {};
