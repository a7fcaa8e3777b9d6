import type { LoggedRequest } from './request-log-store';

/** A request that is over. */
export type EndedRequest = Omit<LoggedRequest, '_id'>;

const WRITE_EVERY_MS = 1_000;
/** Waiting for the store at once; when it does not keep up, the newest are dropped: the answers come first. */
const MOST_WAITING = 5_000;

/** Gathers requests and writes them now and then, all together: no answer waits for it. */
export function requestLog(
  store: { readonly insertMany: (batch: readonly EndedRequest[]) => Promise<void> },
  onError: (error: unknown) => void,
) {
  let waiting: EndedRequest[] = [];
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const taken = waiting;
    waiting = [];
    try {
      await store.insertMany(taken);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => {
    if (waiting.length > 0) writing = writing.then(write);
  }, WRITE_EVERY_MS).unref();
  return {
    add: (request: EndedRequest): void => {
      if (waiting.length < MOST_WAITING) waiting.push(request);
    },
    close: async (): Promise<void> => {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
}
