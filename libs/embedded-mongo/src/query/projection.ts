import { CommandError } from '../command-error';
import { compileExpression, type Expression, type Variables } from '../aggregate/compile-expression';
import { isNumber, toDouble } from '../bson/arithmetic';
import { getField, isDoc, setField, type Doc, type Value } from '../bson/value';
import { compileFilter, compilePredicates, isOperatorDoc } from './compile-filter';

/** What `.$` refers to: the position in the array at which the query matched. */
export interface ProjectionInput {
  positionalIndex?: number | undefined;
  variables?: Variables;
}

export type Projector = (doc: Doc, input?: ProjectionInput) => Doc;

type Leaf = true | { expression: Expression } | { array: (items: Value[]) => Value | undefined } | 'positional';
type Tree = Map<string, Tree | Leaf>;

interface Plan {
  inclusive: boolean;
  tree: Tree;
  id: boolean;
}

const isTree = (node: Tree | Leaf): node is Tree => node instanceof Map;

/** Compiles a projection. `find` has `$slice`, `$elemMatch` and `.$` besides what `$project` has. */
export function compileProjection(spec: Doc, command: 'find' | '$project'): Projector {
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
  const finished: Plan = { inclusive, tree: plan.tree, id: plan.id ?? true };
  return (doc, input = {}) => project(doc, finished, input);

  function read(fields: Doc, above: string[]): void {
    for (const name of Object.keys(fields)) {
      const value = fields[name]!;
      const parts = [...above, ...name.split('.')];
      if (name.startsWith('$'))
        throw new CommandError(
          16410,
          `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
        );
      if (parts.includes('')) throw new CommandError(40353, "FieldPath must not end with a '.'.");
      readField(parts, value);
    }
  }

  function readField(parts: string[], value: Value): void {
    const path = parts.join('.');
    if (isNumber(value) || typeof value === 'boolean') {
      const include = value === true || (value !== false && toDouble(value) !== 0);
      if (path === '_id') plan.id = include;
      if (parts.at(-1) === '$') {
        mode(true, path);
        return put(parts.slice(0, -1), 'positional');
      }
      if (path !== '_id') mode(include, path);
      if (path !== '_id' || include) put(parts, true);
      return;
    }
    if (isDoc(value) && !isOperatorDoc(value)) {
      if (Object.keys(value).length === 0)
        throw new CommandError(51270, 'An empty sub-projection is not a valid value. Found empty object at path');
      return read(value, parts);
    }
    const array = command === 'find' && isDoc(value) ? arrayLeaf(value, path) : undefined;
    if (array) return put(parts, { array });
    if (path === '_id') plan.id = true;
    mode(true, path, isDoc(value) && Object.hasOwn(value, '$meta'));
    put(parts, { expression: compileExpression(value) });
  }

  function arrayLeaf(value: Doc, path: string): ((items: Value[]) => Value | undefined) | undefined {
    if (value.$slice !== undefined && !isExpressionSlice(value.$slice)) return slice(value.$slice);
    if (value.$elemMatch === undefined) return undefined;
    mode(true, path);
    return firstMatch(value.$elemMatch);
  }

  function mode(include: boolean, path: string, neutral = false): void {
    if (neutral) return;
    if (plan.inclusive === undefined) plan.inclusive = include;
    else if (plan.inclusive !== include) {
      throw include
        ? new CommandError(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
        : new CommandError(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    }
  }

  function put(parts: string[], leaf: Leaf): void {
    let tree = plan.tree;
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
}

const collision = (path: string): CommandError => new CommandError(31249, `Path collision at ${path}`);

function project(doc: Doc, { inclusive, tree }: Plan, input: ProjectionInput): Doc {
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
        51246,
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
  if ('array' in node)
    return Array.isArray(value) ? node.array(value) : node.array.name === 'slice' ? value : undefined;
  return undefined;
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
  if (typeof node === 'object' && 'array' in node) return Array.isArray(value) ? node.array(value) : value;
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

const isExpressionSlice = (operand: Value): boolean =>
  Array.isArray(operand) && operand.length > 0 && !isNumber(operand[0]!);

function slice(operand: Value): (items: Value[]) => Value {
  const numbers = (Array.isArray(operand) ? operand : [operand]).map((value) => {
    if (!isNumber(value))
      throw new CommandError(28667, 'Invalid $slice syntax. The given syntax did not match the find() syntax');
    return Math.trunc(toDouble(value));
  });
  const [first, count] = numbers as [number, number | undefined];
  if (count === undefined) return function slice(items) { return first >= 0 ? items.slice(0, first) : items.slice(first); }; // prettier-ignore
  if (count <= 0) throw new CommandError(28724, 'First argument to $slice must be an array, but is of type: int');
  return function slice(items) {
    const start = first < 0 ? Math.max(0, items.length + first) : first;
    return items.slice(start, start + count);
  };
}

function firstMatch(operand: Value): (items: Value[]) => Value | undefined {
  if (!isDoc(operand)) throw new CommandError(31274, 'elemMatch: Invalid argument, object required');
  const first = Object.keys(operand)[0];
  let matches: (item: Value) => boolean;
  if (isOperatorDoc(operand) && !['$and', '$or', '$nor', '$expr'].includes(first!)) {
    const predicates = compilePredicates(operand);
    matches = (item) => predicates.every((predicate) => predicate.atValue(item));
  } else {
    const filter = compileFilter(operand);
    matches = (item) => isDoc(item) && filter(item);
  }
  return (items) => {
    const found = items.find(matches);
    return found === undefined ? undefined : [found];
  };
}
