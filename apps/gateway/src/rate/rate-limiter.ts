import { type RateState, type RateWindows } from './rate-window-store';

export interface RateAnswer {
  readonly accepted: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1: waiting so long makes room for one more. */
  readonly resetSeconds: number;
}

type Waiting = { resolve: (answer: RateAnswer) => void; reject: (error: unknown) => void };

/** What this process knows of one key. */
interface Desk {
  waiting: Waiting[];
  isAsking: boolean;
  /** Accepted by the store ahead of their requests; to be used before `aheadUntil` (monotonic milliseconds). */
  ahead: number;
  aheadUntil: number;
  /** When the store was last asked, and how many requests have come since. */
  askedAt: number;
  recent: number;
  remaining: number;
  resetSeconds: number;
}

// Never more ahead than this part of what is left, so that what one replica holds is not missed by another.
const AHEAD_SHARE = 0.1;

/**
 * At most `limit` requests of a key in any minute. Requests of a key that come while the store is asked wait and are offered together,
 * so that under load many share one round trip. Where the windows allow it (large limits only), as many as are likely to come are
 * accepted ahead, so that a busy key waits for the store now and then only.
 */
export class RateLimiter {
  private readonly desks = new Map<string, Desk>();

  constructor(
    private readonly windows: RateWindows,
    readonly limit: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  take(key: string): RateAnswer | Promise<RateAnswer> {
    const desk = this.desks.get(key) ?? this.open(key);
    desk.recent++;
    if (desk.ahead > 0 && this.now() < desk.aheadUntil) {
      desk.ahead--;
      return { accepted: true, remaining: desk.remaining + desk.ahead, resetSeconds: desk.resetSeconds };
    }
    return new Promise((resolve, reject) => {
      desk.waiting.push({ resolve, reject });
      if (!desk.isAsking) void this.ask(key, desk);
    });
  }

  private open(key: string): Desk {
    const desk: Desk = {
      waiting: [],
      isAsking: false,
      ahead: 0,
      aheadUntil: 0,
      askedAt: -Infinity,
      recent: 0,
      remaining: 0,
      resetSeconds: 1,
    };
    this.desks.set(key, desk);
    return desk;
  }

  private async ask(key: string, desk: Desk): Promise<void> {
    desk.isAsking = true;
    while (desk.waiting.length > 0) {
      const batch = desk.waiting;
      const ahead = this.aheadOf(desk);
      const askedAt = this.now();
      Object.assign(desk, { waiting: [], recent: 0, askedAt });
      try {
        this.settle(desk, batch, await this.windows.offer(key, batch.length + ahead));
        desk.aheadUntil = askedAt + this.windows.holdMs;
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    desk.isAsking = false;
    if (desk.ahead === 0 && this.windows.holdMs === 0) this.desks.delete(key);
  }

  /** As many as will come during the hold, going by those that came since the store was last asked. */
  private aheadOf({ recent, askedAt, remaining }: Desk): number {
    const expected = (recent * this.windows.holdMs) / Math.max(1, this.now() - askedAt);
    return Math.floor(Math.min(expected, remaining * AHEAD_SHARE));
  }

  private settle(desk: Desk, batch: readonly Waiting[], { granted, used, oldestLeavesInMs }: RateState): void {
    desk.ahead = Math.max(0, granted - batch.length);
    desk.remaining = this.limit - used;
    desk.resetSeconds = Math.max(1, Math.ceil(oldestLeavesInMs / 1000));
    const { remaining, resetSeconds } = desk;
    batch.forEach(({ resolve }, at) => {
      const accepted = at < granted;
      // Those of the same batch count one after the other.
      resolve({ accepted, remaining: remaining + (accepted ? granted - at - 1 : 0), resetSeconds });
    });
  }
}
