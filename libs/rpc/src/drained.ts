/** Until the other side has read what was written, or `signal` says that nobody reads any more. */
export const drained = (
  call: { once: (event: 'drain', listener: () => void) => unknown },
  signal: AbortSignal,
): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = (): void => {
      signal.removeEventListener('abort', done);
      resolve();
    };
    call.once('drain', done);
    signal.addEventListener('abort', done, { once: true });
  });
