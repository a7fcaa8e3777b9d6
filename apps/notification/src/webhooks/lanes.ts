/** How much may go on for one key at once, and wait in line behind that. */
export interface LaneLimits {
  readonly active: number;
  readonly line: number;
  /** While the key's work fails: so many at once, and no line. */
  readonly failing: number;
  /** Places of all keys together. */
  readonly total: number;
}

interface Lane {
  /** Reserved, active or in line. */
  places: number;
  active: number;
  failing: boolean;
  readonly line: (() => Promise<boolean>)[];
  /** When it was opened, or work last ended. */
  movedAt: number;
  /** Who wants a place, in order; told whether they have one. */
  readonly waiting: Set<(hasPlace: boolean) => void>;
}

// A lane in which nothing ended for this long does not move; nor does anybody wait longer in one that does.
const MOVING_MS = 100;

export interface Lanes {
  /** A place for one piece of work, if there is room. Use it with `start`, or give it back with `cancel`. */
  reserve: (key: string) => boolean;
  /** The same, waiting a little while a full lane moves. */
  reserveSoon: (key: string) => boolean | Promise<boolean>;
  /** Runs the work now or when those before it are done. It must not throw; it answers whether it went well. */
  start: (key: string, work: () => Promise<boolean>) => void;
  cancel: (key: string) => void;
  /** How much can be reserved for a key now. */
  free: (key: string) => number;
  /** Lets nothing more in, and waits until every place is free. */
  close: () => Promise<void>;
}

/**
 * A lane for each key, so that one that stands still delays no other. `onRoom` is called when a full lane has room again, and
 * when its line is short, with its key; without a key when all together were full. Time to fetch more.
 */
export function openLanes(limits: LaneLimits, onRoom: (key?: string) => void): Lanes {
  const lanes = new Map<string, Lane>();
  let taken = 0;
  let closing: (() => void) | undefined;

  const places = (lane: Lane): number => (lane.failing ? limits.failing : limits.active + limits.line);

  const reserve = (key: string): boolean => {
    const lane = lanes.get(key) ?? newLane();
    if (closing || taken >= limits.total || lane.places >= places(lane)) return false;
    lanes.set(key, lane);
    lane.places++;
    taken++;
    return true;
  };

  return {
    reserve,
    reserveSoon: (key) => {
      if (reserve(key)) return true;
      const lane = lanes.get(key);
      if (closing || !lane || performance.now() - lane.movedAt > MOVING_MS) return false;
      return new Promise((resolve) => {
        const told = (hasPlace: boolean): void => {
          clearTimeout(timer);
          lane.waiting.delete(told);
          resolve(hasPlace);
        };
        const timer = setTimeout(() => told(false), MOVING_MS);
        lane.waiting.add(told);
      });
    },
    start: (key, work) => {
      const lane = lanes.get(key)!;
      lane.line.push(work);
      next(key, lane);
    },
    cancel: (key) => leave(key, lanes.get(key)!),
    free: (key) => {
      const lane = lanes.get(key) ?? newLane();
      return closing ? 0 : Math.max(0, Math.min(limits.total - taken, places(lane) - lane.places));
    },
    close: () =>
      new Promise((resolve) => {
        closing = resolve;
        for (const lane of lanes.values()) lane.waiting.forEach((tell) => tell(false));
        if (taken === 0) resolve();
      }),
  };

  function next(key: string, lane: Lane): void {
    while (lane.active < (lane.failing ? limits.failing : limits.active)) {
      const work = lane.line.shift();
      if (!work) return;
      lane.active++;
      void work().then((isWell) => {
        lane.active--;
        lane.failing = !isWell;
        lane.movedAt = performance.now();
        leave(key, lane);
        next(key, lane);
      });
    }
  }

  function leave(key: string, lane: Lane): void {
    const [first] = lane.waiting;
    // The place goes from hand to hand, or those who come later would take it.
    if (first && lane.places <= places(lane)) return first(true);
    const allFull = taken >= limits.total;
    const wasFull = lane.places >= places(lane);
    lane.places--;
    taken--;
    // A failing lane is remembered, or its next burst would fill a whole line again.
    if (lane.places === 0 && !lane.failing && lane.waiting.size === 0) lanes.delete(key);
    if (closing && taken === 0) closing();
    else if (allFull) onRoom();
    else if (wasFull || lane.places === limits.active) onRoom(key);
  }
}

const newLane = (): Lane => ({
  places: 0,
  active: 0,
  failing: false,
  line: [],
  movedAt: performance.now(),
  waiting: new Set(),
});
