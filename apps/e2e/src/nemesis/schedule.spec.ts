import { FAULTS, describeFault, scheduleOf } from './schedule';

const surface = { replicas: ['billing-1', 'billing-2'], links: ['billing-1 store', 'gateway-1 billing-2'] };

test('the same seed is the same schedule, another seed another', () => {
  expect(scheduleOf(7, 60_000, surface)).toEqual(scheduleOf(7, 60_000, surface));
  expect(scheduleOf(8, 60_000, surface)).not.toEqual(scheduleOf(7, 60_000, surface));
});

test.each([1, 2, 3, 4, 5])('seed %i: every kind within half a minute, in order, nothing beyond the end', (seed) => {
  const faults = scheduleOf(seed, 30_000, surface);
  expect(new Set(faults.map(({ kind }) => kind))).toEqual(new Set(FAULTS));
  expect(faults.map(({ atMs }) => atMs)).toEqual(faults.map(({ atMs }) => atMs).sort((a, b) => a - b));
  for (const { atMs, forMs } of faults) expect(atMs + forMs).toBeLessThanOrEqual(30_000);
  expect(describeFault(faults[0]!)).toMatch(/^\d+\.\d s \w+/);
});
