import { CommandError } from '../command-error';

/** The names in a path of an expression, a projection or a sort, refused where MongoDB's `FieldPath` refuses them. */
export function fieldPath(path: string): string[] {
  if (path === '') throw new CommandError('Location40352', 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new CommandError('Location40353', "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  for (const part of parts) checkFieldName(part);
  return parts;
}

/** Throws mongod's error for a name that an aggregation's field path must not have. */
function checkFieldName(name: string): void {
  if (name === '') throw new CommandError('Location15998', 'FieldPath field names may not be empty strings.');
  if (name.startsWith('$'))
    throw new CommandError(
      'Location16410',
      `FieldPath field names may not start with '$'. Consider using $getField or $setField.`,
    );
  if (name.includes('\0'))
    throw new CommandError('Location16411', 'FieldPath field names may not contain embedded nulls');
}
