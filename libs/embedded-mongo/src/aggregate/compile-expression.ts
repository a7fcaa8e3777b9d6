import { CommandError } from '../command-error';
import { getField, isDoc, setField, type Doc, type Value } from '../bson/value';
import { describe } from '../bson/describe';
import { fieldPath } from '../bson/field-path';
import { type Expression } from './expression';
import { operators } from './operators';

/** Compiles `"$a.b"`, `"$$x"`, `{ $op: … }`, objects, arrays and literals. */
export function compileExpression(value: Value): Expression {
  if (typeof value === 'string' && value.startsWith('$')) return compilePath(value);
  if (Array.isArray(value)) {
    const items = value.map(compileExpression);
    return (doc, variables) => items.map((item) => item(doc, variables) ?? null);
  }
  if (!isDoc(value)) return () => value;
  const names = Object.keys(value);
  if (names[0]?.startsWith('$')) {
    if (names.length > 1)
      throw new CommandError(
        'Location15983',
        `an expression specification must contain exactly one field, the name of the expression. Found ${names.length} fields in ${describe(value)}, while parsing object ${describe(value)}`,
      );
    return compileOperator(names[0], value[names[0]]!);
  }
  const fields = names.map((name) => {
    if (name.startsWith('$')) throw new CommandError('Location15983', `Unrecognized expression '${name}'`);
    if (name.includes('.'))
      throw new CommandError(
        'Location16412',
        `FieldPath field names may not contain '.'. Consider using $getField or $setField.`,
      );
    return [name, compileExpression(value[name]!)] as const;
  });
  return (doc, variables) => {
    const result: Doc = {};
    for (const [name, expression] of fields) {
      const field = expression(doc, variables);
      if (field !== undefined) setField(result, name, field);
    }
    return result;
  };
}

function compileOperator(name: string, operand: Value): Expression {
  const compile = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (!compile) throw new CommandError('InvalidPipelineOperator', `Unrecognized expression '${name}'`);
  return compile(operand, name, compileExpression);
}

function compilePath(path: string): Expression {
  if (!path.startsWith('$$')) {
    const parts = checkedParts(path.slice(1));
    return (doc, variables) => reach(variables && 'CURRENT' in variables ? variables.CURRENT : doc, parts, 0);
  }
  if (path === '$$') throw new CommandError('FailedToParse', 'empty variable names are not allowed');
  const [name, ...parts] = fieldPath(path.slice(2)) as [string, ...string[]];
  if (name === 'ROOT')
    return (doc, variables) => reach(variables && 'ROOT' in variables ? variables.ROOT : doc, parts, 0);
  if (name === 'CURRENT')
    return (doc, variables) => reach(variables && 'CURRENT' in variables ? variables.CURRENT : doc, parts, 0);
  if (name === 'REMOVE') return () => undefined;
  if (name === 'NOW') {
    const now = new Date();
    return () => reach(now, parts, 0);
  }
  if (['CLUSTER_TIME', 'JS_SCOPE', 'IS_MR', 'SEARCH_META', 'USER_ROLES'].includes(name)) {
    throw new CommandError('Location51144', `Builtin variable '$$${name}' is not available`);
  }
  return (_doc, variables) => {
    if (!variables || !(name in variables))
      throw new CommandError('Location17276', `Use of undefined variable: ${name}`);
    return reach(variables[name], parts, 0);
  };
}

function checkedParts(path: string): string[] {
  if (path === '') throw new CommandError('Location16872', "'$' by itself is not a valid FieldPath");
  return fieldPath(path);
}

/** A path through an array gives the array of what its documents have there. */
function reach(value: Value | undefined, parts: readonly string[], depth: number): Value | undefined {
  for (let i = depth; i < parts.length; i++) {
    if (Array.isArray(value)) {
      return value.flatMap((item) => {
        const found = isDoc(item) || Array.isArray(item) ? reach(item, parts, i) : undefined;
        return found === undefined ? [] : [found];
      });
    }
    if (!isDoc(value)) return undefined;
    value = getField(value, parts[i]!);
  }
  return value;
}
