import { setImmediate } from 'node:timers/promises';

const TURN_MS = 10;

/** For long work on the one thread that there is: awaited between steps, it lets others have their turn every ten milliseconds. */
export function breather(): () => Promise<void> {
  let resumedAt = performance.now();
  return async () => {
    if (performance.now() - resumedAt < TURN_MS) return;
    await setImmediate();
    resumedAt = performance.now();
  };
}
