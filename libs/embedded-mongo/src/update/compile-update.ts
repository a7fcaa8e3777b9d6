import { type Variables } from '../aggregate/compile-expression';
import { CommandError } from '../command-error';
import { compilePipelineUpdate } from '../aggregate/pipeline-update';
import { compareStrings, valuesEqual } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { isReference } from '../query/operators';
import { describe } from './describe';
import { fieldOperations } from './field-operations';
import { updatePath, type FieldOperation, type UpdateContext } from './path-update';
import { renames } from './rename';

export interface UpdateInput {
  positionalIndex?: number | undefined;
  inserting?: boolean;
}

/** A compiled update: changes the document in place or returns its replacement. */
export type Updater = (doc: Doc, input: UpdateInput) => Doc;

export interface CompiledUpdate {
  update: Updater;
  /** The top-level fields that can change; undefined: any. */
  roots: ReadonlySet<string> | undefined;
}

export interface UpdateSpec {
  u: Value;
  arrayFilters?: Value | undefined;
  constants?: Variables | undefined;
}

interface Step {
  path: string;
  parts: string[];
  operation: FieldOperation;
}

/** Compiles an update once: operators, a pipeline or a replacement document. */
export function compileUpdate({ u, arrayFilters, constants }: UpdateSpec): CompiledUpdate {
  if (Array.isArray(u)) {
    if (arrayFilters !== undefined)
      throw new CommandError(9, 'arrayFilters may not be specified for pipeline-syle updates');
    return { update: guarded(compilePipelineUpdate(u, constants)), roots: undefined };
  }
  if (!isDoc(u)) throw new CommandError(9, 'Update argument must be either an object or an array');
  const first = Object.keys(u)[0];
  if (first === undefined || !first.startsWith('$')) {
    return { update: guarded(compileReplacement(u)), roots: undefined };
  }
  const steps = Object.keys(u).flatMap((operator) => compileOperator(operator, u[operator]!));
  const update = guarded(compileOperators(u, steps, arrayFilters));
  return { update, roots: new Set(steps.map(({ parts }) => parts[0]!)) };
}

export const isReplacement = (u: Value): boolean => isDoc(u) && !Object.keys(u)[0]?.startsWith('$');

/** `_id` never changes, whatever the update says. */
function guarded(update: Updater): Updater {
  return (doc, input) => {
    const id = doc._id;
    const updated = update(doc, input);
    if (input.inserting && id === undefined) return updated;
    if (updated._id === undefined && id !== undefined) return { _id: id, ...updated };
    if (!valuesEqual(id, updated._id)) {
      throw new CommandError(
        66,
        `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describe(updated._id)}`,
      );
    }
    return updated;
  };
}

function compileReplacement(replacement: Doc): Updater {
  for (const name of Object.keys(replacement)) {
    if (name.startsWith('$')) {
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    }
  }
  return (doc) => {
    const id = replacement._id ?? doc._id;
    return id === undefined ? { ...replacement } : { _id: id, ...replacement };
  };
}

function compileOperators(u: Doc, steps: Step[], arrayFilters: Value | undefined): Updater {
  refuseConflicts(steps);
  const filters = compileArrayFilters(arrayFilters, steps, u);
  // MongoDB applies by path, so new fields appear in that order whatever the operator.
  steps.sort((a, b) => compareStrings(a.path, b.path));
  return (doc, { positionalIndex, inserting = false }) => {
    const context: UpdateContext = { doc, positionalIndex, arrayFilters: filters, inserting, now: new Date() };
    for (const { path, parts, operation } of steps) updatePath(path, parts, operation, context);
    return doc;
  };
}

function compileOperator(operator: string, operand: Value): Step[] {
  const compile = fieldOperations[operator];
  if (!compile && operator !== '$rename') {
    throw new CommandError(
      9,
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(operand)) {
    throw new CommandError(
      9,
      `Modifiers operate on fields but we found type ${typeof operand} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${describe(operand)}}`,
    );
  }
  return Object.keys(operand).flatMap((path) => {
    if (operator === '$rename') return renames(path, operand[path]!).map((step) => checked(step.path, step.operation));
    return checked(path, compile!(operand[path]!, path));
  });
}

function checked(path: string, operation: FieldOperation): Step {
  if (path === '') throw new CommandError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new CommandError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  }
  if (parts[0] === '$' || parts[0]!.startsWith('$[')) {
    throw new CommandError(2, `Cannot have positional (i.e. '$') element in the first position in path '${path}'`);
  }
  if (parts.indexOf('$') !== parts.lastIndexOf('$')) {
    throw new CommandError(2, `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  if (parts[0]!.startsWith('$') && !isReference(parts[0]!))
    return { path, parts, operation: onlyInserting(operation, parts[0]!) };
  return { path, parts, operation };
}

/** A field whose name begins with `$` can come with an upsert but not be updated by its name. */
function onlyInserting(operation: FieldOperation, name: string): FieldOperation {
  return {
    ...operation,
    apply: (old, context) => {
      if (context.inserting) return operation.apply(old, context);
      throw new CommandError(
        52,
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    },
  };
}

function refuseConflicts(steps: Step[]): void {
  const seen = new Set<string>();
  for (const { path, parts } of steps) {
    for (let length = 1; length <= parts.length; length++) {
      const prefix = parts.slice(0, length).join('.');
      if (seen.has(prefix)) throw conflict(path, prefix);
    }
    for (const other of seen) if (other.startsWith(`${path}.`)) throw conflict(path, path);
    seen.add(path);
  }
}

const conflict = (path: string, at: string): CommandError =>
  new CommandError(40, `Updating the path '${path}' would create a conflict at '${at}'`);

function compileArrayFilters(given: Value | undefined, steps: Step[], u: Doc): UpdateContext['arrayFilters'] {
  const filters: UpdateContext['arrayFilters'] = new Map();
  if (given !== undefined && !Array.isArray(given)) throw new CommandError(14, 'arrayFilters must be an array');
  for (const filter of given ?? []) {
    if (!isDoc(filter)) throw new CommandError(14, 'Each array filter must be an object');
    const identifier = identifierOf(filter);
    if (filters.has(identifier)) {
      throw new CommandError(9, `Found multiple array filters with the same top-level field name ${identifier}`);
    }
    const matches = compileFilter(filter);
    filters.set(identifier, (element) => matches({ [identifier]: element }));
  }
  const used = new Set<string>();
  for (const { path, parts } of steps) {
    for (const part of parts) {
      if (!part.startsWith('$[') || part === '$[]') continue;
      const identifier = part.slice(2, -1);
      if (!filters.has(identifier)) {
        throw new CommandError(2, `No array filter found for identifier '${identifier}' in path '${path}'`);
      }
      used.add(identifier);
    }
  }
  const unused = [...filters.keys()].find((identifier) => !used.has(identifier));
  if (unused !== undefined) {
    throw new CommandError(9, `The array filter for identifier '${unused}' was not used in the update ${describe(u)}`);
  }
  return filters;
}

/** The one field name that all conditions of an array filter begin with. */
function identifierOf(filter: Doc): string {
  const names = new Set<string>();
  const collect = (doc: Doc): void => {
    for (const name of Object.keys(doc)) {
      if (!name.startsWith('$')) names.add(name.split('.')[0]!);
      else if (Array.isArray(doc[name])) for (const clause of doc[name]) if (isDoc(clause)) collect(clause);
    }
  };
  collect(filter);
  if (names.size === 0)
    throw new CommandError(9, 'Cannot use an expression without a top-level field name in arrayFilters');
  if (names.size > 1) {
    throw new CommandError(
      9,
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
    );
  }
  const [identifier] = names;
  if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier!)) {
    throw new CommandError(
      2,
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier!;
}
