import { attemptAbandoned } from './begin-attempt';
import { type Session } from './session';
import { adoptFormerRefunds, expireSession } from './settle-session';
import { changeSession } from './change-session';
import { fulfilSession } from './fulfil-session';
import { type DueWork, type Ports } from './session-ports';
import { refreshSession } from './refresh-payment';
import { watchPaidAttempt } from './watch-paid-attempt';

/** Shorter than "within 5 s of its return": what a dead replica held is free again soon. Taking it twice is harmless. */
const LEASE_MS = 2_500;

/** Takes one session that is due, for this replica alone while the lease lasts; null when nothing is due. */
export function claimDue(
  { sessions, clock }: Pick<Ports, 'sessions' | 'clock'>,
  work: DueWork,
): Promise<Session | null> {
  const now = clock.now();
  return sessions.claimDue(work, now, new Date(now.getTime() + LEASE_MS));
}

/**
 * Does what is due of a claimed session. Every step is safe to be done twice and leaves in the store when the next one is due:
 * what this replica does not get to, another claims.
 */
export async function runDue(ports: Ports, session: Session): Promise<void> {
  const now = ports.clock.now(session.organizationId);
  const isDue = (at: Date | null | undefined): boolean => at != null && at <= now;

  if (session.fulfilment?.status === 'due' && isDue(session.fulfilment.nextTryAt)) return fulfilSession(ports, session);

  if (session.attempts.some(({ refund }) => refund?.status === 'due')) {
    await changeSession(ports, session, (current) =>
      adoptFormerRefunds(current, ports.clock.now(current.organizationId)),
    );
    return;
  }
  for (const attempt of session.attempts)
    if (attempt.status === 'starting' && isDue(attempt.pollAt))
      await changeSession(ports, session, (current) => attemptAbandoned(current, attempt.id));
  await refreshSession(ports, session);
  for (const { id, status, pollAt } of session.attempts)
    if (status === 'paid' && isDue(pollAt)) await watchPaidAttempt(ports, session, id);
  // Last, so that money that is already there wins.
  await changeSession(ports, session, (current) => expireSession(current, ports.clock.now(current.organizationId)));
}
