import { validationError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';

/** Of lists: 1–1000, 0 means 100. */
export const LIST = { usual: 100, most: 1_000 };

/** Throws `validation` naming every field that is not a lower-case UUID. */
export function requireUuid(fields: Record<string, string>): void {
  const wrong = Object.keys(fields).filter((name) => !isUuid(fields[name] ?? ''));
  if (wrong.length > 0) throw validationError(wrong.map((name) => ({ path: `/${name}`, message: 'must be a UUID' })));
}
