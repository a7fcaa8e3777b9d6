export interface ConcurrencyLimits {
  /** Requests that are with the backend at once. */
  readonly active: number;
  /** Of these, at most so many for one address; its further ones wait while others pass them. */
  readonly activePerAddress: number;
  /** Requests that wait for their turn. */
  readonly waiting: number;
}

interface Entry {
  readonly address: string;
  readonly begin: () => void;
}

/** The way to one backend: so many requests at once, a bounded queue for the rest, and no address that takes all of it. */
export class ConcurrencyLimiter {
  private active = 0;
  private readonly activeByAddress = new Map<string, number>();
  private readonly waiting = new Set<Entry>();

  constructor(private readonly bounds: ConcurrencyLimits) {}

  /**
   * Calls `begin` when it is the request's turn, perhaps at once. Answers the function that ends the visit, whether it waits or has
   * begun, and may be called twice; undefined: the queue is full.
   */
  enter(address: string, begin: () => void): (() => void) | undefined {
    const visit: Entry = { address, begin };
    if (this.hasRoom(address)) this.start(visit);
    else if (this.waiting.size < this.bounds.waiting) this.waiting.add(visit);
    else return undefined;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (!this.waiting.delete(visit)) this.end(address);
    };
  }

  private hasRoom(address: string): boolean {
    const { active, activePerAddress } = this.bounds;
    return this.active < active && (this.activeByAddress.get(address) ?? 0) < activePerAddress;
  }

  private start({ address, begin }: Entry): void {
    this.active++;
    this.activeByAddress.set(address, (this.activeByAddress.get(address) ?? 0) + 1);
    begin();
  }

  private end(address: string): void {
    this.active--;
    const left = (this.activeByAddress.get(address) ?? 0) - 1;
    if (left > 0) this.activeByAddress.set(address, left);
    else this.activeByAddress.delete(address);
    for (const visit of this.waiting) {
      if (this.active >= this.bounds.active) return;
      if (!this.hasRoom(visit.address)) continue;
      this.waiting.delete(visit);
      this.start(visit);
    }
  }
}
