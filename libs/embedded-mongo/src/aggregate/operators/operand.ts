import { CommandError } from '../../command-error';
import { typeName } from '../../bson/type-name';
import { argumentErrors, missingArgument, unknownArgument } from './arguments';
import { isDoc, type Doc, type Value } from '../../bson/value';
import { type CompileExpression, type CompileOperator, type Expression, type Variables } from '../expression';

/** The arguments of an operator: an array's items, or the one that is not an array. */
export const argumentList = (operand: Value, compile: CompileExpression): Expression[] =>
  (Array.isArray(operand) ? operand : [operand]).map(compile);

/** An operator on a fixed number of evaluated arguments. */
export function fixed(
  count: number,
  compute: (values: (Value | undefined)[], name: string) => Value | undefined,
  most = count,
): CompileOperator {
  return (operand, name, compile) => {
    const list = argumentList(operand, compile);
    if (list.length < count || list.length > most) {
      throw most === count
        ? new CommandError(
            'Location16020',
            `Expression ${name} takes exactly ${count} arguments. ${list.length} were passed in.`,
          )
        : new CommandError(
            'Location28667',
            `Expression ${name} takes at least ${count} arguments, and at most ${most}, but ${list.length} were passed in.`,
          );
    }
    return (doc, variables) => compute(list.map((expression) => expression(doc, variables)), name); // prettier-ignore
  };
}

/** An operator on any number of evaluated arguments. */
export const variadic =
  (compute: (values: (Value | undefined)[], name: string) => Value | undefined): CompileOperator =>
  (operand, name, compile) => {
    const list = argumentList(operand, compile);
    return (doc, variables) => compute(list.map((expression) => expression(doc, variables)), name); // prettier-ignore
  };

/** The arguments of an operator that names them: `{ input: …, as: … }`. */
class Named {
  private readonly expressions = new Map<string, Expression>();

  constructor(
    readonly operator: string,
    private readonly spec: Doc,
    known: readonly string[],
    required: readonly string[],
    private readonly compile: CompileExpression,
  ) {
    const errors = argumentErrors[operator] ?? {};
    for (const name of Object.keys(spec)) {
      if (!known.includes(name))
        throw new CommandError(errors.unknown ?? 'Location40065', unknownArgument(operator, name));
    }
    for (const name of required) {
      if (spec[name] === undefined)
        throw new CommandError(errors.missing?.[name] ?? 'Location40067', missingArgument(operator, name));
    }
  }

  has(name: string): boolean {
    return this.spec[name] !== undefined;
  }

  expression(name: string): Expression {
    let compiled = this.expressions.get(name);
    if (!compiled) this.expressions.set(name, (compiled = this.compile(this.spec[name] ?? null)));
    return compiled;
  }

  value(name: string, doc: Doc, variables?: Variables): Value | undefined {
    return this.has(name) ? this.expression(name)(doc, variables) : undefined;
  }

  /** A part that is text in the specification itself, such as the name of a variable. */
  text(name: string, fallback: string): string {
    const value = this.spec[name];
    if (value === undefined) return fallback;
    if (typeof value !== 'string')
      throw new CommandError('Location16866', `'${name}' of ${this.operator} must be a string`);
    return value;
  }
}

/** Compiles an operand that is a document of named arguments; throws for unknown and missing ones. */
export function named(
  operand: Value,
  operator: string,
  known: readonly string[],
  required: readonly string[],
  compile: CompileExpression,
): Named {
  if (!isDoc(operand))
    throw new CommandError(
      argumentErrors[operator]?.object ?? 'Location28646',
      operator === '$convert'
        ? `$convert expects an object of named arguments but found: ${typeName(operand)}`
        : `${operator} only supports an object as its argument`,
    );
  return new Named(operator, operand, known, required, compile);
}
