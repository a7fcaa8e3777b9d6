import { CommandError } from '../command-error';
import { countField, type Command } from './command';

const sliceMs = 10;

/** Runs something that pauses to its end, letting others in on the way; `each` takes what it gives in between. */
export async function finish<T, R>(
  command: Command,
  steps: Iterator<T | undefined, R>,
  each?: (item: T) => void,
): Promise<R> {
  const { store } = command.engine;
  const limit = countField(command.body, 'maxTimeMS');
  const deadline = limit ? performance.now() + limit : Infinity;
  store.epoch++;
  let sliceEnd = performance.now() + sliceMs;
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    if (value !== undefined) {
      each?.(value);
      continue;
    }
    const now = performance.now();
    if (now > deadline) throw new CommandError('MaxTimeMSExpired', 'operation exceeded time limit');
    if (now < sliceEnd) continue;
    await new Promise((resolve) => setImmediate(resolve));
    store.epoch++;
    sliceEnd = performance.now() + sliceMs;
  }
}
