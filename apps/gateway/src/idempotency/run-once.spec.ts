import { SimulatedWorld, type Faults } from './testing/simulated-world';

// Longer runs: SEEDS=100000 npx jest --selectProjects gateway -t 'idempotency under crashes'
const SEEDS = Number(process.env['SEEDS'] ?? 300);
const BAD_SEEDS = 2_000;
const STEPS = 250;

async function findings(seed: number, faults: Faults = {}): Promise<SimulatedWorld> {
  const world = new SimulatedWorld(seed, faults);
  await world.run(STEPS);
  return world;
}

describe('idempotency under crashes', () => {
  test('creates nothing twice and answers the same, whatever dies when', async () => {
    const totals: Record<string, number> = {};
    for (let seed = 1; seed <= SEEDS; seed++) {
      const world = await findings(seed);
      expect({ seed, findings: world.findings }).toEqual({ seed, findings: [] });
      for (const [name, count] of Object.entries(world.counts)) totals[name] = (totals[name] ?? 0) + count;
    }
    // Every way through the code was taken, so the silence above means something.
    for (const count of Object.values(totals)) expect(count).toBeGreaterThan(SEEDS / 10);
  }, 600_000);

  test.each<[keyof Faults, string]>([
    ['newIdPerAttempt', 'one document a key'],
    ['removeAfterUnclearEnd', 'one document a key'],
    ['removeInEveryAttempt', 'one document a key'],
    ['claimNotJournaled', 'one document a key'],
    ['callBeforeClaim', 'one document a key'],
    ['finishWithoutCompare', 'identical answers'],
    ['takeOverWithoutCompare', 'one running attempt'],
    ['takeOverByAttemptAlone', 'one running attempt'],
    ['livingTakenForGone', 'one running attempt'],
  ])(
    'the known-bad variant %s is caught: %s',
    async (fault, rule) => {
      for (let seed = 1; seed <= BAD_SEEDS; seed++) {
        const world = await findings(seed, { [fault]: true });
        if (world.findings.some((finding) => finding.rule === rule)) return;
      }
      throw new Error(`${BAD_SEEDS} seeds did not catch it`);
    },
    120_000,
  );
});
