import { type Violation } from '@invoicing/errors';
import { boundViolations } from './bound-body';
import { EdgeError, validation } from './edge-error';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Refuses a body that names another profile than the one its key is restricted to (403), and one that does not fit (400, with all that
 * is wrong at once).
 */
export function checkBody(
  body: unknown,
  profileId: string | undefined,
  violationsOf: (body: unknown) => readonly Violation[],
): void {
  const named = (body as { profileId?: unknown } | null)?.profileId;
  if (profileId && typeof named === 'string' && UUID.test(named) && named.toLowerCase() !== profileId)
    throw new EdgeError('forbidden');
  const bounds = boundViolations(body);
  // What is wrong with the body as a whole would only be repeated for its parts.
  if (bounds.some(({ path }) => path === '')) throw validation(bounds);
  const told = new Set(bounds.map(({ path }) => path));
  const violations = [...bounds, ...violationsOf(body).filter(({ path }) => !told.has(path))];
  if (violations.length > 0) throw validation(violations);
}
