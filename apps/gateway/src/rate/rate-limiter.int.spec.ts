import { setTimeout as sleep } from 'node:timers/promises';
import { startTestStore, type TestStore } from '@invoicing/testing';
import { RateLimiter } from './rate-limiter';
import { openRateWindows } from './rate-window-store';

let store: TestStore;

beforeAll(async () => {
  store = await startTestStore();
});
afterAll(() => store.close());

/** Two replicas: each its own connection to the one store. */
async function replicas(limit: number, windowMs?: number): Promise<RateLimiter[]> {
  const connections = await Promise.all([store.connect('gateway'), store.connect('gateway')]);
  return Promise.all(
    connections.map(async (each) => new RateLimiter(await openRateWindows(each, limit, windowMs), limit)),
  );
}

/** `count` requests at once, in turn over the replicas. */
const burst = (limiters: RateLimiter[], key: string, count: number) =>
  Promise.all(Array.from({ length: count }, async (_, at) => limiters[at % limiters.length]!.take(key)));

const accepted = (answers: { accepted: boolean }[]): number => answers.filter((each) => each.accepted).length;

test.each([60, 7, 1000])('of many at once exactly %d are accepted, on all replicas together', async (limit) => {
  const limiters = await replicas(limit);
  const answers = await burst(limiters, `burst-${limit}`, limit * 2 + 64);
  expect(accepted(answers)).toBe(limit);
  const remaining = answers.filter((each) => each.accepted).map((each) => each.remaining);
  expect([...remaining].sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, at) => at));
  for (const each of answers) expect(each.resetSeconds).toBeGreaterThanOrEqual(1);
  expect(accepted(await burst(limiters, `burst-${limit}`, 64))).toBe(0);
});

test('keys do not touch each other', async () => {
  const [limiter] = await replicas(1);
  expect((await limiter!.take('a')).accepted).toBe(true);
  expect((await limiter!.take('b')).accepted).toBe(true);
  expect((await limiter!.take('a')).accepted).toBe(false);
});

test('no window of any start holds more than the limit, under constant pressure', async () => {
  const [limit, windowMs] = [20, 700];
  const limiters = await replicas(limit, windowMs);
  const hits: { sent: number; received: number }[] = [];
  const until = Date.now() + 3_500;
  let asked = 0;
  await Promise.all(
    Array.from({ length: 16 }, async (_, at) => {
      while (Date.now() < until) {
        const sent = performance.now();
        asked++;
        if ((await limiters[at % 2]!.take('pressure')).accepted) hits.push({ sent, received: performance.now() });
        await sleep(Math.random() * 30);
      }
    }),
  );
  // The moment of acceptance lies between sending and receiving: only what certainly fell into one window counts.
  for (const { sent } of hits) {
    const within = hits.filter((hit) => hit.sent >= sent && hit.received < sent + windowMs);
    expect(within.length).toBeLessThanOrEqual(limit);
  }
  // And what was refused did not count: about a limit a window came through.
  expect(asked).toBeGreaterThan(hits.length * 2);
  expect(hits.length).toBeGreaterThanOrEqual(limit * 4);
});

test('waiting as long as it says is enough', async () => {
  const [limiter] = await replicas(3, 2_000);
  await burst([limiter!], 'wait', 3);
  const { accepted: wasAccepted, resetSeconds } = await limiter!.take('wait');
  expect(wasAccepted).toBe(false);
  expect(resetSeconds).toBeLessThanOrEqual(2);
  await sleep(resetSeconds * 1000);
  expect((await limiter!.take('wait')).accepted).toBe(true);
});

test('a large limit is served mostly without the store, and still holds', async () => {
  const limit = 5_000;
  const limiters = await replicas(limit, 2_000);
  const hits: { sent: number; received: number }[] = [];
  let withoutWaiting = 0;
  const until = Date.now() + 4_500;
  await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      while (Date.now() < until) {
        for (let burst = 0; burst < 40; burst++) {
          const sent = performance.now();
          const answer = limiters[at % 2]!.take('large');
          if (!(answer instanceof Promise)) withoutWaiting++;
          if ((await answer).accepted) hits.push({ sent, received: performance.now() });
        }
        await sleep(5);
      }
    }),
  );
  hits.sort((one, other) => one.sent - other.sent);
  for (let at = 0; at < hits.length; at += 97) {
    const { sent } = hits[at]!;
    const within = hits.filter((hit) => hit.sent >= sent && hit.received < sent + 2_000);
    expect(within.length).toBeLessThanOrEqual(limit);
  }
  expect(withoutWaiting).toBeGreaterThan(hits.length / 4);
  expect(hits.length).toBeGreaterThan(limit);
});
