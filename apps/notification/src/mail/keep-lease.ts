/** A lease that is being renewed. */
export interface KeptLease {
  /** Aborts when the lease is lost, or the work takes too long. */
  readonly over: AbortSignal;
  readonly stop: () => void;
}

/**
 * Renews a lease while its holder works. `renew` answers whether it is still held; a renewal that fails is told to `onError` and tried
 * again: the lease may run out meanwhile, and then the next one says so.
 */
export function keepLease(
  renew: () => Promise<boolean>,
  { everyMs, limitMs, onError }: { everyMs: number; limitMs: number; onError: (error: unknown) => void },
): KeptLease {
  const over = new AbortController();
  // Not AbortSignal.timeout: joined by AbortSignal.any, Node 20 may collect it as garbage, and then it never fires.
  const limit = setTimeout(() => over.abort(), limitMs);
  const timer = setInterval(() => {
    renew().then((isHeld) => (isHeld ? undefined : over.abort()), onError);
  }, everyMs);
  return {
    over: over.signal,
    stop: () => {
      clearInterval(timer);
      clearTimeout(limit);
    },
  };
}
