import { setTimeout } from 'node:timers/promises';
import { AppError } from '@invoicing/errors';

const PATIENCE_MS = 400;

/**
 * Remembers that a part did not answer, so that the next callers need not wait long for it. Closed: calls go out. After a call that got no
 * answer the circuit is open: the part is probed, once for all who ask meanwhile. Who asks waits 400 ms for it and is then refused with
 * `unavailable`: his call was never sent, so nothing happened. A probe that is answered, however late, closes the circuit again: a single
 * slow call never shuts a part out, and neither does a machine that is busy.
 */
export class Circuit {
  /** Whether the last call got no answer: the next one passes first. */
  isOpen = false;
  private probing: Promise<void> | undefined;

  /** `probe` answers within seconds whether the part does; it waits for a connection that is being made again. */
  constructor(private readonly probe: () => Promise<boolean>) {}

  /** Before a call, when the circuit is open. Throws `unavailable`. */
  async pass(): Promise<void> {
    if (!this.isOpen) return;
    this.probing ??= this.askOnce();
    await Promise.race([this.probing, setTimeout(PATIENCE_MS, undefined, { ref: false })]);
    if (this.isOpen)
      throw new AppError('unavailable', 'unavailable', 'a part does not answer', { retryAfterSeconds: 1 });
  }

  /** A call got no answer: the connection was refused, or the deadline passed. */
  gotNoAnswer(): void {
    this.isOpen = true;
  }

  private async askOnce(): Promise<void> {
    try {
      if (await this.probe()) this.isOpen = false;
    } finally {
      this.probing = undefined;
    }
  }
}
