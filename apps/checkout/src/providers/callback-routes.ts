import express, { Router } from 'express';
import { CoalescedRuns } from '@invoicing/concurrency';
import { isUuid } from '@invoicing/rules';
import { findAttempt, isLive } from '../sessions/session';
import { type Ports } from '../sessions/session-ports';
import { refreshSession } from '../sessions/refresh-payment';
import { hintPaidAttempt } from '../sessions/watch-paid-attempt';

/**
 * What providers report: a hint that something happened to a payment, nothing more. The address names the attempt, the body the
 * payment; when the two do not belong together nothing is asked of the provider. The answer is 200 whether or not
 * the payment is known, so that nobody learns anything here; what could not be asked now, the poll asks later.
 */
export function callbackRoutes(ports: Ports): Router {
  const coalesced = new CoalescedRuns<void>();
  const router = Router();
  router.post(
    '/:provider/:session/:attempt',
    express.urlencoded({ extended: false, limit: '4kb' }),
    async (request, response) => {
      const { provider, session, attempt } = request.params;
      const { id } = (request.body ?? {}) as { id?: unknown };
      if (isUuid(session) && typeof id === 'string')
        await coalesced.run([session, attempt, provider, id].join(' '), () => look(session, attempt, provider, id));
      response.sendStatus(200);
    },
  );
  return router;

  async function look(sessionId: string, attemptId: string, provider: string, paymentId: string): Promise<void> {
    const session = await ports.sessions.findById(sessionId);
    const attempt = session && findAttempt(session, attemptId);
    if (!session || attempt?.provider !== provider || attempt.paymentId !== paymentId) return;
    if (isLive(attempt)) await refreshSession(ports, session);
    else if (attempt.status === 'paid') await hintPaidAttempt(ports, session, attempt);
  }
}
