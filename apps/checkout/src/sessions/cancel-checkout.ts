import { AppError, notFoundError } from '@invoicing/errors';
import { type Actor } from '@invoicing/rules';
import { refreshSession } from './refresh-payment';
import { type Session } from './session';
import { eventOf } from './session-events';
import { type Ports } from './session-ports';
import { cancelFault, nextDueAt } from './settle-session';

// Every lost race means that somebody else won one.
const TRIES = 100;

/**
 * Ends an open checkout. Nobody can begin to pay it from then on; a payer who is at the provider already may still pay, and such money
 * makes the checkout paid, with its invoice, as money after expiry does. Cancelling it again changes nothing.
 * Throws `conflict` when it is paid, expired or being paid.
 */
export async function cancelCheckout(ports: Ports, found: Session, by: Actor): Promise<Session> {
  // The payer may have paid meanwhile, unnoticed.
  let session: Session | null = await refreshSession(ports, found);
  for (let tries = 0; tries < TRIES; tries++) {
    if (!session) throw notFoundError('the checkout session');
    if (session.canceledAt && session.status === 'expired') return session;
    const fault = cancelFault(session);
    if (fault !== undefined) throw new AppError('conflict', 'conflict', fault);
    const now = ports.clock.now(session.organizationId);
    const after: Session = { ...session, status: 'expired', canceledAt: now };
    const canceled = await ports.sessions.cancel(after, { by, dueAt: nextDueAt(after) }, eventOf(session, after, now));
    if (canceled) {
      ports.report('session_canceled', { sessionId: session.id });
      ports.wake();
      return canceled;
    }
    session = await ports.sessions.find(session.organizationId, session.id);
  }
  throw new AppError('conflict', 'conflict', 'the checkout is being changed by somebody else');
}
