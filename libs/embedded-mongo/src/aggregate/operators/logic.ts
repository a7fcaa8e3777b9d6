import { CommandError } from '../../command-error';
import { compareValues } from '../../bson/compare';
import { typeName } from '../../bson/type-name';
import { checkVariableName } from '../variable-name';
import { isDoc, isNil, type Doc, type Value } from '../../bson/value';
import { type Variables, type CompileOperator } from '../expression';
import { argumentList, fixed, named } from './operand';
import { truthy } from '../truthy';

const comparison = (passes: (order: number) => boolean): CompileOperator =>
  fixed(2, ([a, b]) => passes(compareValues(a, b)));

const cond: CompileOperator = (operand, name, compile) => {
  let parts: Value[];
  if (isDoc(operand)) {
    const spec = named(operand, name, ['if', 'then', 'else'], ['if', 'then', 'else'], compile);
    parts = [operand.if!, operand.then!, operand.else!];
    void spec;
  } else parts = Array.isArray(operand) ? operand : [operand];
  if (parts.length !== 3)
    throw new CommandError(
      'Location16020',
      `Expression $cond takes exactly 3 arguments. ${parts.length} were passed in.`,
    );
  const [condition, then, otherwise] = parts.map(compile);
  return (doc, variables) => (truthy(condition!(doc, variables)) ? then!(doc, variables) : otherwise!(doc, variables));
};

const ifNull: CompileOperator = (operand, _name, compile) => {
  const list = argumentList(operand, compile);
  if (list.length < 2)
    throw new CommandError('Location1257300', `$ifNull needs at least two arguments, had: ${list.length}`);
  return (doc, variables) => {
    let value: Value | undefined;
    for (const expression of list) if (!isNil((value = expression(doc, variables)))) return value;
    return value;
  };
};

const switchOperator: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['branches', 'default'], ['branches'], compile);
  const { branches } = operand as Doc;
  if (!Array.isArray(branches))
    throw new CommandError('Location40061', `$switch expected an array for 'branches', found: ${typeName(branches)}`);
  if (branches.length === 0) throw new CommandError('Location40068', '$switch requires at least one branch.');
  const compiled = branches.map((branch) => {
    const parts = named(branch, '$switch branch', ['case', 'then'], ['case', 'then'], compile);
    return { condition: parts.expression('case'), then: parts.expression('then') };
  });
  return (doc, variables) => {
    for (const { condition, then } of compiled) if (truthy(condition(doc, variables))) return then(doc, variables);
    if (spec.has('default')) return spec.value('default', doc, variables);
    throw new CommandError(
      'Location40066',
      '$switch could not find a matching branch for an input, and no default was specified.',
    );
  };
};

const letOperator: CompileOperator = (operand, name, compile) => {
  const spec = named(operand, name, ['vars', 'in'], ['vars', 'in'], compile);
  const vars = (operand as Doc).vars;
  if (isDoc(vars)) for (const variable of Object.keys(vars)) checkVariableName(variable);
  if (!isDoc(vars)) throw new CommandError('Location16876', 'invalid parameter: expected an object (vars)');
  const bindings = Object.keys(vars).map((variable) => [variable, compile(vars[variable]!)] as const);
  const body = spec.expression('in');
  return (doc, variables) => {
    const inner: Record<string, Value | undefined> = { ...variables };
    for (const [variable, expression] of bindings) inner[variable] = expression(doc, variables);
    return body(doc, inner as Variables);
  };
};

export const logicOperators: Record<string, CompileOperator> = {
  $literal: (operand) => () => operand,
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: fixed(2, ([a, b]) => Math.sign(compareValues(a, b))),
  $and: (operand, _name, compile) => {
    const list = argumentList(operand, compile);
    return (doc, variables) => list.every((expression) => truthy(expression(doc, variables)));
  },
  $or: (operand, _name, compile) => {
    const list = argumentList(operand, compile);
    return (doc, variables) => list.some((expression) => truthy(expression(doc, variables)));
  },
  $not: fixed(1, ([value]) => !truthy(value)),
  $cond: cond,
  $ifNull: ifNull,
  $switch: switchOperator,
  $let: letOperator,
};
