import { simulateReminders, type ReminderSabotage } from '../testing/reminder-simulation';

const SEEDS = 150 * Number(process.env['SEEDS'] ?? 1);
const STEPS = 600;

test('whatever is interleaved, killed or lost: one reminder a step, of what is open as it is sent', async () => {
  for (let seed = 1; seed <= SEEDS; seed++)
    expect({ seed, faults: await simulateReminders(seed, STEPS) }).toEqual({ seed, faults: [] });
}, 300_000);

test.each<ReminderSabotage>(['new_ids', 'no_follow_up', 'old_amounts', 'sends_again', 'all_steps'])(
  'notices %s',
  async (sabotage) => {
    for (let seed = 1; seed <= 300; seed++) if ((await simulateReminders(seed, STEPS, sabotage)).length > 0) return;
    throw new Error(`300 seeds did not notice ${sabotage}`);
  },
  300_000,
);
