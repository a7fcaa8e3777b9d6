import { simulateAccounts } from '../testing/account-simulation';
import type { AccountSabotage } from '../testing/simulated-account';

const SEEDS = 150 * Number(process.env['SEEDS'] ?? 1);
const STEPS = 500;

test('whatever is interleaved, killed, lost, late or repeated: the account is what the provider says', async () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect({ seed, faults: await simulateAccounts(seed, STEPS) }).toEqual({ seed, faults: [] });
}, 300_000);

// A refund that was refused to one replica and made for another.
test('seed 1915, which found a fault once', async () => {
  expect(await simulateAccounts(1_915, STEPS)).toEqual([]);
});

test.each<AccountSabotage>(['shared_places', 'no_follow_up', 'refunds_anew', 'old_credits'])(
  'notices %s',
  async (sabotage) => {
    for (let seed = 1; seed <= 300; seed++) if ((await simulateAccounts(seed, STEPS, sabotage)).length > 0) return;
    throw new Error(`300 seeds did not notice ${sabotage}`);
  },
  300_000,
);
