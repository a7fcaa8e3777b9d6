const WINDOW_MS = 60_000;
const MAX_ADDRESSES = 10_000;

/** Counts what an address does, in minutes that begin with its first: in this process alone, and for a bounded number of addresses. */
export class AddressLimiter {
  private readonly counts = new Map<string, { count: number; until: number }>();

  constructor(
    private readonly limitPerMinute: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** One more. Answers the whole seconds after which the address is heard again, or 0 while it is within the limit. */
  add(address: string): number {
    const now = this.now();
    let entry = this.counts.get(address);
    if (!entry || entry.until <= now) {
      this.counts.delete(address);
      if (this.counts.size >= MAX_ADDRESSES) {
        const [oldest] = this.counts.keys();
        this.counts.delete(oldest as string);
      }
      entry = { count: 0, until: now + WINDOW_MS };
      this.counts.set(address, entry);
    }
    entry.count++;
    return entry.count <= this.limitPerMinute ? 0 : Math.ceil((entry.until - now) / 1000);
  }
}
