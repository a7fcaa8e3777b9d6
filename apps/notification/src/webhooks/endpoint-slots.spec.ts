import { EndpointSlots } from './endpoint-slots';

const limits = { active: 2, backlog: 2, failing: 1, total: 100 };
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** An attempt that ends when it is told how it went. */
function heldAttempt() {
  let finish: (isWell: boolean) => void = () => undefined;
  const state = { started: false, finish: (isWell: boolean) => finish(isWell) };
  const run = (): Promise<boolean> => {
    state.started = true;
    return new Promise((resolve) => (finish = resolve));
  };
  return { state, run };
}

test('so many at once, some in the backlog, no more', async () => {
  const slots = new EndpointSlots(limits, () => undefined);
  const all = Array.from({ length: 4 }, heldAttempt);
  for (const { run } of all) {
    expect(slots.reserve('a')).toBe(true);
    slots.start('a', run);
  }
  expect(all.map(({ state }) => state.started)).toEqual([true, true, false, false]);
  expect(slots.reserve('a')).toBe(false);
  expect([slots.free('a'), slots.free('b')]).toEqual([0, 4]);
  expect(slots.reserve('b')).toBe(true);

  all[0]!.state.finish(true);
  await soon();
  expect(all[2]!.state.started).toBe(true);
  expect(slots.reserve('a')).toBe(true);
});

test('whoever has more in the store is told once when there is a slot, at once when there is one already', async () => {
  let told = 0;
  const slots = new EndpointSlots({ ...limits, total: 5 }, () => told++);
  for (let count = 0; count < 4; count++) slots.reserve('a');
  slots.release('a');
  expect(told).toBe(0);
  slots.notifyWhenFree('a');
  expect(told).toBe(1);

  slots.reserve('a');
  slots.notifyWhenFree('a');
  expect(told).toBe(1);
  slots.release('a');
  slots.release('a');
  expect(told).toBe(2);

  // All together in use: room at any endpoint will do.
  for (let count = 0; count < 3; count++) slots.reserve('b');
  expect(slots.free('c')).toBe(0);
  slots.notifyWhenFree('c');
  slots.release('b');
  expect(told).toBe(3);
});

test('slots of a failing endpoint shrink to a probe and come back when one goes well', async () => {
  const slots = new EndpointSlots(limits, () => undefined);
  const first = heldAttempt();
  slots.reserve('a');
  slots.start('a', first.run);
  first.state.finish(false);
  await soon();
  const probe = heldAttempt();
  expect([slots.reserve('a'), slots.reserve('a')]).toEqual([true, false]);
  slots.start('a', probe.run);
  expect(slots.free('a')).toBe(0);
  probe.state.finish(true);
  await soon();
  expect([1, 2, 3, 4, 5].map(() => slots.reserve('a'))).toEqual([true, true, true, true, false]);
});

test('one waits for a slot where attempts end, and not where they hang', async () => {
  const slots = new EndpointSlots({ ...limits, active: 1, backlog: 0 }, () => undefined);
  const [first, second] = [heldAttempt(), heldAttempt()];
  expect(slots.reserveSoon('a')).toBe(true);
  slots.start('a', first.run);
  // It was opened just now.
  const waiting = [slots.reserveSoon('a'), slots.reserveSoon('a')];
  first.state.finish(true);
  await soon();
  // The slot is the first one's: whoever comes now does not get it.
  expect(slots.reserve('a')).toBe(false);
  expect(await waiting[0]).toBe(true);
  slots.start('a', second.run);
  expect(await waiting[1]).toBe(false);
  // Longer than attempts that end count as moving.
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(slots.reserveSoon('a')).toBe(false);

  second.state.finish(true);
  await soon();
  expect(slots.reserve('a')).toBe(true);
});

test('all endpoints together have a limit', () => {
  const slots = new EndpointSlots({ ...limits, total: 3 }, () => undefined);
  expect(['a', 'b', 'c', 'd'].map((key) => slots.reserve(key))).toEqual([true, true, true, false]);
  slots.release('b');
  expect(slots.reserve('d')).toBe(true);
});

test('closing lets nothing in and waits for what runs and what is in the backlog', async () => {
  const slots = new EndpointSlots({ ...limits, active: 1 }, () => undefined);
  const [one, two] = [heldAttempt(), heldAttempt()];
  for (const { run } of [one, two]) {
    slots.reserve('a');
    slots.start('a', run);
  }
  let closed = false;
  void slots.close().then(() => (closed = true));
  expect(slots.reserve('b')).toBe(false);
  one.state.finish(true);
  await soon();
  expect(closed).toBe(false);
  two.state.finish(true);
  await soon();
  expect(closed).toBe(true);
  await new EndpointSlots(limits, () => undefined).close();
});
