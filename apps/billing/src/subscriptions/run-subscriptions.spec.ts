import fc from 'fast-check';
import { v4 as uuidv4 } from 'uuid';
import { occurrenceDate, startOfDay } from './recurrence';
import { NEVER, type Subscription } from './subscription';
import { SimulatedSubscriptions, type Fault } from '../testing/simulated-subscriptions';
import { periodInvoiceId, runDueBatch } from './run-subscriptions';

const NOW = '2027-03-10T12:00:00Z';
const TODAY = '2027-03-10';

const subscriptionFrom = (startDate: string, freq: Subscription['freq']): Subscription => ({
  _id: uuidv4(),
  organizationId: 'org',
  customerId: 'customer',
  profileId: 'profile',
  lines: [],
  freq,
  interval: 1,
  startDate,
  autoSendEmail: true,
  autoSendPost: false,
  status: 'active',
  nextIndex: 0,
  nextRunDate: startDate,
  lastRunDate: null,
  pauses: [],
  pausedFrom: null,
  dueAt: startOfDay(startDate, 'Europe/Amsterdam'),
  attempts: 0,
  lastError: '',
  seenAt: NEVER,
  createdAt: NEVER,
});

interface Scenario {
  readonly starts: readonly { startDate: string; freq: Subscription['freq'] }[];
  /** After how many commands each life of each replica ends. */
  readonly lives: readonly (readonly number[])[];
  /** How far the clock moves before each command, in seconds; back, too. */
  readonly clock: Iterator<number>;
  readonly luck: Iterator<boolean>;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  starts: fc.array(
    fc.record({
      startDate: fc.constantFrom('2027-01-31', '2027-02-24', '2027-03-03', '2027-03-10', '2027-03-11'),
      freq: fc.constantFrom('weekly', 'monthly'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  lives: fc.array(fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
  clock: fc.infiniteStream(fc.constantFrom(0, 0, 0, 1, 61, -45)),
  luck: fc.infiniteStream(fc.constantFrom(false, false, false, false, true)),
});

async function simulate(scheduler: fc.Scheduler, { starts, lives, clock, luck }: Scenario, fault?: Fault) {
  let calm = false;
  const world = new SimulatedSubscriptions(
    NOW,
    async (name) => {
      if (calm) return;
      world.nowMs += (clock.next().value as number) * 1_000;
      await scheduler.schedule(Promise.resolve(), name);
    },
    () => !calm && (luck.next().value as boolean),
    fault,
  );
  for (const { startDate, freq } of starts) world.add(subscriptionFrom(startDate, freq));
  // Each replica lives so many commands, is killed, and starts again; none outlives its last life.
  const replicate = async (commands: readonly number[]): Promise<void> => {
    for (const count of commands) {
      let left = count;
      let killed: (() => void) | undefined;
      const died = new Promise<false>((resolve) => (killed = () => resolve(false)));
      const ports = world.replica(() => (left-- > 0 ? true : (killed!(), false)));
      while (left > 0 && (await Promise.race([runDueBatch(ports), died])));
    }
  };
  await scheduler.waitFor(Promise.all(lives.map(replicate)));
  // Then one that stays, when every lease and every wait is over.
  calm = true;
  const survivor = world.replica(() => true);
  for (let round = 0; round < 3; round++) {
    world.nowMs = Date.parse(NOW) + (round + 1) * 3_600_000 * 1.5;
    while (await runDueBatch(survivor));
  }
  return world;
}

function check(world: SimulatedSubscriptions): void {
  for (const subscription of world.subscriptions.values()) {
    const made = world.invoices.filter(({ subscriptionId }) => subscriptionId === subscription._id);
    const expected: string[] = [];
    for (let n = 0, date = subscription.startDate; date <= TODAY; date = occurrenceDate(subscription, ++n)!)
      expected.push(date);
    expect(made.map(({ date }) => date)).toEqual(expected);
    expect(made.map(({ id }) => id)).toEqual(expected.map((date) => periodInvoiceId(subscription._id, date)));
    const told = world.told.filter(({ subscriptionId }) => subscriptionId === subscription._id);
    expect(told.map(({ date, invoiceId }) => [date, invoiceId])).toEqual(made.map(({ date, id }) => [date, id]));
  }
  expect(world.regressions).toEqual([]);
}

const numRuns = Number(process.env['SEEDS'] ?? 200);

test('replicas that are killed, fail and disagree about the time invoice each period once, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), scenario, async (scheduler, each) => check(await simulate(scheduler, each))),
    { numRuns },
  );
});

test.each<Fault>(['new invoice for each attempt', 'finish without lease'])(
  'the simulation finds: %s',
  async (fault) => {
    const broken = fc.assert(
      fc.asyncProperty(fc.scheduler(), scenario, async (scheduler, each) =>
        check(await simulate(scheduler, each, fault)),
      ),
      { numRuns: 2_000, endOnFailure: true },
    );
    await expect(broken).rejects.toThrow();
  },
);
