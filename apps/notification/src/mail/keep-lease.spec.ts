import { keepLease } from './keep-lease';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a lease is renewed as long as the work goes on, and the work ends when it is lost', async () => {
  let renewed = 0;
  const errors: unknown[] = [];
  const renew = async (): Promise<boolean> => {
    if (++renewed === 2) throw new Error('the store does not answer');
    return renewed < 4;
  };
  const lease = keepLease(renew, { everyMs: 1_000, limitMs: 60_000, onError: (error) => void errors.push(error) });
  await jest.advanceTimersByTimeAsync(3_500);
  expect([renewed, lease.over.aborted, errors.length]).toEqual([3, false, 1]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(lease.over.aborted).toBe(true);
  lease.stop();
});

test('work that takes too long ends, and nothing is renewed after it stopped', async () => {
  let renewed = 0;
  const options = { everyMs: 1_000, limitMs: 2_500, onError: () => undefined };
  const lease = keepLease(async () => ++renewed > 0, options);
  await jest.advanceTimersByTimeAsync(2_600);
  expect(lease.over.aborted).toBe(true);
  lease.stop();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(renewed).toBe(2);
});
