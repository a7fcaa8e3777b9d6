import { CommandError } from '../command-error';
import { getField, isDoc, setField, type Doc, type Value } from '../bson/value';
import { isArrayIndex } from '../query/path';
import { describe } from '../bson/describe';

/** Returned by an operation to leave the field as it is; `undefined` removes it. */
export const KEEP = Symbol('keep');

/** What one operator does to the value at its path. */
export interface FieldOperation {
  /** Whether the path is created when it is absent. */
  creates: boolean;
  apply: (old: Value | undefined, context: UpdateContext) => Value | undefined | typeof KEEP;
}

/** Compiles the operand of an operator at a path. */
export type CompileOperation = (operand: Value, path: string) => FieldOperation;

/** How the document was met. */
export interface UpdateInput {
  positionalIndex?: number | undefined;
  inserting?: boolean;
}

/** A compiled update: changes the document in place or returns its replacement. */
export type Updater = (doc: Doc, input: UpdateInput) => Doc;

/** What operators know of the document that they change. */
export interface UpdateContext {
  doc: Doc;
  /** What `$` stands for. */
  positionalIndex: number | undefined;
  /** Predicates of the array filters by identifier. */
  arrayFilters: Map<string, (element: Value) => boolean>;
  inserting: boolean;
  now: Date;
}

/** Applies an operation at a path, through `$`, `$[]` and `$[identifier]`. */
export function updatePath(
  path: string,
  parts: readonly string[],
  operation: FieldOperation,
  context: UpdateContext,
): void {
  step(context.doc, 0);

  function step(container: Value, depth: number): void {
    const part = parts[depth]!;
    if (part.startsWith('$[')) return everyElement(container, depth, part.slice(2, -1));
    if (part === '$') return field(container, String(matchedIndex()), depth);
    field(container, part, depth);
  }

  function matchedIndex(): number {
    if (context.positionalIndex !== undefined) return context.positionalIndex;
    throw new CommandError('BadValue', 'The positional operator did not find the match needed from the query.');
  }

  function field(container: Value, name: string, depth: number): void {
    if (Array.isArray(container)) return element(container, name, depth);
    if (!isDoc(container)) {
      if (operation.creates) throw notViable(parts, container, name, depth);
      return;
    }
    const next = child(getField(container, name), depth);
    if (next === KEEP) return;
    if (next === undefined) delete container[name];
    else setField(container, name, next);
  }

  function element(container: Value[], name: string, depth: number): void {
    if (!isArrayIndex(name)) {
      if (operation.creates) throw notViable(parts, container, name, depth);
      return;
    }
    const index = Number(name);
    if (index >= container.length && !operation.creates) return;
    if (index > container.length + 1_500_000)
      throw new CommandError('BadValue', `can't backfill more than 1500000 elements`);
    const next = child(container[index], depth);
    if (next === KEEP) return;
    while (container.length < index) container.push(null);
    container[index] = next ?? null;
  }

  /** The new value of a child, KEEP when it stays or was changed in place. */
  function child(old: Value | undefined, depth: number): Value | undefined | typeof KEEP {
    if (depth === parts.length - 1) return operation.apply(old, context);
    if (old !== undefined) {
      step(old, depth + 1);
      return KEEP;
    }
    if (parts[depth + 1]!.startsWith('$[')) throw mustExist(parts, depth);
    if (!operation.creates) return KEEP;
    const created: Doc = {};
    step(created, depth + 1);
    return Object.keys(created).length > 0 ? created : KEEP;
  }

  function everyElement(container: Value, depth: number, identifier: string): void {
    if (!Array.isArray(container)) throw notAnArray(parts, container, depth);
    const selects = identifier === '' ? undefined : context.arrayFilters.get(identifier);
    for (let i = 0; i < container.length; i++) {
      if (!selects || selects(container[i]!)) element(container, String(i), depth);
    }
  }
}

function mustExist(parts: readonly string[], depth: number): CommandError {
  const at = parts.slice(0, depth + 1).join('.');
  return new CommandError('BadValue', `The path '${at}' must exist in the document in order to apply array updates.`);
}

function notViable(parts: readonly string[], container: Value, name: string, depth: number): CommandError {
  const at = parts[depth - 1] ?? '';
  return new CommandError('PathNotViable', `Cannot create field '${name}' in element {${at}: ${describe(container)}}`);
}

function notAnArray(parts: readonly string[], container: Value, depth: number): CommandError {
  const at = parts.slice(0, depth).join('.');
  return new CommandError('BadValue', `Cannot apply array updates to non-array element ${at}: ${describe(container)}`);
}
