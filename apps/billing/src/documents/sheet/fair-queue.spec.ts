import fc from 'fast-check';
import { FairQueue } from './fair-queue';

const drained = <T>(queue: FairQueue<T>): T[] => {
  const all: T[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) all.push(next);
  return all;
};

test('organisations take turns; each is served in its own order', () => {
  const queue = new FairQueue<string>(10, 5);
  for (const each of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(each[0]!, each);
  expect(drained(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('so many may wait, and so many of one', () => {
  const queue = new FairQueue<number>(3, 2);
  expect([queue.push('a', 1), queue.push('a', 2), queue.push('a', 3)]).toEqual([true, true, false]);
  expect([queue.push('b', 4), queue.push('c', 5)]).toEqual([true, false]);
  expect(drained(queue)).toEqual([1, 4, 2]);
  expect(queue.size).toBe(0);
});

test('nobody waits behind more than one sheet of each other organisation', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 60 }), (asked) => {
      const queue = new FairQueue<{ by: string; turn: number }>(100, 100);
      const turns = new Map<string, number>();
      for (const by of asked) {
        const turn = turns.get(by) ?? 0;
        turns.set(by, turn + 1);
        queue.push(by, { by, turn });
      }
      const served = drained(queue);
      expect(served).toHaveLength(asked.length);
      // Served by turns: every first one, then every second one, and so on.
      expect(served.map(({ turn }) => turn)).toEqual(served.map(({ turn }) => turn).sort((x, y) => x - y));
    }),
  );
});
