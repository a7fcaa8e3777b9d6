import { CommandError } from '../command-error';
import { getField, isDoc, type Doc, type Value } from '../bson/value';
import { KEEP, type FieldOperation } from './path-update';

/** `$rename` is two steps: the target takes the value, then the source goes. The value is read when the target step runs, which may be after the source is gone, so both look at the source first. */
export function renames(from: string, to: Value): { path: string; operation: FieldOperation }[] {
  if (typeof to !== 'string')
    throw new CommandError('BadValue', `The 'to' field for $rename must be a string: ${from}`);
  if (from === to)
    throw new CommandError('BadValue', `The source and target field for $rename must differ: ${from}: "${to}"`);
  if (/(^|\.)\$/.test(from) || /(^|\.)\$/.test(to)) {
    throw new CommandError('BadValue', `The source and target field for $rename may not be dynamic: ${from}`);
  }
  let moved: { doc: Doc; value: Value | undefined } | undefined;
  const read = (doc: Doc): Value | undefined => {
    if (moved?.doc !== doc) moved = { doc, value: valueAt(doc, from) };
    return moved.value;
  };
  return [
    {
      path: from,
      operation: { creates: false, apply: (_old, { doc }) => void read(doc) },
    },
    {
      path: to,
      operation: {
        creates: true,
        apply: (_old, { doc }) => {
          const value = read(doc);
          moved = undefined;
          return value === undefined ? KEEP : value;
        },
      },
    },
  ];
}

function valueAt(doc: Doc, path: string): Value | undefined {
  let value: Value | undefined = doc;
  for (const part of path.split('.')) {
    if (Array.isArray(value))
      throw new CommandError('BadValue', `The source field cannot be an array element, '${path}' in doc`);
    value = isDoc(value) ? getField(value, part) : undefined;
  }
  return value;
}
