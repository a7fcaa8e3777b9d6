import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Store, type KeyRange } from './store';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-mongo-'));
  store = new Store(folder);
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const keyOf = (n: number): Buffer => Buffer.from([1, n >> 8, n & 0xff]);
const numberOf = (key: Buffer): number => (key[1]! << 8) + key[2]!;
const LAST = 400;

/** Ascending, and apart: from each number up to the next one. */
const ranges = fc
  .uniqueArray(fc.nat(LAST), { minLength: 4, maxLength: 60 })
  .map((numbers) => numbers.toSorted((a, b) => a - b))
  .map((numbers) => Array.from({ length: Math.floor(numbers.length / 2) }, (_, i) => numbers.slice(2 * i, 2 * i + 2)))
  .map((pairs) => pairs.map(([low, high]): KeyRange => ({ start: keyOf(low!), end: keyOf(high!) })));

it('what many ranges hold is found in one go as it is one by one, also while others run', async () => {
  const stored = new Set<number>();
  const put = (numbers: readonly number[]) =>
    store.transaction(() => {
      for (const n of numbers) {
        store.put(keyOf(n), Buffer.from([n & 0xff]));
        stored.add(n);
      }
    });
  const property = fc.asyncProperty(
    fc.array(fc.nat(LAST), { maxLength: 30 }),
    ranges,
    fc.nat(5),
    async (more, wanted, every) => {
      await put(more);
      const expected = wanted.flatMap((range) => [...store.keys(range)].map(numberOf));
      const within = (n: number): boolean => wanted.some(({ start, end }) => numberOf(start) <= n && n < numberOf(end));
      expect(expected).toEqual([...stored].filter(within).sort((a, b) => a - b));
      const seen: number[] = [];
      for (const key of store.keysOf(wanted)) {
        seen.push(numberOf(key));
        if (every > 0 && seen.length % every === 0) store.epoch++;
      }
      expect(seen).toEqual(expected);
      const entries = [...store.entriesOf(wanted)].map(({ key, value }) => [numberOf(key), value[0]]);
      expect(entries).toEqual(expected.map((n) => [n, n & 0xff]));
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

it('what is removed while ranges are read is not found, and what comes is', async () => {
  await store.transaction(() => [1, 2, 3, 20, 21].forEach((n) => store.put(keyOf(n), Buffer.from([n]))));
  const wanted = [
    { start: keyOf(0), end: keyOf(10) },
    { start: keyOf(20), end: keyOf(30) },
  ];
  const reading = store.keysOf(wanted);
  expect(numberOf(reading.next().value as Buffer)).toBe(1);
  await store.transaction(() => {
    store.remove(keyOf(2));
    store.put(keyOf(22), Buffer.from([22]));
  });
  store.epoch++;
  expect([...reading].map(numberOf)).toEqual([3, 20, 21, 22]);
});

it('empty ranges are not looked for one by one', async () => {
  await store.transaction(() => store.put(keyOf(350), Buffer.from([1])));
  const wanted = Array.from({ length: 200 }, (_, i) => ({ start: keyOf(2 * i), end: keyOf(2 * i + 1) }));
  const getKeys = jest.spyOn((store as unknown as { db: { getKeys: () => unknown } }).db, 'getKeys');
  expect([...store.keysOf(wanted)].map(numberOf)).toEqual([350]);
  expect(getKeys.mock.calls.length).toBeLessThan(4);
});
