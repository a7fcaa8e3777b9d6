import { businessDate } from '../invoices/business-date';
import { DEFAULT_TIMEZONE } from '../organizations/organization';
import { planReminders, REMINDER_LEASE_MS } from './plan-reminders';
import type { Reminder } from './reminder';
import type { ReminderPorts } from './reminder-ports';
import { sendReminder } from './send-reminder';

/** Makes and sends what is due on a day (today when none is named), of one organisation or of all with a plan that is on. */
export async function* runReminders(
  ports: ReminderPorts,
  { asOf, organizationId }: { readonly asOf?: string | undefined; readonly organizationId?: string | undefined },
): AsyncIterable<Reminder> {
  // What cannot be sent now is due again; the others go on.
  const sent = (reminder: Reminder): Promise<Reminder> =>
    sendReminder(ports, reminder).catch((error: unknown) => {
      ports.onError(error);
      return reminder;
    });
  for (const each of organizationId ? [organizationId] : await ports.reminderPlans.organizations()) {
    const organization = await ports.organizations.find(each);
    const today = businessDate(ports.now(each), organization?.details.timezone ?? DEFAULT_TIMEZONE);
    for await (const made of planReminders(ports, each, asOf ?? today)) yield await sent(made);
    // What others began; what is put off from now on is for later.
    const now = ports.now();
    for (;;) {
      const due = await ports.reminders.claimDue(now, new Date(now.getTime() + REMINDER_LEASE_MS), each);
      if (!due) break;
      yield await sent(due);
    }
  }
}
