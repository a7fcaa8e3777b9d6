import { newOf } from './stream';

const told = (id: string, second: number) => ({ id, at: new Date(second * 1_000), data: id });

test('what is read again is told once, oldest first, and forgotten when it can come no more', () => {
  const known = new Map<string, number>();
  const ids = (found: Parameters<typeof newOf>[0], now: number) => newOf(found, known, now, 100).map(({ id }) => id);
  expect(ids([told('b', 2), told('a', 1)], 0)).toEqual(['a', 'b']);
  expect(ids([told('a', 1), told('c', 3), told('b', 2)], 50)).toEqual(['c']);
  expect(ids([], 151)).toEqual([]);
  expect([...known.keys()]).toEqual([]);
});
