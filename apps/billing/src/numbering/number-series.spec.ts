import { portOf, realNumbering, simulateNumbering, type NumberingVariant } from '../testing/number-simulation';
import { createNumbering } from './number-series';

const SEEDS = Number(process.env['SEEDS'] ?? 2_000);
// Enough for each known-bad variant to show itself many times.
const BAD_SEEDS = 600;

async function run(variant: NumberingVariant, seeds: number) {
  const faulty: { seed: number; faults: string[] }[] = [];
  let issued = 0;
  let acknowledged = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const result = await simulateNumbering(seed, variant);
    if (result.faults.length > 0) faulty.push({ seed, faults: result.faults });
    issued += result.issued;
    acknowledged += result.acknowledged;
  }
  return { faulty, issued, acknowledged };
}

const faultsIn = async (variant: NumberingVariant): Promise<string> =>
  (await run(variant, BAD_SEEDS)).faulty.flatMap(({ faults }) => faults).join('\n');

test(`no gap, no repeat, nothing acknowledged is lost, in ${SEEDS} seeds of kills, crashes and late writes`, async () => {
  const { faulty, issued, acknowledged } = await run(realNumbering, SEEDS);
  expect(faulty).toEqual([]);
  // The runs are worth something: of 14 jobs most get through the kills, and some are issued unseen by who asked.
  expect(acknowledged / SEEDS).toBeGreaterThan(7);
  expect(issued).toBeGreaterThan(acknowledged);
}, 3_600_000);

describe('the simulation sees what is known to fail', () => {
  test('a counter, then an insert: gaps', async () => {
    const counterThenInsert: NumberingVariant = (store, process) => ({
      issue: async (series, id, seal) => {
        const { seq: _, hash } = await process.reach(store.tail(series));
        const seq = await process.reach(store.increment(series));
        const document = seal({ seq, previousHash: hash });
        await process.reach(store.insert([document]));
        return document;
      },
    });
    expect(await faultsIn(counterThenInsert)).toMatch(/is at place/);
  });

  test('the maximum from un-journaled data: gaps', async () => {
    const unjournaled = { durableOnly: false };
    const unjournaledMaximum: NumberingVariant = (store, process) =>
      createNumbering(
        {
          ...portOf(store, process),
          tail: (series) => process.reach(store.tail(series, unjournaled)),
          countUpTo: (series, seq) => process.reach(store.countUpTo(series, seq, unjournaled)),
        },
        { batchSize: 4, pause: process.pause },
      );
    expect(await faultsIn(unjournaledMaximum)).toMatch(/is at place/);
  });

  test('an ordered bulk of updates, where one that meets nothing does not stop the rest: gaps', async () => {
    const bulkOfUpdates: NumberingVariant = (store, process) =>
      createNumbering(
        {
          ...portOf(store, process),
          insert: (documents) => process.reach(store.insert(documents, { skipsRepeats: true })),
        },
        { batchSize: 4, pause: process.pause },
      );
    expect(await faultsIn(bulkOfUpdates)).toMatch(/is at place/);
  });

  test('a new id for each attempt: two numbers for one job', async () => {
    const newIdPerAttempt: NumberingVariant = (store, process) => {
      const real = realNumbering(store, process);
      return {
        issue: (series, id, seal) => {
          const attempt = `${id}-${process.random()}`;
          return real.issue(series, attempt, (place) => ({ ...seal(place), _id: attempt }));
        },
      };
    };
    expect(await faultsIn(newIdPerAttempt)).toMatch(/a job has two numbers/);
  });
});
