import { openLanes } from './lanes';

const limits = { active: 2, line: 2, failing: 1, total: 100 };
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when it is told how it went. */
function work() {
  let finish: (isWell: boolean) => void = () => undefined;
  const state = { started: false, finish: (isWell: boolean) => finish(isWell) };
  const run = (): Promise<boolean> => {
    state.started = true;
    return new Promise((resolve) => (finish = resolve));
  };
  return { state, run };
}

test('so many at once, some in line, no more', async () => {
  let rooms = 0;
  const lanes = openLanes(limits, () => rooms++);
  const all = Array.from({ length: 4 }, work);
  for (const { run } of all) {
    expect(lanes.reserve('a')).toBe(true);
    lanes.start('a', run);
  }
  expect(all.map(({ state }) => state.started)).toEqual([true, true, false, false]);
  expect(lanes.reserve('a')).toBe(false);
  expect([lanes.free('a'), lanes.free('b')]).toEqual([0, 4]);
  expect(lanes.reserve('b')).toBe(true);

  all[0]!.state.finish(true);
  await soon();
  expect(all[2]!.state.started).toBe(true);
  expect(rooms).toBe(1);
  expect(lanes.reserve('a')).toBe(true);
});

test('a failing lane shrinks to a probe and widens when one goes well', async () => {
  const lanes = openLanes(limits, () => undefined);
  const first = work();
  lanes.reserve('a');
  lanes.start('a', first.run);
  first.state.finish(false);
  await soon();
  const probe = work();
  expect([lanes.reserve('a'), lanes.reserve('a')]).toEqual([true, false]);
  lanes.start('a', probe.run);
  expect(lanes.free('a')).toBe(0);
  probe.state.finish(true);
  await soon();
  expect([1, 2, 3, 4, 5].map(() => lanes.reserve('a'))).toEqual([true, true, true, true, false]);
});

test('one waits for a place in a lane that moves, and not in one that stands still', async () => {
  const lanes = openLanes({ ...limits, active: 1, line: 0 }, () => undefined);
  const [first, second] = [work(), work()];
  expect(lanes.reserveSoon('a')).toBe(true);
  lanes.start('a', first.run);
  // It was opened just now.
  const waiting = [lanes.reserveSoon('a'), lanes.reserveSoon('a')];
  first.state.finish(true);
  await soon();
  // The place is the first one's: whoever comes now does not get it.
  expect(lanes.reserve('a')).toBe(false);
  expect(await waiting[0]).toBe(true);
  lanes.start('a', second.run);
  expect(await waiting[1]).toBe(false);
  expect(lanes.reserveSoon('a')).toBe(false);

  second.state.finish(true);
  await soon();
  expect(lanes.reserve('a')).toBe(true);
});

test('all lanes together have a limit', () => {
  const lanes = openLanes({ ...limits, total: 3 }, () => undefined);
  expect(['a', 'b', 'c', 'd'].map((key) => lanes.reserve(key))).toEqual([true, true, true, false]);
  lanes.cancel('b');
  expect(lanes.reserve('d')).toBe(true);
});

test('closing lets nothing in and waits for what runs and what is in line', async () => {
  const lanes = openLanes({ ...limits, active: 1 }, () => undefined);
  const [one, two] = [work(), work()];
  for (const { run } of [one, two]) {
    lanes.reserve('a');
    lanes.start('a', run);
  }
  let closed = false;
  void lanes.close().then(() => (closed = true));
  expect(lanes.reserve('b')).toBe(false);
  one.state.finish(true);
  await soon();
  expect(closed).toBe(false);
  two.state.finish(true);
  await soon();
  expect(closed).toBe(true);
  await openLanes(limits, () => undefined).close();
});
