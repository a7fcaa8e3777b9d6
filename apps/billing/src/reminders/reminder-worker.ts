import { Temporal } from 'temporal-polyfill';
import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import { addDays, businessDate } from '../invoices/business-date';
import { DEFAULT_TIMEZONE } from '../organizations/organization';
import { planReminders, REMINDER_LEASE_MS } from './plan-reminders';
import type { ReminderPorts } from './reminder-ports';
import { sendReminder } from './send-reminder';

const POLL_MS = 5_000;
const PLAN_LEASE_MS = 600_000;
/** Nobody is reminded in the night. */
const MORNING = '09:00';

/** Makes each organisation's reminders once a day, in its morning, and sends them. In every replica side by side. */
export const startReminderWorker = (ports: ReminderPorts, onError: (error: unknown) => void): DueWorker =>
  startDueWorker({
    round: async () => {
      const planned = await planDue(ports, onError);
      return (await sendDue(ports, onError)) || planned;
    },
    pollMs: POLL_MS,
    onError,
  });

/** One organisation; answers whether there was one. */
export async function planDue(ports: ReminderPorts, onError: (error: unknown) => void): Promise<boolean> {
  const now = ports.now();
  const plan = await ports.reminderPlans.claimDue(now, new Date(now.getTime() + PLAN_LEASE_MS));
  if (!plan) return false;
  const { organizationId } = plan;
  try {
    const organization = await ports.organizations.find(organizationId);
    const timezone = organization?.details.timezone ?? DEFAULT_TIMEZONE;
    const here = ports.now(organizationId);
    const today = businessDate(here, timezone);
    const opens = morningOf(today, timezone);
    if (here >= opens)
      for await (const made of planReminders(ports, organizationId, today))
        await sendReminder(ports, made).catch(onError);
    await ports.reminderPlans.lookAgain(organizationId, here >= opens ? morningOf(addDays(today, 1), timezone) : opens);
  } catch (error) {
    // Due again when the lease is over.
    onError(error);
  }
  return true;
}

/** By the clock on the wall, on the two days a year that have another hour, too. */
const morningOf = (date: string, timeZone: string): Date =>
  new Date(Temporal.PlainDate.from(date).toZonedDateTime({ timeZone, plainTime: MORNING }).epochMilliseconds);

/** One reminder; answers whether there was one. */
export async function sendDue(ports: ReminderPorts, onError: (error: unknown) => void): Promise<boolean> {
  const now = ports.now();
  const due = await ports.reminders.claimDue(now, new Date(now.getTime() + REMINDER_LEASE_MS));
  if (!due) return false;
  await sendReminder(ports, due).catch(onError);
  return true;
}
