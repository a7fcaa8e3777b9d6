import { AppError } from '@invoicing/errors';
import { owedInvoices } from '../account/owed-invoices';
import { addDays } from '../invoices/business-date';
import type { OwedSummary } from '../invoices/invoice-ports';
import { reminderId, USUAL_PLAN, type KeptPlan, type Reminder } from './reminder';
import { dueStep, type ReminderPlan } from './reminder-plan';
import type { ReminderPorts } from './reminder-ports';

/** What fell due longer ago is for people to chase. */
const LOOK_BACK_DAYS = 730;
/** Longer than sending takes; then somebody else asks what became of it. */
export const REMINDER_LEASE_MS = 60_000;

/** The plan of a profile: its own, else the organisation's, else the usual one, which is off. */
export const planOf = (plans: readonly KeptPlan[], profileId: string | undefined): ReminderPlan =>
  plans.find((each) => each.profileId === profileId) ??
  plans.find((each) => each.profileId === undefined) ??
  USUAL_PLAN;

/**
 * Makes the reminders of an organisation that are due on a day: of each invoice that is open the latest step only, whatever was missed
 * before it. Answers what it made, for whoever made it to send: should they not, somebody else does once its lease is over. Made
 * again, there is nothing to make.
 */
export async function* planReminders(
  ports: ReminderPorts,
  organizationId: string,
  today: string,
): AsyncIterable<Reminder> {
  if (!(await ports.organizations.find(organizationId)))
    throw new AppError('absent', 'organization_gone', 'the organisation does not exist');
  const plans = await ports.reminderPlans.of(organizationId);
  const oldest = addDays(today, -LOOK_BACK_DAYS);
  const isOverdue = ({ kind, dueDate, profileId }: OwedSummary): boolean =>
    kind === 'invoice' && dueDate < today && dueDate >= oldest && planOf(plans, profileId).enabled;
  for await (const { invoice, openCents } of owedInvoices(ports, organizationId, isOverdue)) {
    const plan = planOf(plans, invoice.profileId);
    const step = openCents > 0 ? dueStep(plan, invoice.dueDate, today) : undefined;
    if (step === undefined) continue;
    const { channel } = plan.steps[step]!;
    const reminder = { ...reminderOf(ports, organizationId, invoice, step, openCents, today), channel };
    if (await ports.reminders.insert(reminder)) yield reminder;
  }
}

/** A reminder by a step of the plan, from 0, due once its lease is over. */
export const reminderOf = (
  { now }: Pick<ReminderPorts, 'now'>,
  organizationId: string,
  { _id: invoiceId, customerId, profileId, number }: Pick<OwedSummary, '_id' | 'customerId' | 'profileId' | 'number'>,
  step: number,
  openCents: number,
  day: string,
): Reminder => ({
  ...{ _id: reminderId(invoiceId, step), organizationId, invoiceId, customerId, profileId, number, step },
  ...{ channel: 'email', state: 'due', claim: { openCents, costsCents: 0, interestCents: 0 }, day },
  createdAt: now(organizationId),
  // Leases end in real time.
  dueAt: new Date(now().getTime() + REMINDER_LEASE_MS),
});
