import express, { Router } from 'express';
import { findAttempt, isLive } from '../domain/session';
import { type SessionStore } from '../usecases/ports';
import { type SharedRefresh } from './shared-refresh';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * What providers report: a hint that something happened to a payment, nothing more. The address names the attempt, the body the
 * payment; when the two do not belong together nothing is asked of the provider. The answer is 200 whether or not
 * the payment is known, so that nobody learns anything here.
 */
export function callbackRoutes(sessions: SessionStore, refresh: SharedRefresh): Router {
  const router = Router();
  router.post(
    '/:provider/:session/:attempt',
    express.urlencoded({ extended: false, limit: '4kb' }),
    async (request, response) => {
      const { provider, session: sessionId, attempt: attemptId } = request.params;
      const { id } = (request.body ?? {}) as { id?: unknown };
      const session = UUID.test(sessionId) ? await sessions.find(sessionId) : null;
      const attempt = session && findAttempt(session, attemptId);
      const isOurs = attempt?.provider === provider && typeof id === 'string' && attempt.paymentId === id;
      if (session && isOurs && isLive(attempt)) await refresh(session);
      response.sendStatus(200);
    },
  );
  return router;
}
