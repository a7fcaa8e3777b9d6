import { attemptCents, findAttempt, withAttempt, type Attempt, type Session } from './session';
import { watchAt } from './watch-payment';

/** A payment as the provider tells it now. */
export interface PaymentState {
  readonly id: string;
  readonly status: 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired';
  readonly amountCents: number;
  /** ISO 4217. */
  readonly currency: string;
  readonly paidAt: Date | null;
  /** Where the payer pays; null once there is nothing to pay. */
  readonly payUrl: string | null;
  /** What went back of it, by refunds and by chargebacks together; then it is worth listing them. */
  readonly returnedCents: number;
}

const POLL_FIRST_MS = 5_000;
const POLL_MAX_MS = 3_600_000;
const POLL_FAILED_MAX_MS = 60_000;
const WATCH_FAILED_MS = 600_000;

/**
 * What the provider says is taken in once: a final state never changes again, money that comes late wins over expiry, all money is
 * to be recorded, and another amount or currency is no payment.
 */
export function observePayment(session: Session, attemptId: string, state: PaymentState, now: Date): Session {
  const attempt = findAttempt(session, attemptId);
  if (!attempt || attempt.paymentId !== state.id) return session;
  if (attempt.status !== 'open' && attempt.status !== 'pending') return session;

  if (state.status === 'open' || state.status === 'pending') {
    // A pending payment is not open again: an older answer came late.
    const status = attempt.status === 'pending' ? 'pending' : state.status;
    return withAttempt(session, { ...attempt, status, pollAt: pollAfter(attempt, POLL_MAX_MS, now) });
  }
  if (state.status !== 'paid') return withAttempt(session, { ...attempt, status: state.status, pollAt: null });
  if (state.amountCents !== attemptCents(attempt, session) || state.currency !== session.currency)
    return withAttempt(session, { ...attempt, status: 'mismatched', pollAt: null });

  const paidAt = state.paidAt ?? now;
  const paid: Attempt = { ...attempt, status: 'paid', paidAt, recorded: false, pollAt: watchAt(paidAt, [], now) };
  const fulfilment = { status: 'due', nextTryAt: now, tries: 0 } as const;
  // More money than was asked for: it is recorded all the same, and what is too much goes back from there.
  if (session.status === 'paid') return { ...withAttempt(session, paid), fulfilment };
  return { ...withAttempt(session, paid), status: 'paid', paidAttemptId: attempt.id, paidAt, fulfilment };
}

/** The provider could not be asked: its state may have changed unnoticed, so ask again soon, even of a payment that is days old. */
export function postponePoll(session: Session, attemptId: string, now: Date): Session {
  const attempt = findAttempt(session, attemptId);
  if (!attempt?.pollAt) return session;
  const pollAt =
    attempt.status === 'paid' ? new Date(now.getTime() + WATCH_FAILED_MS) : pollAfter(attempt, POLL_FAILED_MAX_MS, now);
  return withAttempt(session, { ...attempt, pollAt });
}

/** Ever less often, by the payment's age and not by how often it was asked: pages and callbacks that ask meanwhile make polls no rarer. */
const pollAfter = ({ createdAt }: Attempt, maxMs: number, now: Date): Date => {
  const ageMs = now.getTime() - createdAt.getTime();
  return new Date(now.getTime() + Math.max(POLL_FIRST_MS, Math.min(ageMs / 2, maxMs)));
};
