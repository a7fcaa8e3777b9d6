import { type Violation } from '@invoicing/errors';
import { isUuid } from '@invoicing/rules';
import { boundViolations } from './bound-body';
import { EdgeError, validation } from './edge-error';

/**
 * Refuses a body that names another profile than the one its key is restricted to (403), and one that does not fit (400, with all that
 * is wrong at once).
 */
export function checkBody(
  body: unknown,
  profileId: string | undefined,
  violationsOf: (body: unknown) => readonly Violation[],
): void {
  const given = (body as { profileId?: unknown } | null)?.profileId;
  const named = typeof given === 'string' ? given.toLowerCase() : '';
  if (profileId && isUuid(named) && named !== profileId) throw new EdgeError('forbidden');
  const bounds = boundViolations(body);
  // What is wrong with the body as a whole would only be repeated for its parts.
  if (bounds.some(({ path }) => path === '')) throw validation(bounds);
  const told = new Set(bounds.map(({ path }) => path));
  const violations = [...bounds, ...violationsOf(body).filter(({ path }) => !told.has(path))];
  if (violations.length > 0) throw validation(violations);
}
