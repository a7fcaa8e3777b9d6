import { AppError } from '@invoicing/errors';
import { observePayment, postponePoll } from './observe-payment';
import { findAttempt, isLive, type Session } from './session';
import { changeSession } from './change-session';
import { type Ports } from './session-ports';

/** Asks the provider how a payment is and takes the answer in. Throws what the provider throws. */
async function refreshPayment(ports: Ports, session: Session, attemptId: string): Promise<Session> {
  const attempt = findAttempt(session, attemptId);
  if (!attempt?.paymentId || !isLive(attempt)) return session;
  const account = await ports.accounts.find(session.organizationId, attempt.accountId);
  if (!account) throw new AppError('internal', 'generic', 'the account of an attempt is gone');

  const state = await ports.openProvider(account).getPayment(attempt.paymentId);
  let isNews = false as boolean;
  const after = await changeSession(ports, session, (current) => {
    const next = observePayment(current, attemptId, state, ports.clock.now(current.organizationId));
    isNews = next !== current;
    return next;
  });
  // Only who wrote it down reports it: several callbacks and pages may hear the same at once.
  const seen = isNews && after && findAttempt(after, attemptId);
  const fields = { sessionId: session.id, attemptId, paymentId: attempt.paymentId };
  if (seen && seen.status === 'mismatched') {
    const { amountCents, currency } = state;
    ports.report('payment_mismatched', { ...fields, amountCents, currency });
  }
  return after ?? session;
}

/** Refreshes every live payment of a session as far as the provider answers; one that cannot be asked is asked later. */
export async function refreshSession(ports: Ports, session: Session): Promise<Session> {
  const asked = session.attempts.filter((attempt) => isLive(attempt) && attempt.paymentId);
  // Side by side: a provider that hangs is waited for once, not once a payment.
  const seen = await Promise.all(asked.map(({ id }) => refreshOrPostpone(ports, session, id)));
  return seen.reduce((latest, each) => (each.revision > latest.revision ? each : latest), session);
}

async function refreshOrPostpone(ports: Ports, session: Session, attemptId: string): Promise<Session> {
  try {
    return await refreshPayment(ports, session, attemptId);
  } catch (error) {
    ports.report('provider_failed', { sessionId: session.id, attemptId, error });
    const postpone = (current: Session): Session =>
      postponePoll(current, attemptId, ports.clock.now(current.organizationId));
    return (await changeSession(ports, session, postpone)) ?? session;
  }
}
