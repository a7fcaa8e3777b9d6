import { type RateState, type RateWindows } from './rate-window-store';

export interface RateAnswer {
  readonly accepted: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1: waiting so long makes room for one more. */
  readonly resetSeconds: number;
}

type Waiting = { resolve: (answer: RateAnswer) => void; reject: (error: unknown) => void };

/** What this process knows of one key. */
interface KeyState {
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
  private readonly states = new Map<string, KeyState>();

  constructor(
    private readonly windows: RateWindows,
    readonly limit: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  take(key: string): RateAnswer | Promise<RateAnswer> {
    const state = this.states.get(key) ?? this.open(key);
    state.recent++;
    if (state.ahead > 0 && this.now() < state.aheadUntil) {
      state.ahead--;
      return { accepted: true, remaining: state.remaining + state.ahead, resetSeconds: state.resetSeconds };
    }
    return new Promise((resolve, reject) => {
      state.waiting.push({ resolve, reject });
      if (!state.isAsking) void this.ask(key, state);
    });
  }

  private open(key: string): KeyState {
    const state: KeyState = {
      waiting: [],
      isAsking: false,
      ahead: 0,
      aheadUntil: 0,
      askedAt: -Infinity,
      recent: 0,
      remaining: 0,
      resetSeconds: 1,
    };
    this.states.set(key, state);
    return state;
  }

  private async ask(key: string, state: KeyState): Promise<void> {
    state.isAsking = true;
    while (state.waiting.length > 0) {
      const batch = state.waiting;
      const ahead = this.aheadOf(state);
      const askedAt = this.now();
      Object.assign(state, { waiting: [], recent: 0, askedAt });
      try {
        this.settle(state, batch, await this.windows.offer(key, batch.length + ahead));
        state.aheadUntil = askedAt + this.windows.holdMs;
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    state.isAsking = false;
    if (state.ahead === 0 && this.windows.holdMs === 0) this.states.delete(key);
  }

  /** As many as will come during the hold, going by those that came since the store was last asked. */
  private aheadOf({ recent, askedAt, remaining }: KeyState): number {
    const expected = (recent * this.windows.holdMs) / Math.max(1, this.now() - askedAt);
    return Math.floor(Math.min(expected, remaining * AHEAD_SHARE));
  }

  private settle(state: KeyState, batch: readonly Waiting[], { granted, used, oldestLeavesInMs }: RateState): void {
    state.ahead = Math.max(0, granted - batch.length);
    state.remaining = this.limit - used;
    state.resetSeconds = Math.max(1, Math.ceil(oldestLeavesInMs / 1000));
    const { remaining, resetSeconds } = state;
    batch.forEach(({ resolve }, at) => {
      const accepted = at < granted;
      // Those of the same batch count one after the other.
      resolve({ accepted, remaining: remaining + (accepted ? granted - at - 1 : 0), resetSeconds });
    });
  }
}
