import { batched } from './batched';

test('what is asked while a batch runs is answered by the next, in order', async () => {
  const batches: number[][] = [];
  const double = batched({ limit: 3 }, async (items: readonly number[]) => {
    batches.push([...items]);
    await new Promise((resolve) => setImmediate(resolve));
    return items.map((item) => item * 2);
  });
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(double))).toEqual([2, 4, 6, 8, 10, 12]);
  expect(batches).toEqual([[1], [2, 3, 4], [5, 6]]);
  expect(await double(7)).toBe(14);
});

test('a batch that fails fails for its own items only', async () => {
  let calls = 0;
  const run = batched({ limit: 2 }, async (items: readonly number[]) => {
    if (calls++ === 1) throw new Error('no');
    return items;
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map(run));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
});

test('a batch weighs no more than its limit, but for a single item', async () => {
  const batches: number[][] = [];
  const ask = batched(
    { limit: 10, weightOf: (item: number) => item },
    async (items) => (batches.push([...items]), items),
  );
  await Promise.all([1, 4, 6, 1, 30, 2].map(ask));
  expect(batches).toEqual([[1], [4, 6], [1], [30], [2]]);
});
