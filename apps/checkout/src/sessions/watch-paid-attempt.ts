import { AppError } from '@invoicing/errors';
import { changeSession } from './change-session';
import { changedMovements, type Movement } from './movement';
import { postponePoll } from './observe-payment';
import { findAttempt, isUnrecorded, type Attempt, type Session } from './session';
import { type Ports } from './session-ports';
import { hintOf, movementsToCome, paymentWatched, watchBy, watchOnceRecorded } from './watch-payment';

type SessionKey = Pick<Session, 'organizationId' | 'id'>;

const TELL_TIMEOUT_MS = 10_000;

/**
 * Looks whether money of a paid payment went back at its provider, and tells billing what is new: first told, then remembered, so that
 * whoever dies in between tells it again. What cannot be asked or told now is looked at again soon.
 */
export async function watchPaidAttempt(ports: Ports, given: SessionKey, attemptId: string): Promise<void> {
  const session = await ports.sessions.find(given.organizationId, given.id);
  const attempt = session && findAttempt(session, attemptId);
  if (!session || attempt?.status !== 'paid' || !attempt.paymentId) return;
  if (!session.invoice || isUnrecorded(session, attempt)) {
    await changeSession(ports, given, (current) =>
      watchOnceRecorded(current, attemptId, ports.clock.now(current.organizationId)),
    );
    return;
  }
  try {
    const changed = changedMovements(
      attempt.movements ?? [],
      await movementsOf(ports, given.organizationId, attempt, attempt.paymentId),
    );
    if (changed.length > 0 && !attempt.movements)
      await changeSession(ports, given, (current) => movementsToCome(current, attemptId));
    for (const movement of changed) await tell(ports, session.organizationId, session.invoice.id, attempt, movement);
    await changeSession(ports, given, (current) =>
      paymentWatched(current, attemptId, changed, ports.clock.now(current.organizationId)),
    );
    for (const { kind, amountCents } of changed)
      ports.report('money_went_back', {
        sessionId: given.id,
        attemptId,
        paymentId: attempt.paymentId,
        kind,
        amountCents,
      });
  } catch (error) {
    ports.report('provider_failed', { sessionId: given.id, attemptId, error });
    await changeSession(ports, given, (current) =>
      postponePoll(current, attemptId, ports.clock.now(current.organizationId)),
    );
  }
}

/** A hint that something happened to a paid payment: taken up at once, or soon when it was just looked at. */
export async function hintPaidAttempt(ports: Ports, session: SessionKey, attempt: Attempt): Promise<void> {
  const hint = hintOf(attempt, ports.clock.now(session.organizationId));
  if (hint === 'look') return watchPaidAttempt(ports, session, attempt.id);
  await changeSession(ports, session, (current) => watchBy(current, attempt.id, hint.lookAt));
}

/** One call to the provider, mostly: only when something went back, or billing may have been told of something, there is more to ask. */
async function movementsOf(
  ports: Ports,
  organizationId: string,
  attempt: Attempt,
  paymentId: string,
): Promise<readonly Movement[]> {
  const account = await ports.accounts.find(organizationId, attempt.accountId);
  if (!account) throw new AppError('internal', 'generic', 'the account of an attempt is gone');
  const provider = ports.openProvider(account);
  const { returnedCents } = await provider.getPayment(paymentId);
  return returnedCents === 0 && !attempt.movements ? [] : provider.listMovements(paymentId);
}

async function tell(
  ports: Ports,
  organizationId: string,
  invoiceId: string,
  { provider, paymentId }: Attempt,
  movement: Movement,
): Promise<void> {
  await ports.billing.recordMovement(
    { organizationId, invoiceId, provider, paymentId: paymentId ?? '', movement },
    ports.newCall(TELL_TIMEOUT_MS),
  );
}
