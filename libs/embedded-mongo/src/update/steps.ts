import { CommandError } from '../command-error';
import { isReference } from '../query/reference';
import { type FieldOperation } from './path-update';

/** One operator on one path. */
export interface Step {
  path: string;
  parts: string[];
  operation: FieldOperation;
}

/** One operation at one path; throws EmptyFieldName for an empty part. */
export function step(path: string, operation: FieldOperation): Step {
  if (path === '') throw new CommandError('EmptyFieldName', 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new CommandError(
      'EmptyFieldName',
      `The update path '${path}' contains an empty field name, which is not allowed.`,
    );
  }
  if (parts[0] === '$' || parts[0]!.startsWith('$[')) {
    throw new CommandError(
      'BadValue',
      `Cannot have positional (i.e. '$') element in the first position in path '${path}'`,
    );
  }
  if (parts.indexOf('$') !== parts.lastIndexOf('$')) {
    throw new CommandError('BadValue', `Too many positional (i.e. '$') elements found in path '${path}'`);
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
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${name}' in '${name}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    },
  };
}

/** Throws ConflictingUpdateOperators when one path is, or lies below, another. */
export function refuseConflicts(steps: Step[]): void {
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
  new CommandError('ConflictingUpdateOperators', `Updating the path '${path}' would create a conflict at '${at}'`);
