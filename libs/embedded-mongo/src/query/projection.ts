import { CommandError } from '../command-error';
import { type Variables } from '../aggregate/expression';
import { getField, isDoc, setField, type Doc, type Value } from '../bson/value';
import { isTree, parseProjection, type Leaf, type Projection, type Tree } from './projection-tree';

/** What `.$` refers to: the position in the array at which the query matched. */
export interface ProjectionInput {
  positionalIndex?: number | undefined;
  variables?: Variables;
}

/** Answers the projected document. */
export type Projector = (doc: Doc, input?: ProjectionInput) => Doc;

/** Compiles a projection once for many documents. */
export const compileProjection = (spec: Doc, command: 'find' | '$project'): Projector =>
  projector(parseProjection(spec, command));

/** The function of a parsed projection. */
export const projector =
  (projection: Projection): Projector =>
  (doc, input = {}) =>
    project(doc, projection, input);

function project(doc: Doc, { inclusive, tree }: Projection, input: ProjectionInput): Doc {
  const result = inclusive ? includeFields(doc, tree, input) : excludeFields(doc, tree, input);
  compute(result, doc, tree, input.variables);
  return result;
}

function includeFields(doc: Doc, tree: Tree, input: ProjectionInput): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const node = tree.get(name);
    if (node === undefined) continue;
    const value = includeValue(doc[name]!, node, input);
    if (value !== undefined) setField(result, name, value);
  }
  return result;
}

function includeValue(value: Value, node: Tree | Leaf, input: ProjectionInput): Value | undefined {
  if (node === true) return value;
  if (node === 'positional') {
    if (!Array.isArray(value)) return value;
    const index = input.positionalIndex;
    if (index === undefined)
      throw new CommandError(
        'Location51246',
        `Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array`,
      );
    return index < value.length ? [value[index]!] : [];
  }
  if (isTree(node)) {
    if (isDoc(value)) return includeFields(value, node, input);
    if (Array.isArray(value))
      return value.flatMap((item) => (isDoc(item) || Array.isArray(item) ? [includeValue(item, node, input)!] : []));
    return undefined;
  }
  if ('expression' in node) return undefined;
  if (Array.isArray(value)) return node.array.apply(value);
  return node.array.keepsOthers ? value : undefined;
}

function excludeFields(doc: Doc, tree: Tree, input: ProjectionInput): Doc {
  const result: Doc = {};
  for (const name of Object.keys(doc)) {
    const node = tree.get(name);
    const value = node === undefined ? doc[name] : excludeValue(doc[name]!, node, input);
    if (value !== undefined) setField(result, name, value);
  }
  return result;
}

function excludeValue(value: Value, node: Tree | Leaf, input: ProjectionInput): Value | undefined {
  if (isTree(node)) {
    if (isDoc(value)) return excludeFields(value, node, input);
    return Array.isArray(value) ? value.map((item) => excludeValue(item, node, input)!) : value;
  }
  if (typeof node === 'object' && 'array' in node) return Array.isArray(value) ? node.array.apply(value) : value;
  return undefined;
}

/** Computed fields come after the included ones, evaluated on the document as it was. */
function compute(result: Doc, doc: Doc, tree: Tree, variables: Variables | undefined): void {
  for (const [name, node] of tree) {
    if (isTree(node)) {
      if (hasExpression(node)) computeNested(result, name, doc, node, variables);
    } else if (typeof node === 'object' && 'expression' in node) {
      const value = node.expression(doc, variables);
      if (value !== undefined) setField(result, name, value);
    }
  }
}

const hasExpression = (tree: Tree): boolean =>
  [...tree.values()].some((node) =>
    isTree(node) ? hasExpression(node) : typeof node === 'object' && 'expression' in node,
  );

function computeNested(result: Doc, name: string, root: Doc, tree: Tree, variables: Variables | undefined): void {
  const existing = getField(result, name);
  const fill = (value: Value | undefined): Value => {
    if (Array.isArray(value)) return value.map(fill);
    const inner = isDoc(value) ? value : {};
    compute(inner, root, tree, variables);
    return inner;
  };
  setField(result, name, fill(existing));
}
