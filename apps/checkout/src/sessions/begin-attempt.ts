import {
  amountOf,
  attemptCents,
  findAttempt,
  isLive,
  withAttempt,
  type Attempt,
  type Language,
  type Payer,
  type Session,
} from './session';

export interface AttemptRequest {
  /** Derived from the form that was submitted: the same form again is the same attempt. */
  readonly id: string;
  readonly accountId: string;
  readonly provider: string;
  readonly method: string;
  readonly payer: Payer | null;
  readonly language: Language;
}

export type BeginResult =
  /** Go on with this attempt: create it at the provider when it is `starting`, else send the payer to `payUrl`. */
  | { readonly kind: 'proceed'; readonly session: Session; readonly attempt: Attempt }
  /** The page tells the payer what is so: paid, expired, waiting for a payment. */
  | { readonly kind: 'refused'; readonly reason: 'paid' | 'expired' | 'pending' | 'too_many' };

/** Bounds the document: a payer gives up long before, a robot does not. */
export const ATTEMPT_LIMIT = 50;

/**
 * Starts a payment, or goes on with one that is under way: a double click, the back button and a second tab with the same method
 * all meet the same payment at the provider, and while a payment is pending no other starts.
 */
export function beginAttempt(session: Session, request: AttemptRequest, now: Date): BeginResult {
  if (session.status === 'paid') return { kind: 'refused', reason: 'paid' };
  if (session.attempts.some(({ status }) => status === 'pending')) return { kind: 'refused', reason: 'pending' };
  if (session.status === 'expired' || (session.expiresAt && session.expiresAt <= now))
    return { kind: 'refused', reason: 'expired' };

  const same = findAttempt(session, request.id);
  const running =
    same && isLive(same) && attemptCents(same, session) === amountOf(session)
      ? same
      : session.attempts.find((each) => isLive(each) && isSamePayment(session, each, request));
  if (running) {
    // The details that were sent last are the ones that the payer meant.
    const attempt: Attempt = {
      ...running,
      payer: request.payer,
      language: request.language,
      ...(running.status === 'starting' && { pollAt: startingUntil(now) }),
    };
    return { kind: 'proceed', session: withAttempt(session, attempt), attempt };
  }
  if (session.attempts.length >= ATTEMPT_LIMIT) return { kind: 'refused', reason: 'too_many' };

  const attempt: Attempt = {
    ...request,
    // A form that is sent again after its payment failed starts anew.
    id: same ? `${request.id}-${session.attempts.length}` : request.id,
    status: 'starting',
    amountCents: amountOf(session),
    paymentId: null,
    payUrl: null,
    createdAt: now,
    paidAt: null,
    pollAt: startingUntil(now),
    refund: null,
  };
  return { kind: 'proceed', session: { ...session, attempts: [...session.attempts, attempt] }, attempt };
}

/** A creation that has not answered by then is looked at by the worker. */
const STARTING_MS = 15_000;
const startingUntil = (now: Date): Date => new Date(now.getTime() + STARTING_MS);

const isSamePayment = (session: Session, attempt: Attempt, request: AttemptRequest): boolean =>
  attempt.method === request.method &&
  attempt.accountId === request.accountId &&
  attemptCents(attempt, session) === amountOf(session);

/** The provider made the payment. A repeat changes nothing. */
export function attemptCreated(
  session: Session,
  attemptId: string,
  created: { readonly paymentId: string; readonly payUrl: string },
  now: Date,
): Session {
  const attempt = findAttempt(session, attemptId);
  if (attempt?.status !== 'starting') return session;
  return withAttempt(session, {
    ...attempt,
    ...created,
    status: 'open',
    pollAt: new Date(now.getTime() + FIRST_POLL_MS),
  });
}

/** The provider did not make it, or nobody will ever learn: the payer never got an address to pay at. */
export function attemptAbandoned(session: Session, attemptId: string): Session {
  const attempt = findAttempt(session, attemptId);
  if (attempt?.status !== 'starting') return session;
  return withAttempt(session, { ...attempt, status: 'failed', pollAt: null });
}

const FIRST_POLL_MS = 5_000;
