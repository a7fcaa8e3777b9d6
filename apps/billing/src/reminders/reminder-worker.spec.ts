import { Readable } from 'node:stream';
import type { ReminderPorts } from './reminder-ports';
import { planDue } from './reminder-worker';

/** One organisation that is due: whether it is looked through at a moment, and when again. */
async function lookedAt(moment: string, timezone: string) {
  const seen = { planned: false, next: '' };
  const ports = {
    now: () => new Date(moment),
    organizations: { find: async () => ({ details: { timezone } }) },
    invoices: {
      owed: () => {
        seen.planned = true;
        return Readable.from([]);
      },
    },
    accounts: { factsAmong: async () => new Map() },
    reminderPlans: {
      claimDue: async () => ({ organizationId: 'o' }),
      of: async () => [],
      lookAgain: async (_: string, next: Date) => void (seen.next = next.toISOString()),
    },
  } as unknown as ReminderPorts;
  const errors: unknown[] = [];
  await planDue(ports, (error) => errors.push(error));
  expect(errors).toEqual([]);
  return seen;
}

test.each([
  ['a minute to nine', '2026-01-15T07:59:00Z', 'Europe/Amsterdam', false, '2026-01-15T08:00:00.000Z'],
  ['nine, in winter', '2026-01-15T08:00:00Z', 'Europe/Amsterdam', true, '2026-01-16T08:00:00.000Z'],
  ['nine, in summer', '2026-07-15T07:00:00Z', 'Europe/Amsterdam', true, '2026-07-16T07:00:00.000Z'],
  ['nine elsewhere', '2026-01-15T13:59:00Z', 'America/New_York', false, '2026-01-15T14:00:00.000Z'],
  ['before the night of summer time', '2026-03-28T09:00:00Z', 'Europe/Amsterdam', true, '2026-03-29T07:00:00.000Z'],
  ['before the night of winter time', '2026-10-24T09:00:00Z', 'Europe/Amsterdam', true, '2026-10-25T08:00:00.000Z'],
])('nobody is reminded before nine where the organisation is: %s', async (_, moment, timezone, planned, next) => {
  expect(await lookedAt(moment, timezone)).toEqual({ planned, next });
});
