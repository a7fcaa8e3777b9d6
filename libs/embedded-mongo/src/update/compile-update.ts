import { type Variables } from '../aggregate/expression';
import { CommandError } from '../command-error';
import { compilePipelineUpdate } from '../aggregate/pipeline-update';
import { compareStrings, valuesEqual } from '../bson/compare';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileArrayFilters } from './array-filters';
import { describe } from '../bson/describe';
import { fieldOperations } from './field-operations';
import { updatePath, type UpdateContext, type Updater } from './path-update';
import { renames } from './rename';
import { refuseConflicts, step, type Step } from './steps';

/** An update, compiled. */
export interface CompiledUpdate {
  update: Updater;
  /** The top-level fields that can change; undefined: any. */
  roots: ReadonlySet<string> | undefined;
}

/** An update as a statement gives it. */
export interface UpdateSpec {
  u: Value;
  arrayFilters?: Value | undefined;
  constants?: Variables | undefined;
}

/** Compiles an update once: operators, a pipeline or a replacement document. */
export function compileUpdate({ u, arrayFilters, constants }: UpdateSpec): CompiledUpdate {
  if (Array.isArray(u)) {
    if (arrayFilters !== undefined)
      throw new CommandError('FailedToParse', 'arrayFilters may not be specified for pipeline-syle updates');
    return { update: guarded(compilePipelineUpdate(u, constants)), roots: undefined };
  }
  if (!isDoc(u)) throw new CommandError('FailedToParse', 'Update argument must be either an object or an array');
  const first = Object.keys(u)[0];
  if (first === undefined || !first.startsWith('$')) {
    return { update: guarded(compileReplacement(u)), roots: undefined };
  }
  const steps = Object.keys(u).flatMap((operator) => compileOperator(operator, u[operator]!));
  const update = guarded(compileOperators(u, steps, arrayFilters), steps.find(({ parts }) => parts[0] === '_id')?.path);
  return { update, roots: new Set(steps.map(({ parts }) => parts[0]!)) };
}

/** Whether an update is a whole document, and not operators or a pipeline. */
export const isReplacement = (u: Value): boolean => isDoc(u) && !Object.keys(u)[0]?.startsWith('$');

/** `_id` never changes, whatever the update says; `path` is where it says so by an operator. */
function guarded(update: Updater, path?: string): Updater {
  return (doc, input) => {
    const id = doc._id;
    const updated = update(doc, input);
    if (input.inserting && id === undefined) return updated;
    if (updated._id === undefined && id !== undefined && path === undefined) return { _id: id, ...updated };
    if (!valuesEqual(id, updated._id)) {
      if (path !== undefined)
        throw new CommandError(
          'ImmutableField',
          `Performing an update on the path '${path}' would modify the immutable field '_id'`,
        );
      throw new CommandError(
        'ImmutableField',
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
        'DollarPrefixedFieldName',
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
      'FailedToParse',
      `Unknown modifier: ${operator}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isDoc(operand)) {
    throw new CommandError(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeof operand} instead. For example: {$mod: {<field>: ...}} not {${operator}: ${describe(operand)}}`,
    );
  }
  return Object.keys(operand).flatMap((path) => {
    if (operator === '$rename')
      return renames(path, operand[path]!).map((renamed) => step(renamed.path, renamed.operation));
    return step(path, compile!(operand[path]!, path));
  });
}
