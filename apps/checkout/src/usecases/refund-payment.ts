import { AppError } from '@invoicing/errors';
import { type Attempt, type Session } from '../domain/session';
import { postponeRefund, refundEnded } from '../domain/settle-session';
import { changeSession } from './change-session';
import { type Parts } from './ports';

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 600_000;

/** Gives back money that came although the sum was already paid. */
export async function refundPayment(parts: Parts, session: Session, attempt: Attempt): Promise<void> {
  const fields = { sessionId: session.id, attemptId: attempt.id, paymentId: attempt.paymentId };
  try {
    const account = await parts.accounts.find(attempt.accountId);
    if (!account || !attempt.paymentId) throw new AppError('absent', 'not_found', 'the payment has no account');
    await parts
      .openProvider(account)
      .refund(attempt.paymentId, session.totals.inclCents, session.currency, `${attempt.id}-refund`);
    await changeSession(parts, session.id, (current) => refundEnded(current, attempt.id, 'done'));
    parts.report('surplus_refunded', fields);
  } catch (error) {
    const kind = error instanceof AppError ? error.kind : 'internal';
    if (kind === 'invalid' || kind === 'absent') {
      // The provider will not do it, ever: somebody has to.
      await changeSession(parts, session.id, (current) => refundEnded(current, attempt.id, 'failed'));
      parts.report('refund_failed', { ...fields, error });
      return;
    }
    const delayMs = Math.min(RETRY_FIRST_MS * 2 ** (attempt.refund?.tries ?? 0), RETRY_MAX_MS);
    await changeSession(parts, session.id, (current) =>
      postponeRefund(current, attempt.id, delayMs, parts.clock.now()),
    );
    parts.report('provider_failed', { ...fields, error });
  }
}
