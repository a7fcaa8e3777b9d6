import { simulateAccounts } from '../testing/account-simulation';

const SEEDS = Number(process.env['SEEDS'] ?? 10_000);
const STEPS = 500;
const REPORT_EVERY = 1_000;

/** As many seeds of the simulation as are asked for; the first that ends with anything wrong is told, and ends it. */
export async function run(): Promise<void> {
  const startedAt = Date.now();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const faults = await simulateAccounts(seed, STEPS);
    if (faults.length > 0) throw new Error(`seed ${seed}: ${faults.join('; ')}`);
    if (seed % REPORT_EVERY === 0 || seed === SEEDS)
      console.log(`billing: ${seed} seeds, nothing wrong, ${Math.round((Date.now() - startedAt) / 1_000)} s`);
  }
}
