import { CommandError } from '../../command-error';
import { getField, isDoc, setField, type Doc, type Value } from '../../bson/value';
import { type CompileStage } from '../stage';

/** `$unwind`. */
export const unwind: CompileStage = (operand) => {
  const spec = isDoc(operand) ? operand : { path: operand };
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = spec as Doc;
  if (typeof path !== 'string')
    throw new CommandError('Location28808', 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$'))
    throw new CommandError('Location28818', `path option to $unwind stage should be prefixed with a '$': ${path}`);
  if (includeArrayIndex !== undefined && (typeof includeArrayIndex !== 'string' || includeArrayIndex === '')) {
    throw new CommandError(
      'Location28810',
      'expected a non-empty string for the includeArrayIndex option to $unwind stage',
    );
  }
  const parts = path.slice(1).split('.');
  const indexParts = includeArrayIndex?.split('.');
  const preserve = preserveNullAndEmptyArrays === true;
  const withIndex = (doc: Doc, index: Value): Doc => (indexParts ? replaced(doc, indexParts, 0, index) : doc);

  return function* (docs) {
    for (const doc of docs) {
      if (!doc) {
        yield undefined;
        continue;
      }
      const value = parts.reduce<Value | undefined>((at, part) => (isDoc(at) ? getField(at, part) : undefined), doc);
      if (Array.isArray(value) && value.length > 0) {
        for (const [i, item] of value.entries()) yield withIndex(replaced(doc, parts, 0, item), BigInt(i));
      } else if (Array.isArray(value)) {
        if (preserve) yield withIndex(replaced(doc, parts, 0, undefined), null);
      } else if (value !== undefined && value !== null) yield withIndex(doc, null);
      else if (preserve) yield withIndex(doc, null);
    }
  };
};

/** A copy of the document with another value at the path; undefined removes it. */
function replaced(doc: Doc, parts: string[], depth: number, value: Value | undefined): Doc {
  const copy = { ...doc };
  const name = parts[depth]!;
  if (depth < parts.length - 1) {
    const inner = getField(copy, name);
    setField(copy, name, replaced(isDoc(inner) ? inner : {}, parts, depth + 1, value));
  } else if (value === undefined) delete copy[name];
  else setField(copy, name, value);
  return copy;
}
