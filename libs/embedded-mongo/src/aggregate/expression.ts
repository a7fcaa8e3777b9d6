import { type Doc, type Value } from '../bson/value';

/** Variables beside the document: `$$this`, those of `$let`, `$$ROOT` where it is not the document itself. */
export type Variables = Readonly<Record<string, Value | undefined>>;

/** An aggregation expression; undefined is a missing field. */
export type Expression = (doc: Doc, variables?: Variables) => Value | undefined;

/** Compiles an aggregation expression; throws a CommandError with mongod's code when it is none. */
export type CompileExpression = (value: Value) => Expression;

/** Compiles an operator's operand. `compile` is for the expressions inside: handed over, because the two call each other. */
export type CompileOperator = (operand: Value, name: string, compile: CompileExpression) => Expression;
