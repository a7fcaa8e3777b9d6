/** How much may go on for one endpoint at once, and how much may be taken from the store ahead of that. */
export interface SlotLimits {
  /** Attempts at once. */
  readonly active: number;
  /** Taken and waiting for one of those to end. */
  readonly backlog: number;
  /** While the endpoint's attempts fail: so many at once, and no backlog. */
  readonly failing: number;
  /** Slots of all endpoints together. */
  readonly total: number;
}

interface Slots {
  /** Reserved, active or in the backlog. */
  used: number;
  active: number;
  failing: boolean;
  readonly backlog: (() => Promise<boolean>)[];
  /** When they were opened, or an attempt last ended. */
  movedAt: number;
  /** Who wants a slot, in order; told whether they have one. */
  readonly waiting: Set<(hasSlot: boolean) => void>;
  /** Whether `onFree` is to be called when one is free. */
  isWanted: boolean;
}

// Nobody waits longer than this for a slot, nor at all where no attempt has ended for this long.
const MOVING_MS = 100;

/** Slots for each endpoint's attempts, so that one that hangs delays no other. */
export class EndpointSlots {
  private readonly byEndpoint = new Map<string, Slots>();
  private used = 0;
  // By an endpoint that had slots of its own left when all together were in use.
  private isAnyWanted = false;
  private closing: (() => void) | undefined;

  /** `onFree`: time to look into the store for more. */
  constructor(
    private readonly limits: SlotLimits,
    private readonly onFree: () => void,
  ) {}

  /** A slot for one attempt, if one is free. Use it with `start`, or give it back with `release`. */
  reserve(endpointId: string): boolean {
    const slots = this.slotsOf(endpointId);
    if (this.freeOf(slots) === 0) return false;
    this.byEndpoint.set(endpointId, slots);
    slots.used++;
    this.used++;
    return true;
  }

  /** The same, waiting a little while others end. */
  reserveSoon(endpointId: string): boolean | Promise<boolean> {
    if (this.reserve(endpointId)) return true;
    const slots = this.byEndpoint.get(endpointId);
    if (this.closing || !slots || performance.now() - slots.movedAt > MOVING_MS) return false;
    return waitForSlot(slots);
  }

  /** Runs the attempt now or when those before it have ended. It must not throw; it answers whether it went well. */
  start(endpointId: string, attempt: () => Promise<boolean>): void {
    const slots = this.byEndpoint.get(endpointId)!;
    slots.backlog.push(attempt);
    this.startNext(endpointId, slots);
  }

  release(endpointId: string): void {
    const slots = this.byEndpoint.get(endpointId)!;
    const [first] = slots.waiting;
    // It is handed on directly, or those who come later would take it.
    if (first && slots.used <= this.limitOf(slots)) return first(true);
    slots.used--;
    this.used--;
    // Those of a failing endpoint are remembered, or its next burst would fill a whole backlog again.
    if (slots.used === 0 && !slots.failing && slots.waiting.size === 0) this.byEndpoint.delete(endpointId);
    if (this.closing && this.used === 0) this.closing();
    else if (this.isAnyWanted || (slots.isWanted && this.freeOf(slots) > 0)) {
      slots.isWanted = this.isAnyWanted = false;
      this.onFree();
    }
  }

  /** How many can be reserved for an endpoint now. */
  free(endpointId: string): number {
    return this.freeOf(this.slotsOf(endpointId));
  }

  /** More waits in the store: `onFree` is called once, when the endpoint has a slot again, or at once when it has one. */
  notifyWhenFree(endpointId: string): void {
    const slots = this.slotsOf(endpointId);
    if (this.freeOf(slots) > 0) this.onFree();
    else if (slots.used >= this.limitOf(slots)) slots.isWanted = true;
    else this.isAnyWanted = true;
  }

  /** Gives out nothing more, and waits until every slot is free. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.closing = resolve;
      for (const slots of this.byEndpoint.values()) slots.waiting.forEach((tell) => tell(false));
      if (this.used === 0) resolve();
    });
  }

  private startNext(endpointId: string, slots: Slots): void {
    while (slots.active < (slots.failing ? this.limits.failing : this.limits.active)) {
      const attempt = slots.backlog.shift();
      if (!attempt) return;
      slots.active++;
      void attempt().then((isWell) => {
        slots.active--;
        slots.failing = !isWell;
        slots.movedAt = performance.now();
        this.release(endpointId);
        this.startNext(endpointId, slots);
      });
    }
  }

  private limitOf({ failing }: Slots): number {
    return failing ? this.limits.failing : this.limits.active + this.limits.backlog;
  }

  private slotsOf(endpointId: string): Slots {
    return this.byEndpoint.get(endpointId) ?? newSlots();
  }

  private freeOf(slots: Slots): number {
    if (this.closing) return 0;
    return Math.max(0, Math.min(this.limits.total - this.used, this.limitOf(slots) - slots.used));
  }
}

const newSlots = (): Slots => ({
  used: 0,
  active: 0,
  failing: false,
  backlog: [],
  movedAt: performance.now(),
  waiting: new Set(),
  isWanted: false,
});

function waitForSlot(slots: Slots): Promise<boolean> {
  return new Promise((resolve) => {
    const told = (hasSlot: boolean): void => {
      clearTimeout(timer);
      slots.waiting.delete(told);
      resolve(hasSlot);
    };
    const timer = setTimeout(() => told(false), MOVING_MS);
    slots.waiting.add(told);
  });
}
