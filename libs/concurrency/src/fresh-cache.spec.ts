import { FreshCache } from './fresh-cache';

const AGE = { freshMs: 100, usableMs: 200, onFailureMs: 1_000 };
const settle = () => new Promise((resolve) => setImmediate(resolve));

function cacheOver(load: (key: string) => Promise<number>, maxEntries?: number) {
  const clock = { now: 0 };
  return { clock, cache: new FreshCache(load, AGE, maxEntries, () => clock.now) };
}

test('one load a key at a time, and none while it is fresh', async () => {
  let loads = 0;
  const { cache, clock } = cacheOver(async () => ++loads);
  expect(await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')])).toEqual([1, 1, 2]);
  clock.now = 99;
  expect(cache.get('a')).toBe(1);
  expect(loads).toBe(2);
});

test('a usable answer is given at once while a newer one is fetched; an old one is waited for', async () => {
  let loads = 0;
  const { cache, clock } = cacheOver(async () => ++loads);
  await cache.get('a');
  clock.now = 150;
  expect(cache.get('a')).toBe(1);
  await settle();
  expect(cache.get('a')).toBe(2);
  clock.now = 400;
  expect(await cache.get('a')).toBe(3);
});

test('the age counts from when the load began', async () => {
  let finish = (_value: number): void => undefined;
  const { cache, clock } = cacheOver(() => new Promise((resolve) => (finish = resolve)));
  const first = cache.get('a');
  clock.now = 250;
  finish(1);
  expect(await first).toBe(1);
  expect(cache.get('a')).toBeInstanceOf(Promise);
  finish(2);
});

test('while the source fails the last answer stands for a while, then the failure comes out', async () => {
  let fails = false;
  const { cache, clock } = cacheOver(() => (fails ? Promise.reject(new Error('unreachable')) : Promise.resolve(1)));
  await cache.get('a');
  fails = true;
  clock.now = 150;
  expect(cache.get('a')).toBe(1);
  await settle();
  clock.now = 900;
  expect(await cache.get('a')).toBe(1);
  clock.now = 1_100;
  await expect(cache.get('a')).rejects.toThrow('unreachable');
  await expect(cache.get('never seen')).rejects.toThrow('unreachable');
  fails = false;
  expect(await cache.get('a')).toBe(1);
});

test('forgets on demand, what is on its way included', async () => {
  const finish: ((value: number) => void)[] = [];
  const { cache } = cacheOver(() => new Promise((resolve) => finish.push(resolve)));
  const old = cache.get('a');
  cache.forget('a');
  finish[0]!(1);
  expect(await old).toBe(1);
  const anew = cache.get('a');
  finish[1]!(2);
  expect(await anew).toBe(2);
});

test('the key that was used longest ago leaves first', async () => {
  let loads = 0;
  const { cache } = cacheOver(async () => ++loads, 2);
  await cache.get('a');
  await cache.get('b');
  expect(cache.get('a')).toBe(1);
  await cache.get('c');
  expect(cache.get('a')).toBe(1);
  expect(await cache.get('b')).toBe(4);
});

test('what the source needs beside the key comes with the question', async () => {
  const cache = new FreshCache((key, unit: string) => Promise.resolve(`${key} ${unit}`), AGE);
  expect(await cache.get('5', 'm')).toBe('5 m');
});
