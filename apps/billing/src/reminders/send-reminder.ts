import { describeReminder } from './describe-reminder';
import { REMINDER_LEASE_MS } from './plan-reminders';
import type { Reminder } from './reminder';
import type { ReminderPorts } from './reminder-ports';

/** A payment that is being made is looked at again. */
const LATER_MS = 3_600_000;
const RETRY_MIN_MS = 5_000;
const FINAL: readonly string[] = ['no_recipient', 'recipient_rejected', 'no_address', 'no_credits', 'letter_rejected'];

/**
 * Sends a due reminder, if there is still something to remind of; asked again, it learns what became of it. The message has the
 * reminder's id, so that however often it is asked for one is sent. Answers it as it is then.
 */
export async function sendReminder(ports: ReminderPorts, reminder: Reminder): Promise<Reminder> {
  const { organizationId, _id } = reminder;
  const described = await describeReminder(ports, reminder);
  const { issued } = described;
  const later = (ms: number): Date => new Date(ports.now().getTime() + ms);
  if ('notSent' in described && described.notSent === 'payment_in_process')
    await ports.reminders.change(reminder, { state: 'due', dueAt: later(LATER_MS) }, issued);
  else if ('notSent' in described && !reminder.asked)
    await ports.reminders.change(reminder, { state: 'withdrawn', why: described.notSent }, issued);
  else if ('notSent' in described || (reminder.asked && reminder.channel === 'post'))
    // It may have been sent before its writer died: then that is what became of it. What a letter asks for is noted as it is printed.
    await settle(ports, reminder, 'notSent' in described ? described.notSent : 'paid');
  else {
    const asked = { claim: described.claim };
    if (await ports.reminders.change(reminder, { state: 'due', dueAt: later(REMINDER_LEASE_MS), asked }, issued))
      await settle(ports, { ...reminder, asked: true }, 'paid');
  }
  return (await ports.reminders.find(organizationId, _id)) ?? reminder;
}

/** `withdrawn`: why, should it not be sent. */
async function settle(
  ports: ReminderPorts,
  reminder: Reminder,
  withdrawn: NonNullable<Reminder['why']>,
): Promise<void> {
  const issued = (await ports.invoices.find(reminder.organizationId, reminder.invoiceId))!;
  const { sent, error } = await ports.reminderMail.send(reminder);
  const here = ports.now(reminder.organizationId);
  if (sent) await ports.reminders.change(reminder, { state: 'sent', sentAt: here }, issued);
  else if (error === 'withdrawn')
    await ports.reminders.change(reminder, { state: 'withdrawn', why: withdrawn }, issued);
  else if (FINAL.includes(error))
    await ports.reminders.change(reminder, { state: 'failed', why: error as NonNullable<Reminder['why']> }, issued);
  else {
    const age = here.getTime() - reminder.createdAt.getTime();
    const dueAt = new Date(ports.now().getTime() + Math.max(RETRY_MIN_MS, Math.min(age / 2, LATER_MS)));
    await ports.reminders.change(reminder, { state: 'due', dueAt }, issued);
  }
}
