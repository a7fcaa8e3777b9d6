import { CLOCKS_NET_MS, startClocks, type Ahead } from './organization-clocks';

const HOUR = 3_600_000;

let ahead: Ahead;
let reads: number;
let isHeard: boolean;
let tell: () => void;
let woken: number;

beforeEach(() => {
  jest.useFakeTimers();
  [ahead, reads, isHeard, woken] = [new Map(), 0, true, 0];
});
afterEach(() => jest.useRealTimers());

function start() {
  return startClocks({
    read: async () => (reads++, ahead),
    moved: { onTold: (listener) => (tell = listener), isHeard: () => isHeard },
    workers: [{ wake: () => woken++ }],
    onError: (error) => {
      throw error;
    },
  });
}

test('a clock is read when it is said to be moved, and wakes what waits for its time', async () => {
  const clocks = start();
  await jest.advanceTimersByTimeAsync(2_000);
  expect([reads, woken]).toEqual([1, 0]);
  ahead = new Map([['org', HOUR]]);
  tell();
  await jest.advanceTimersByTimeAsync(0);
  expect([reads, woken]).toEqual([2, 1]);
  expect(clocks.now('org').getTime() - Date.now()).toBe(HOUR);
  expect(clocks.now('other').getTime() - Date.now()).toBe(0);
  await clocks.close();
});

test('twice a second while a move would not be heard of, else every ten seconds', async () => {
  const clocks = start();
  await jest.advanceTimersByTimeAsync(3 * CLOCKS_NET_MS);
  expect(reads).toBe(4);
  isHeard = false;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(reads).toBe(14);
  await clocks.close();
});
