import { AppError } from '@invoicing/errors';

const PROBE_FRESH_MS = 500;

/**
 * Remembers that a part did not answer, so that the next callers need not wait for it. Closed: calls go out. After a call that got no
 * answer the circuit is open: before the next one the part is probed, once for all who ask in half a second. While it does not answer,
 * calls are refused at once with `unavailable`: they were never sent, so nothing happened. A probe that is answered closes it again: a
 * single slow call never shuts a part out.
 */
export class Circuit {
  /** Whether the last call got no answer: the next one passes first. */
  isOpen = false;
  private probing: Promise<boolean> | undefined;

  /** `probe` answers within a fraction of a second whether the part does. */
  constructor(private readonly probe: () => Promise<boolean>) {}

  /** Before a call, when the circuit is open. Throws `unavailable`. */
  async pass(): Promise<void> {
    if (!this.isOpen) return;
    if (await this.askOnce()) this.isOpen = false;
    else throw new AppError('unavailable', 'unavailable', 'a part does not answer', { retryAfterSeconds: 1 });
  }

  /** A call got no answer: the connection was refused, or the deadline passed. */
  gotNoAnswer(): void {
    this.isOpen = true;
  }

  private askOnce(): Promise<boolean> {
    this.probing ??= this.probe().finally(() => {
      setTimeout(() => (this.probing = undefined), PROBE_FRESH_MS).unref();
    });
    return this.probing;
  }
}
