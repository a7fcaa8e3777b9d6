import { validationError } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';

const MOST = 1_000;

/** Throws `validation` naming every field that is not a lower-case UUID. */
export function requireUuid(fields: Record<string, string>): void {
  const wrong = Object.keys(fields).filter((name) => !isUuid(fields[name] ?? ''));
  if (wrong.length > 0) throw validationError(wrong.map((name) => ({ path: `/${name}`, message: 'must be a UUID' })));
}

/** The `limit` of a list: 1–1000, 0 means 100. */
export function pageSize(limit: number): number {
  if (limit < 0 || limit > MOST) throw validationError([{ path: '/limit', message: `must be 0 to ${MOST}` }]);
  return limit === 0 ? 100 : limit;
}
