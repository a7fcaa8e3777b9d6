import { type RateState, type RateWindows } from './rate-window';

export interface RateAnswer {
  readonly accepted: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1: waiting so long makes room for one more. */
  readonly resetSeconds: number;
}

type Waiting = { resolve(answer: RateAnswer): void; reject(error: unknown): void };

/**
 * At most `limit` requests of a key in any minute. Requests of a key that come while the store is asked wait and are offered together,
 * so that under load many share one round trip; the answer is as exact as one by one.
 */
export class RateLimiter {
  private readonly queues = new Map<string, Waiting[]>();

  constructor(
    private readonly windows: RateWindows,
    readonly limit: number,
  ) {}

  take(key: string): Promise<RateAnswer> {
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(key);
      if (queue) queue.push({ resolve, reject });
      else {
        this.queues.set(key, [{ resolve, reject }]);
        void this.drain(key);
      }
    });
  }

  private async drain(key: string): Promise<void> {
    for (let batch = this.queues.get(key) ?? []; batch.length > 0; batch = this.queues.get(key) ?? []) {
      this.queues.set(key, []);
      try {
        const state = await this.windows.offer(key, batch.length);
        batch.forEach(({ resolve }, at) => resolve(this.answer(state, at)));
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.queues.delete(key);
  }

  private answer({ granted, used, oldestLeavesInMs }: RateState, at: number): RateAnswer {
    const accepted = at < granted;
    return {
      accepted,
      // Those of the same batch count one after the other.
      remaining: this.limit - used + (accepted ? granted - at - 1 : 0),
      resetSeconds: Math.max(1, Math.ceil(oldestLeavesInMs / 1000)),
    };
  }
}
