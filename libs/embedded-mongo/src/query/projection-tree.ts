import { CommandError } from '../command-error';
import { compileExpression } from '../aggregate/compile-expression';
import { type Expression } from '../aggregate/expression';
import { isNumber, toDouble } from '../bson/arithmetic';
import { fieldPath } from '../bson/field-path';
import { isDoc, type Doc, type Value } from '../bson/value';
import { isOperatorDoc } from './compile-filter';
import { elemMatchProjection, sliceProjection, type ArrayProjection } from './projection-arrays';

/** What happens to one projected path. */
export type Leaf = true | { expression: Expression } | { array: ArrayProjection } | 'positional';
/** Projected paths by their parts. */
export type Tree = Map<string, Tree | Leaf>;

/** A projection, parsed: `inclusive` keeps what the tree names, otherwise that is left out. */
export interface Projection {
  inclusive: boolean;
  tree: Tree;
}

/** The paths that a projection keeps, when that is all it does. */
export function keptPaths({ inclusive, tree }: Projection): string[] | undefined {
  if (!inclusive) return undefined;
  const paths: string[] = [];
  for (const [name, node] of tree) {
    if (node === true) paths.push(name);
    else {
      const inner = isTree(node) ? keptPaths({ inclusive, tree: node }) : undefined;
      if (!inner) return undefined;
      paths.push(...inner.map((path) => `${name}.${path}`));
    }
  }
  return paths;
}

/** Whether there are parts below. */
export const isTree = (node: Tree | Leaf): node is Tree => node instanceof Map;

/** Reads a projection. `find` has `$slice`, `$elemMatch` and `.$` besides what `$project` has. */
export function parseProjection(spec: Doc, command: 'find' | '$project'): Projection {
  const plan: { inclusive: boolean | undefined; tree: Tree; id: boolean | undefined } = {
    inclusive: undefined,
    tree: new Map(),
    id: undefined,
  };
  read(spec, []);
  const arrayOnly = plan.inclusive === undefined && plan.id === undefined;
  const inclusive = plan.inclusive ?? (arrayOnly ? false : plan.id === true);
  if (inclusive && plan.id !== false && !plan.tree.has('_id')) plan.tree.set('_id', true);
  if (!inclusive && plan.id === false) plan.tree.set('_id', true);
  return { inclusive, tree: plan.tree };

  function read(fields: Doc, above: string[]): void {
    for (const name of Object.keys(fields)) {
      const value = fields[name]!;
      // The position that matched, `a.$`, is a path of find's own.
      const positional = command === 'find' && name.endsWith('.$');
      const parts = fieldPath(positional ? name.slice(0, -2) : name);
      readField([...above, ...parts, ...(positional ? ['$'] : [])], value);
    }
  }

  function readField(parts: string[], value: Value): void {
    const path = parts.join('.');
    if (isNumber(value) || typeof value === 'boolean') {
      const include = value === true || (value !== false && toDouble(value) !== 0);
      if (path === '_id') plan.id = include;
      if (parts.at(-1) === '$') {
        mode(true, path);
        return put(plan.tree, parts.slice(0, -1), 'positional');
      }
      if (path !== '_id') mode(include, path);
      if (path !== '_id' || include) put(plan.tree, parts, true);
      return;
    }
    if (isDoc(value) && !isOperatorDoc(value)) {
      if (Object.keys(value).length === 0)
        throw new CommandError(
          'Location51270',
          'An empty sub-projection is not a valid value. Found empty object at path',
        );
      return read(value, parts);
    }
    const array = command === 'find' && isDoc(value) ? arrayLeaf(value, path) : undefined;
    if (array) return put(plan.tree, parts, { array });
    if (path === '_id') plan.id = true;
    mode(true, path, isDoc(value) && Object.hasOwn(value, '$meta'));
    put(plan.tree, parts, { expression: compileExpression(value) });
  }

  function arrayLeaf(value: Doc, path: string): ArrayProjection | undefined {
    if (value.$slice !== undefined) return sliceProjection(value.$slice);
    if (value.$elemMatch === undefined) return undefined;
    mode(true, path);
    return elemMatchProjection(value.$elemMatch);
  }

  function mode(include: boolean, path: string, neutral = false): void {
    if (neutral) return;
    if (plan.inclusive === undefined) plan.inclusive = include;
    else if (plan.inclusive !== include) {
      throw include
        ? new CommandError('Location31253', `Cannot do inclusion on field ${path} in exclusion projection`)
        : new CommandError('Location31254', `Cannot do exclusion on field ${path} in inclusion projection`);
    }
  }
}

/** Puts a leaf at a path of the tree; throws Location31249 where another path is, or goes on. */
function put(root: Tree, parts: string[], leaf: Leaf): void {
  let tree = root;
  for (const [i, part] of parts.entries()) {
    const existing = tree.get(part);
    if (i === parts.length - 1) {
      if (existing !== undefined) throw collision(parts.join('.'));
      tree.set(part, leaf);
    } else {
      if (existing !== undefined && !isTree(existing)) throw collision(parts.join('.'));
      const next: Tree = existing ?? new Map<string, Tree | Leaf>();
      tree.set(part, next);
      tree = next;
    }
  }
}

const collision = (path: string): CommandError => new CommandError('Location31249', `Path collision at ${path}`);
