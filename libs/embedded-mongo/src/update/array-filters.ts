import { CommandError } from '../command-error';
import { isDoc, type Doc, type Value } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { describe } from '../bson/describe';
import { type UpdateContext } from './path-update';
import { type Step } from './steps';

/** The predicates of `$[identifier]`. Every filter must be used, and every identifier have a filter. */
export function compileArrayFilters(given: Value | undefined, steps: Step[], u: Doc): UpdateContext['arrayFilters'] {
  const filters: UpdateContext['arrayFilters'] = new Map();
  if (given !== undefined && !Array.isArray(given))
    throw new CommandError('TypeMismatch', 'arrayFilters must be an array');
  for (const filter of given ?? []) {
    if (!isDoc(filter)) throw new CommandError('TypeMismatch', 'Each array filter must be an object');
    const identifier = identifierOf(filter);
    if (filters.has(identifier)) {
      throw new CommandError(
        'FailedToParse',
        `Found multiple array filters with the same top-level field name ${identifier}`,
      );
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
        throw new CommandError('BadValue', `No array filter found for identifier '${identifier}' in path '${path}'`);
      }
      used.add(identifier);
    }
  }
  const unused = [...filters.keys()].find((identifier) => !used.has(identifier));
  if (unused !== undefined) {
    throw new CommandError(
      'FailedToParse',
      `The array filter for identifier '${unused}' was not used in the update ${describe(u)}`,
    );
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
    throw new CommandError('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
  if (names.size > 1) {
    throw new CommandError(
      'FailedToParse',
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${[...names].join("' and '")}'`,
    );
  }
  const [identifier] = names;
  if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier!)) {
    throw new CommandError(
      'BadValue',
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
    );
  }
  return identifier!;
}
