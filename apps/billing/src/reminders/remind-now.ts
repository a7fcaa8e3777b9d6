import { validationError } from '@invoicing/errors';
import { isEmailAddress } from '@invoicing/rules';
import { businessDate } from '../invoices/business-date';
import type { Call } from '../invoices/invoice-ports';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import { DEFAULT_TIMEZONE } from '../organizations/organization';
import { describeReminder } from './describe-reminder';
import { planOf, reminderOf } from './plan-reminders';
import type { NotSent } from './reminder';
import type { ReminderPorts } from './reminder-ports';
import { sendReminder } from './send-reminder';

/**
 * Reminds of an overdue invoice by the next step of its plan, whatever its day and though the plan is off: for test organisations. Throws
 * `validation`.
 */
export async function remindNow(
  ports: ReminderPorts,
  invoice: IssuedInvoice,
  { dryRun }: Pick<Call, 'dryRun'>,
): Promise<void> {
  const { organizationId, _id, kind, dueDate, profileId } = invoice;
  const organization = await ports.organizations.find(organizationId);
  const today = businessDate(ports.now(organizationId), organization?.details.timezone ?? DEFAULT_TIMEZONE);
  if (kind !== 'invoice' || dueDate >= today) throw refusal('is not overdue: move the clock of the organisation first');
  const known = await ports.reminders.ofInvoice(organizationId, _id);
  const waiting = known.find(({ state }) => state === 'due');
  const at = waiting?.step ?? Math.max(-1, ...known.map(({ step }) => step)) + 1;
  const step = planOf(await ports.reminderPlans.of(organizationId), profileId).steps[at];
  if (!step) throw refusal('was reminded of by every step of the plan');
  const { channel } = step;
  const made = { ...reminderOf(ports, organizationId, invoice, at, 0, today), channel, unplanned: true };
  const described = await describeReminder(ports, waiting ?? made);
  if ('notSent' in described) throw notSent(described.notSent);
  if (channel === 'email' && !isEmailAddress(invoice.buyer.email)) throw notSent('no_recipient');
  if (dryRun) return;
  const reminder = waiting ?? { ...made, claim: described.claim };
  if (!waiting) await ports.reminders.insert(reminder);
  const { state, why } = await sendReminder(ports, reminder);
  if (why && (state === 'failed' || state === 'withdrawn')) throw notSent(why);
}

const refusal = (message: string) => validationError([{ path: '/invoiceId', message }]);
const notSent = (why: NotSent) => refusal(`cannot be reminded of: ${why}`);
