import { type Session } from '../domain/session';
import { type Parts } from '../usecases/ports';
import { refreshSession } from '../usecases/refresh-payment';

/** Asks the provider about a session's payments; a crowd that asks at once is served by one question. */
export type SharedRefresh = (session: Session) => Promise<Session>;

/**
 * Ten thousand callbacks at once cost two questions a session: the one under way may have been answered before the news, so
 * everybody who comes meanwhile waits together for one that starts after it.
 */
export function sharedRefresh(parts: Parts): SharedRefresh {
  const running = new Map<string, Promise<Session>>();
  const waiting = new Map<string, Promise<Session>>();

  const start = (session: Session): Promise<Session> => {
    const work = refreshSession(parts, session).finally(() => running.delete(session.id));
    running.set(session.id, work);
    return work;
  };
  return (session) => {
    const current = running.get(session.id);
    if (!current) return start(session);
    const next = waiting.get(session.id);
    if (next) return next;
    const after = current
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        waiting.delete(session.id);
        return start(session);
      });
    waiting.set(session.id, after);
    return after;
  };
}
