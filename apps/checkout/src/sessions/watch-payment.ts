import { type Movement } from './movement';
import { findAttempt, withAttempt, type Attempt, type Session } from './session';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Chargebacks of cards come for months; direct debits are final before. */
const WATCHED_DAYS = 180;

/**
 * When a paid payment is looked at again: an hour after it was paid, a day after, then daily, until nothing has happened to it for half a
 * year. Callbacks are quicker; this is for those that never came.
 */
export function watchAt(paidAt: Date, movements: readonly Movement[], now: Date): Date | null {
  const last = Math.max(paidAt.getTime(), ...movements.map(({ at }) => at.getTime()));
  const age = now.getTime() - last;
  if (age < HOUR_MS) return new Date(last + HOUR_MS);
  if (age < DAY_MS) return new Date(last + DAY_MS);
  return age < WATCHED_DAYS * DAY_MS ? new Date(now.getTime() + DAY_MS) : null;
}

/** However many callbacks come, a paid payment is looked at this often. */
const HINT_MS = 2_000;

/** Somebody says that something happened to a paid payment: look now, or when the last look is long enough ago. */
export function hintOf(attempt: Attempt, now: Date): 'look' | { readonly lookAt: Date } {
  const from = (attempt.watchedAt?.getTime() ?? 0) + HINT_MS;
  return now.getTime() >= from ? 'look' : { lookAt: new Date(from) };
}

/** A paid payment is to be looked at then, if not before. */
export function watchBy(session: Session, attemptId: string, lookAt: Date): Session {
  const attempt = findAttempt(session, attemptId);
  if (attempt?.status !== 'paid' || (attempt.pollAt && attempt.pollAt <= lookAt)) return session;
  return withAttempt(session, { ...attempt, pollAt: lookAt });
}

/** The account is told of a payment before it is told what went back of it: look when that was done, or is tried again. */
export function watchOnceRecorded(session: Session, attemptId: string, now: Date): Session {
  const attempt = findAttempt(session, attemptId);
  if (attempt?.status !== 'paid') return session;
  const pollAt = Math.max(now.getTime() + HINT_MS, session.fulfilment?.nextTryAt?.getTime() ?? 0);
  return withAttempt(session, { ...attempt, pollAt: new Date(pollAt) });
}

/**
 * Billing is about to be told that money went back, for the first time. Whoever dies after telling leaves nothing else behind, and money that
 * comes here again meanwhile looks as if it had never gone.
 */
export function movementsToCome(session: Session, attemptId: string): Session {
  const attempt = findAttempt(session, attemptId);
  return !attempt || attempt.movements ? session : withAttempt(session, { ...attempt, movements: [] });
}

/** A paid payment was looked at, and billing knows what is new. */
export function paymentWatched(session: Session, attemptId: string, told: readonly Movement[], now: Date): Session {
  const attempt = findAttempt(session, attemptId);
  if (!attempt?.paidAt) return session;
  const isTold = ({ id }: Movement): boolean => told.some((each) => each.id === id);
  const movements = [...(attempt.movements ?? []).filter((each) => !isTold(each)), ...told];
  return withAttempt(session, {
    ...attempt,
    ...(movements.length > 0 && { movements }),
    watchedAt: now,
    pollAt: watchAt(attempt.paidAt, movements, now),
  });
}
