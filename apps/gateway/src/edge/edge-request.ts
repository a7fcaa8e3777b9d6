import { randomUUID } from 'node:crypto';
import { type Request, type Response } from 'express';
import { httpDuration, type Logger } from '@invoicing/telemetry';
import type { EndedRequest } from '../requests/request-log';

/** What the gateway knows of a request while it runs. */
export interface EdgeState {
  readonly requestId: string;
  /** The path's template, for metrics; never a raw path, which would have no bound. */
  route: string;
  /** Error code of the answer. */
  code: string;
  keyId: string | undefined;
  organizationId: string | undefined;
  /** Sent with whatever the answer is. */
  headers: Record<string, string>;
}

export type EdgeRequest = Request & { edge: EdgeState };

// A caller's own id is kept when it cannot harm a log.
const SANE_ID = /^[\w.:/+=-]{1,128}$/;

/** Gives a request its id and, when it is over, one access log line and one metric. */
export const beginRequests =
  (log: Logger, onEnd: (request: EndedRequest) => void = () => undefined) =>
  (request: Request, response: Response): void => {
    const startedAt = performance.now();
    const createdAt = new Date();
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE_ID.test(given) ? given : randomUUID();
    const edge: EdgeState = {
      requestId,
      route: 'other',
      code: 'ok',
      keyId: undefined,
      organizationId: undefined,
      headers: {},
    };
    (request as EdgeRequest).edge = edge;
    // It closes once: `once` would only cost more.
    response.on('close', () => {
      const durationMs = performance.now() - startedAt;
      const { method } = request;
      const { route, code, keyId, organizationId } = edge;
      const status = response.headersSent ? response.statusCode : 0;
      httpDuration.observe({ method, route, status }, durationMs / 1000);
      log.info(
        { requestId, method, route, status, code, durationMs: Math.round(durationMs * 10) / 10, keyId, organizationId },
        'request',
      );
      // Whose it is comes from its key: what no key asked is in nobody's list.
      if (organizationId)
        onEnd({
          ...{ organizationId, requestId, createdAt, method, path: route, status },
          ...{ code: code === 'ok' ? '' : code, durationMs: Math.round(durationMs * 10) / 10, keyId: keyId ?? '' },
        });
    });
  };
