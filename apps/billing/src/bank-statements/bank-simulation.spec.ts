import { simulateBank, type BankSabotage } from '../testing/bank-simulation';

const SEEDS = 150 * Number(process.env['SEEDS'] ?? 1);
const STEPS = 600;

test('whatever is interleaved, killed or lost: a line is on the accounts once, as it says', async () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect({ seed, faults: await simulateBank(seed, STEPS) }).toEqual({ seed, faults: [] });
}, 300_000);

test.each<BankSabotage>(['new_lines', 'new_entry_ids', 'no_follow_up', 'same_tries', 'blind_changes'])(
  'notices %s',
  async (sabotage) => {
    for (let seed = 1; seed <= 300; seed++) if ((await simulateBank(seed, STEPS, sabotage)).length > 0) return;
    throw new Error(`300 seeds did not notice ${sabotage}`);
  },
  300_000,
);
