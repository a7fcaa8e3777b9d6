import { backoffMs } from '@invoicing/concurrency';
import { AppError } from '@invoicing/errors';
import { type Attempt, type Session } from './session';
import { postponeRefund, refundEnded } from './settle-session';
import { changeSession } from './change-session';
import { type Ports } from './session-ports';

const RETRY = { firstMs: 1_000, longestMs: 600_000 };

/** Gives back money that came although the sum was already paid. */
export async function refundPayment(ports: Ports, session: Session, attempt: Attempt): Promise<void> {
  const fields = { sessionId: session.id, attemptId: attempt.id, paymentId: attempt.paymentId };
  try {
    const account = await ports.accounts.find(session.organizationId, attempt.accountId);
    if (!account || !attempt.paymentId) throw new AppError('absent', 'not_found', 'the payment has no account');
    await ports
      .openProvider(account)
      .refund(attempt.paymentId, session.totals.inclCents, session.currency, `${attempt.id}-refund`);
    await changeSession(ports, session, (current) => refundEnded(current, attempt.id, 'done'));
    ports.report('surplus_refunded', fields);
  } catch (error) {
    const kind = error instanceof AppError ? error.kind : 'internal';
    if (kind === 'invalid' || kind === 'absent') {
      // The provider will not do it, ever: somebody has to.
      await changeSession(ports, session, (current) => refundEnded(current, attempt.id, 'failed'));
      ports.report('refund_failed', { ...fields, error });
      return;
    }
    const delayMs = backoffMs(RETRY, (attempt.refund?.tries ?? 0) + 1);
    await changeSession(ports, session, (current) => postponeRefund(current, attempt.id, delayMs, ports.clock.now()));
    ports.report('provider_failed', { ...fields, error });
  }
}
