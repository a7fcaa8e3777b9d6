import { type Attempt, type Fulfilment, type InvoiceReference, type Session } from './session';

/** Expiry waits for a pending payment; a paid session never expires. */
export function expireSession(session: Session, now: Date): Session {
  if (session.status !== 'open' || !session.expiresAt || session.expiresAt > now) return session;
  if (session.attempts.some(({ status }) => status === 'pending')) return session;
  return { ...session, status: 'expired' };
}

/** Why a session cannot be ended before its time, or undefined. */
export function cancelFault({ status, attempts }: Session): string | undefined {
  if (status === 'paid') return 'the checkout is paid';
  if (status === 'expired') return 'the checkout has expired';
  return attempts.some((attempt) => attempt.status === 'pending') ? 'a payment is being processed' : undefined;
}

/** The invoice exists, is e-mailed, and these payments are on its account: each with how much of it was too much. */
export function fulfilmentDone(
  session: Session,
  invoice: InvoiceReference,
  recorded: ReadonlyMap<string, number>,
): Session {
  const attempts = session.attempts.map((attempt): Attempt => {
    const surplusCents = recorded.get(attempt.id);
    return surplusCents === undefined
      ? attempt
      : { ...attempt, recorded: true, ...(surplusCents > 0 && { surplusCents }) };
  });
  const after = { ...session, invoice, attempts };
  // Another payment may have come while these were recorded.
  if (
    session.fulfilment?.status !== 'due' ||
    attempts.some(({ status, recorded: is }) => status === 'paid' && is === false)
  )
    return after;
  return { ...after, fulfilment: { ...session.fulfilment, status: 'done', nextTryAt: null } };
}

/** What the version before was about to give back is recorded first, as all money is; what is too much goes back from there. */
export function adoptFormerRefunds(session: Session, now: Date): Session {
  if (!session.attempts.some(({ refund }) => refund?.status === 'due')) return session;
  const attempts = session.attempts.map((attempt): Attempt =>
    attempt.refund?.status === 'due' ? { ...attempt, refund: null, recorded: false } : attempt,
  );
  return { ...session, attempts, fulfilment: { status: 'due', nextTryAt: now, tries: 0 } };
}

export const postponeFulfilment = (session: Session, delayMs: number, now: Date): Session =>
  session.fulfilment?.status === 'due' ? { ...session, fulfilment: later(session.fulfilment, delayMs, now) } : session;

const later = (work: Fulfilment, delayMs: number, now: Date): Fulfilment => ({
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
