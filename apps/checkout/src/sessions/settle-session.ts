import {
  findAttempt,
  withAttempt,
  type Attempt,
  type Fulfilment,
  type InvoiceReference,
  type Refund,
  type Session,
} from './session';

/** Expiry waits for a pending payment; a paid session never expires. */
export function expireSession(session: Session, now: Date): Session {
  if (session.status !== 'open' || !session.expiresAt || session.expiresAt > now) return session;
  if (session.attempts.some(({ status }) => status === 'pending')) return session;
  return { ...session, status: 'expired' };
}

/** The invoice exists, is e-mailed and marked paid. */
export const fulfilmentDone = (session: Session, invoice: InvoiceReference): Session =>
  session.fulfilment?.status === 'due'
    ? { ...session, invoice, fulfilment: { ...session.fulfilment, status: 'done', nextTryAt: null } }
    : session;

/** The invoice was settled by other money, so this payment is given back and nothing more is to be done for it. */
export function paymentUnwanted(session: Session, invoice: InvoiceReference, now: Date): Session {
  const attempt = session.attempts.find(({ id }) => id === session.paidAttemptId);
  if (!attempt || session.fulfilment?.status !== 'due') return session;
  const refund: Refund = { status: 'due', reason: 'invoice_settled', nextTryAt: now, tries: 0 };
  return withAttempt(fulfilmentDone(session, invoice), { ...attempt, refund });
}

export const postponeFulfilment = (session: Session, delayMs: number, now: Date): Session =>
  session.fulfilment?.status === 'due' ? { ...session, fulfilment: later(session.fulfilment, delayMs, now) } : session;

export const refundEnded = (session: Session, attemptId: string, status: 'done' | 'failed'): Session =>
  changeRefund(session, attemptId, (refund) => ({ ...refund, status, nextTryAt: null }));

export const postponeRefund = (session: Session, attemptId: string, delayMs: number, now: Date): Session =>
  changeRefund(session, attemptId, (refund) => later(refund, delayMs, now));

function changeRefund(session: Session, attemptId: string, change: (refund: Refund) => Refund): Session {
  const attempt = findAttempt(session, attemptId);
  return attempt?.refund?.status === 'due'
    ? withAttempt(session, { ...attempt, refund: change(attempt.refund) })
    : session;
}

const later = <T extends Fulfilment | Refund>(work: T, delayMs: number, now: Date): T => ({
  ...work,
  nextTryAt: new Date(now.getTime() + delayMs),
  tries: work.tries + 1,
});

/** When this session needs a look: its next poll, refund, fulfilment or its end. Null: nothing is left to be done. */
export function nextDueAt(session: Session): Date | null {
  const times = session.attempts.flatMap((attempt: Attempt) => [attempt.pollAt, attempt.refund?.nextTryAt]);
  times.push(session.fulfilment?.nextTryAt);
  // A pending payment holds expiry back; its own poll brings the session here again.
  const held = session.attempts.some(({ status }) => status === 'pending');
  if (session.status === 'open' && !held) times.push(session.expiresAt);
  const known = times.filter((time): time is Date => time != null).map((time) => time.getTime());
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}
