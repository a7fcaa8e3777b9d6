import { AppError } from '@invoicing/errors';
import { type Session } from './session';
import { eventOf } from './session-events';
import { type Ports } from './session-ports';

// Every lost race means that somebody else won one: many tries only under many changes at once.
const TRIES = 100;

/**
 * Reads, changes and writes back by compare-and-set until nobody came in between. `change` is pure and may run several times;
 * answering the same session means that there is nothing to write. Answers the session as stored, null when there is none.
 */
export async function changeSession(
  { sessions, clock, report, wake }: Pick<Ports, 'sessions' | 'clock' | 'report' | 'wake'>,
  { organizationId, id }: Pick<Session, 'organizationId' | 'id'>,
  change: (session: Session) => Session,
): Promise<Session | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = await sessions.find(organizationId, id);
    if (!before) return null;
    const after = change(before);
    if (after === before) return before;
    const event = eventOf(before, after, clock.now(after.organizationId));
    if (!(await sessions.replace(after, event))) continue;
    // An invoice that is open again is nothing to report.
    if (before.status !== after.status && after.status !== 'open')
      report(after.status === 'paid' ? 'session_paid' : 'session_expired', { sessionId: id, kind: after.kind });
    // Something of it may be due sooner than before.
    wake();
    return { ...after, revision: after.revision + 1 };
  }
  throw new AppError('busy', 'busy', 'the session is changing too fast; try again');
}
