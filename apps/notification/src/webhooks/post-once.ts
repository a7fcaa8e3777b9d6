import type { Dispatcher } from 'undici';

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** Beginning of the body. */
  readonly excerpt: string;
}

export class TimeLimitError extends Error {}

// The status decides; what follows it is only for the log.
const BODY_TIME_LIMIT_MS = 1_000;
const EXCERPT_BYTES = 1_024;

/**
 * Posts and answers what came back: the status, and of the body at most the first kilobyte and what comes within a second; then the
 * connection is dropped. Rejects with TimeLimitError when no status came in time. Goes below undici's `request`, which costs twice
 * as much for streams that nobody reads here.
 */
export function postOnce(
  dispatcher: Dispatcher,
  url: string,
  headers: Record<string, string>,
  body: string,
  timeLimitMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { origin, pathname, search } = new URL(url);
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Omit<Answer, 'excerpt'> | undefined;
    let stopped: Error | undefined;
    let excerpt = Buffer.alloc(0);

    const stop = (reason: Error): void => {
      stopped = reason;
      controller?.abort(reason);
      settle(reason);
    };
    // Settles once; what undici reports after that is about a connection that we have dropped.
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      if (answer) resolve({ ...answer, excerpt: excerpt.toString('utf8') });
      else reject(error);
    };
    let timer = setTimeout(() => stop(new TimeLimitError(`no answer within ${timeLimitMs} ms`)), timeLimitMs);

    dispatcher.dispatch(
      { origin, path: pathname + search, method: 'POST', headers, body },
      {
        onRequestStart: (started) => {
          controller = started;
          if (stopped) started.abort(stopped);
        },
        onResponseStart: (_controller, status, responseHeaders) => {
          if (status < 200) return;
          const retryAfter = [responseHeaders['retry-after']].flat()[0];
          answer = { status, retryAfter };
          clearTimeout(timer);
          timer = setTimeout(() => stop(new TimeLimitError('the body takes too long')), BODY_TIME_LIMIT_MS);
        },
        onResponseData: (_controller, chunk) => {
          excerpt = Buffer.concat([excerpt, chunk.subarray(0, EXCERPT_BYTES - excerpt.length)]);
          if (excerpt.length >= EXCERPT_BYTES) stop(new Error('enough was read'));
        },
        onResponseEnd: () => settle(),
        onResponseError: (_controller, error) => settle(error),
      },
    );
  });
}
