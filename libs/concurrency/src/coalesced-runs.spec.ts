import { CoalescedRuns } from './coalesced-runs';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

test('a thousand that ask at once are served by two runs, and none gets an answer older than its question', async () => {
  const coalesced = new CoalescedRuns<number>();
  let value = 0;
  let runs = 0;
  const ask = () =>
    coalesced.run('key', async () => {
      runs++;
      const seen = value;
      await tick();
      return seen;
    });
  const first = ask();
  value = 1;
  const others = Array.from({ length: 999 }, ask);
  expect(await first).toBe(0);
  expect(new Set(await Promise.all(others))).toEqual(new Set([1]));
  expect(runs).toBe(2);
  await ask();
  expect(runs).toBe(3);
});

test('a failure is for those who waited for it only, and keys do not mix', async () => {
  const coalesced = new CoalescedRuns<string>();
  const failing = coalesced.run('a', () => Promise.reject(new Error('no')));
  const next = coalesced.run('a', () => Promise.resolve('yes'));
  const other = coalesced.run('b', () => Promise.resolve('other'));
  await expect(failing).rejects.toThrow('no');
  expect([await next, await other]).toEqual(['yes', 'other']);
});
