import { gathered } from './gathered';

test('what comes within a moment runs together, and a full gathering at once', async () => {
  const runs: number[][] = [];
  const gathering = gathered({ waitMs: 20, limit: 3 }, async (items: readonly number[]) => void runs.push([...items]));
  gathering.add(1);
  gathering.add(2);
  expect(runs).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(runs).toEqual([[1, 2]]);
  for (const item of [3, 4, 5, 6]) gathering.add(item);
  expect(runs).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  await gathering.flush();
  expect(runs[2]).toEqual([6]);
});

test('flushing waits for what runs, and nothing waits without items', async () => {
  let done = 0;
  const gathering = gathered({ waitMs: 60_000, limit: 10 }, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    done++;
  });
  await gathering.flush();
  expect(done).toBe(0);
  gathering.add('one');
  await gathering.flush();
  expect(done).toBe(1);
});
