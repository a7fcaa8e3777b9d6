import { simulate } from '../testing/simulation';
import { type Sabotage } from '../testing/simulated-world';

const SEEDS = 200 * Number(process.env['SEEDS'] ?? 1);
const STEPS = 600;

test('whatever is interleaved, killed, lost or late: one invoice and one event a paid session, other money goes back', async () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect({ seed, faults: await simulate(seed, STEPS) }).toEqual({ seed, faults: [] });
}, 300_000);

test('the same where checkouts are cancelled: money that comes all the same has its invoice', async () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect({ seed, faults: await simulate(seed, STEPS, 'none', { cancels: true }) }).toEqual({ seed, faults: [] });
}, 300_000);

// Told to billing by a replica that died before it wrote that down, then back at the provider.
test.each([1_401, 1_417])('seed %i, which found a fault once', async (seed) => {
  expect(await simulate(seed, STEPS)).toEqual([]);
});

test.each<Sabotage>([
  'blind_writes',
  'new_ids',
  'no_surplus_refund',
  'trusts_amounts',
  'forgets_entries',
  'never_looks_again',
  'loses_what_is_told',
  'refunds_by_new_keys',
])('notices %s', async (sabotage) => {
  for (let seed = 1; seed <= 200; seed++) if ((await simulate(seed, STEPS, sabotage)).length > 0) return;
  throw new Error(`200 seeds did not notice ${sabotage}`);
});
