import { CommandError } from '../../command-error';
import { fieldPath } from '../../bson/field-path';
import { typeName } from '../../bson/type-name';
import { getField, isDoc, setField, type Doc, type Value } from '../../bson/value';
import { compileProjection } from '../../query/projection';
import { isOperatorDoc } from '../../query/compile-filter';
import { compileExpression } from '../compile-expression';
import { type Expression, type Variables } from '../expression';

/** A stage that makes one document of each. */
export type DocumentStage = (doc: Doc, variables?: Variables) => Doc;

/** The stages that make one document of one document; undefined for others. */
export function compileDocumentStage(name: string, operand: Value): DocumentStage | undefined {
  switch (name) {
    case '$addFields':
    case '$set':
      if (!isDoc(operand))
        throw new CommandError(
          'Location40272',
          `${name} specification stage must be an object, got ${typeName(operand)}`,
        );
      return addFields(operand);
    case '$project':
      if (!isDoc(operand)) throw new CommandError('Location15969', '$project specification must be an object');
      if (Object.keys(operand).length === 0)
        throw new CommandError(
          'Location51272',
          'Invalid $project :: caused by :: projection specification must have at least one field',
        );
      return projectStage(operand);
    case '$unset':
      return unset(operand);
    case '$replaceRoot':
      if (!isDoc(operand) || operand.newRoot === undefined)
        throw new CommandError('Location40231', 'no newRoot specified for the $replaceRoot stage');
      return replaceRoot(operand.newRoot);
    case '$replaceWith':
      return replaceRoot(operand);
    default:
      return undefined;
  }
}

function projectStage(spec: Doc): DocumentStage {
  const project = compileProjection(spec, '$project');
  return (doc, variables) => project(doc, variables ? { variables } : {});
}

function unset(operand: Value): DocumentStage {
  const paths = Array.isArray(operand) ? operand : [operand];
  if (paths.length === 0 || paths.some((path) => typeof path !== 'string')) {
    throw new CommandError(
      'Location31002',
      '$unset specification must be a string or an array containing only string values',
    );
  }
  return projectStage(Object.fromEntries(paths.map((path) => [path as string, 0])));
}

function replaceRoot(operand: Value): DocumentStage {
  const newRoot = compileExpression(operand);
  return (doc, variables) => {
    const root = newRoot(doc, variables);
    if (isDoc(root)) return root;
    throw new CommandError(
      'Location40228',
      `'newRoot' expression must evaluate to an object, but resulting value was: ${root === undefined ? 'MISSING' : String(root)}. Type of resulting value: '${typeName(root)}'.`,
    );
  };
}

interface Addition {
  parts: string[];
  expression: Expression;
}

function addFields(spec: Doc): DocumentStage {
  const additions = flatten(spec, []);
  return (doc, variables) => {
    let result: Doc = { ...doc };
    for (const { parts, expression } of additions) {
      result = withField(result, parts, 0, expression(doc, variables)) as Doc;
    }
    return result;
  };
}

function flatten(spec: Doc, above: string[]): Addition[] {
  return Object.keys(spec).flatMap((name) => {
    const value = spec[name]!;
    const parts = [...above, ...fieldPath(name)];
    if (isDoc(value) && !isOperatorDoc(value) && Object.keys(value).length > 0) return flatten(value, parts);
    return [{ parts, expression: compileExpression(value) }];
  });
}

/** A copy with the field set in it, in every document of an array on the way; undefined removes it. */
function withField(value: Value | undefined, parts: string[], depth: number, field: Value | undefined): Value {
  if (Array.isArray(value)) return value.map((item) => withField(item, parts, depth, field));
  const copy: Doc = isDoc(value) ? { ...value } : {};
  const name = parts[depth]!;
  if (depth < parts.length - 1) setField(copy, name, withField(getField(copy, name), parts, depth + 1, field));
  else if (field === undefined) delete copy[name];
  else setField(copy, name, field);
  return copy;
}
