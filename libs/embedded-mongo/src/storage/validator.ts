import { CommandError } from '../command-error';
import { collated } from '../bson/collation';
import { type Doc } from '../bson/value';
import { compileFilter } from '../query/compile-filter';
import { type Matcher } from '../query/path';
import { describe } from '../bson/describe';
import { type Collection } from './collection';

const compiled = new WeakMap<Doc, Matcher>();

/** Refuses a document that the collection's validator does not accept. `before` is what it replaces. */
export function validate({ options, db, name }: Collection, doc: Doc, before?: Doc): void {
  const {
    validator,
    validationLevel = 'strict',
    validationAction = 'error',
  } = options as { validator?: Doc; validationLevel?: string; validationAction?: string };
  if (!validator || validationLevel === 'off' || validationAction === 'warn') return;
  // What a collection accepts depends on no command's collation.
  const accepted = collated(undefined, () => {
    let matches = compiled.get(validator);
    if (!matches) compiled.set(validator, (matches = compileFilter(validator)));
    // Moderate: what was already wrong may stay wrong.
    return matches(doc) || (validationLevel === 'moderate' && before !== undefined && !matches(before));
  });
  if (accepted) return;
  throw new CommandError('DocumentValidationFailure', 'Document failed validation', {
    errInfo: {
      failingDocumentId: doc._id!,
      details: { operatorName: Object.keys(validator)[0] ?? '', reason: `${db}.${name}: ${describe(validator)}` },
    },
  });
}
