import fc from 'fast-check';
import { ConcurrencyLimiter } from './concurrency-limiter';

const bounds = { active: 3, activePerAddress: 2, waiting: 2 };

test('as many as the limit says; then a bounded queue; then refusals', () => {
  const limiter = new ConcurrencyLimiter(bounds);
  const begun: string[] = [];
  const enter = (name: string) => limiter.enter(name, () => begun.push(name));
  const leaves = ['a', 'b', 'c', 'd', 'e'].map(enter);
  expect(begun).toEqual(['a', 'b', 'c']);
  expect(enter('f')).toBeUndefined();
  leaves[3]!();
  const g = enter('g');
  leaves[0]!();
  leaves[0]!();
  expect(begun).toEqual(['a', 'b', 'c', 'e']);
  g!();
  leaves[1]!();
  expect(begun).toEqual(['a', 'b', 'c', 'e']);
});

test('an address beyond its share waits, and others pass it', () => {
  const limiter = new ConcurrencyLimiter(bounds);
  const begun: string[] = [];
  const leaves = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => limiter.enter(name[0]!, () => begun.push(name)));
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  leaves[4]!();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  leaves[0]!();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('whatever comes and goes, the bounds hold and nobody who may go waits', () => {
  const step = fc.record({ address: fc.constantFrom('a', 'b', 'c'), leaves: fc.option(fc.nat(20)) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const limiter = new ConcurrencyLimiter(bounds);
      type Entry = { address: string; active: boolean; leave?: (() => void) | undefined };
      const visits: Entry[] = [];
      for (const { address, leaves } of steps) {
        if (leaves !== null && visits.length > 0) visits.splice(leaves % visits.length, 1)[0]!.leave!();
        const visit: Entry = { address, active: false };
        const waiting = visits.filter(({ active }) => !active).length;
        visit.leave = limiter.enter(address, () => (visit.active = true));
        if (visit.leave) visits.push(visit);
        else expect(waiting).toBe(bounds.waiting);
        const active = visits.filter((each) => each.active);
        const activeOf = (one: string): number => active.filter((each) => each.address === one).length;
        expect(active.length).toBeLessThanOrEqual(bounds.active);
        for (const one of ['a', 'b', 'c']) expect(activeOf(one)).toBeLessThanOrEqual(bounds.activePerAddress);
        for (const each of visits.filter((one) => !one.active))
          expect(active.length === bounds.active || activeOf(each.address) === bounds.activePerAddress).toBe(true);
      }
    }),
  );
});
