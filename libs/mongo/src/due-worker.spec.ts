import { startDueWorker } from './due-worker';

const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

test('runs until nothing is due, then only when woken or polled', async () => {
  let due = 3;
  let rounds = 0;
  const worker = startDueWorker({ round: async () => (rounds++, --due > 0), pollMs: 60_000, onError: fail });
  await settle();
  expect(rounds).toBe(3);
  worker.wake();
  await settle();
  expect(rounds).toBe(4);
  await worker.close();
});

test('a wake during a round runs one more', async () => {
  let rounds = 0;
  const worker = startDueWorker({
    round: async () => (rounds++, await settle(), false),
    pollMs: 60_000,
    onError: fail,
  });
  worker.wake();
  await settle();
  await settle();
  await settle();
  expect(rounds).toBe(2);
  await worker.close();
});

test('a failing round waits for the poll instead of spinning', async () => {
  const errors: unknown[] = [];
  const worker = startDueWorker({
    round: () => Promise.reject(new Error('no')),
    pollMs: 60_000,
    onError: (e) => errors.push(e),
  });
  await settle();
  expect(errors).toHaveLength(1);
  await worker.close();
});

test('waits twice as long each time that nothing is due, and as at first once woken', async () => {
  jest.useFakeTimers();
  try {
    const rounds: number[] = [];
    const begun = Date.now();
    const round = async () => (rounds.push(Date.now() - begun), false);
    const worker = startDueWorker({ round, pollMs: 500, onError: fail });
    await jest.advanceTimersByTimeAsync(40_000);
    expect(rounds).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 25_500, 35_500]);
    worker.wake();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(rounds.slice(8)).toEqual([40_000, 40_500, 41_500]);
    await worker.close();
  } finally {
    jest.useRealTimers();
  }
});

test('close waits for the running round', async () => {
  let done = false;
  const worker = startDueWorker({
    round: async () => (await settle(), (done = true), false),
    pollMs: 60_000,
    onError: fail,
  });
  await worker.close();
  expect(done).toBe(true);
});

function fail(error: unknown): never {
  throw error;
}
