import { randomUUID } from 'node:crypto';
import { RemindersService } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { notFoundError, validationError } from '@invoicing/errors';
import { bindService, listLimit, type BoundService } from '@invoicing/rpc';
import { dateFault } from '../invoices/business-date';
import { describeReminder } from './describe-reminder';
import { planOf } from './plan-reminders';
import { fromPlan, toContent, toExceptions, toPlan, toReminder } from './reminder-proto';
import { renderReminder, type LetterPorts } from './render-reminder';
import { exceptFromReminders, setReminderPlan } from './reminder-settings';
import { runReminders } from './run-reminders';
import { unknownRates } from './statutory-interest';

const LIST = { usual: 100, most: 1_000 };

/** Reminders of overdue invoices. */
export function remindersService(ports: LetterPorts): BoundService {
  const plan = async (organizationId: string, profileId: string | undefined) => {
    const kept = planOf(await ports.reminderPlans.of(organizationId), profileId);
    const today = ports.now(organizationId).toISOString().slice(0, 10);
    const warnings = kept.steps.some(({ interest }) => interest) ? unknownRates(today, kept.rates) : [];
    return toPlan(organizationId, profileId, kept, warnings);
  };
  const exceptions = async (organizationId: string) =>
    toExceptions(await ports.reminderExceptions.list(organizationId));
  return bindService(
    RemindersService,
    {
      getReminderPlan: ({ organizationId, profileId }) => plan(organizationId, profileId),
      setReminderPlan: async ({ organizationId, profileId, ...wanted }) => {
        await setReminderPlan(ports, organizationId, profileId, fromPlan({ organizationId, profileId, ...wanted }));
        return plan(organizationId, profileId);
      },
      listReminders: async ({ organizationId, invoiceId, limit, cursor }) => {
        const wanted = { limit: listLimit(limit, LIST), cursor };
        const { items, next } = await ports.reminders.page(organizationId, { invoiceId }, wanted);
        return { reminders: items.map(toReminder), cursor: next };
      },
      exceptFromReminders: async ({ organizationId, ...wanted }, { operationId = randomUUID(), by }) => {
        await exceptFromReminders(ports, organizationId, wanted, { id: operationId, by });
        return exceptions(organizationId);
      },
      listReminderExceptions: ({ organizationId }) => exceptions(organizationId),
      runReminders: async function* ({ asOf, organizationId }) {
        const fault = asOf === undefined ? undefined : dateFault(asOf);
        if (fault) throw validationError([{ path: '/asOf', message: fault }]);
        for await (const reminder of runReminders(ports, { asOf, organizationId })) yield toReminder(reminder);
      },
      describeReminder: async ({ organizationId, reminderId }) => {
        const reminder = await ports.reminders.find(organizationId, reminderId);
        if (!reminder) throw notFoundError('the reminder');
        return toContent(reminder, await describeReminder(ports, reminder));
      },
      renderReminder: async ({ organizationId, reminderId }) => {
        const letter = await renderReminder(ports, organizationId, reminderId);
        if (!letter) return { withdrawn: true, content: Buffer.alloc(0), fileName: '' };
        return { withdrawn: false, content: Buffer.from(letter.content), fileName: letter.fileName };
      },
    },
    {
      getReminderPlan: { callers: ['application', 'admin'], action: 'settings.read' },
      setReminderPlan: { callers: ['application', 'admin'], action: 'settings.write' },
      listReminders: { callers: ['application', 'admin'], action: 'invoices.read' },
      exceptFromReminders: { callers: ['application', 'admin'], action: 'payments.record' },
      listReminderExceptions: { callers: ['application', 'admin'], action: 'invoices.read' },
      runReminders: { callers: ['admin'] },
      describeReminder: { callers: ['notification'] },
      renderReminder: { callers: ['notification'] },
    },
  );
}
