import { AppError, notFoundError } from '@invoicing/errors';
import { reminderTexts } from '@invoicing/rules';
import type { Ports } from '../billing-ports';
import { shownInvoice } from '../documents/render-invoice';
import { sheetSourceOf } from '../documents/sheet/invoice-sheet';
import type { ReminderSheet } from '../documents/sheet/sheet-source';
import { formatDate, formatMoney } from '@invoicing/design';
import { describeReminder, type Described } from './describe-reminder';
import { REMINDER_LEASE_MS } from './plan-reminders';
import type { Reminder } from './reminder';
import type { ReminderPorts } from './reminder-ports';

export type LetterPorts = ReminderPorts & Pick<Ports, 'logos' | 'documents'>;

type Said = Exclude<Described, { notSent: unknown }>;

/**
 * What a letter says at this moment, noted as what its reminder asked for before anybody has it; undefined when there is nothing to
 * remind of any more. Throws `unavailable` while the invoice is being paid.
 */
export async function printReminder(ports: ReminderPorts, reminder: Reminder): Promise<Said | undefined> {
  const described = await describeReminder(ports, reminder);
  if ('notSent' in described) {
    // It is neither paid nor to be reminded of yet.
    if (described.notSent === 'payment_in_process')
      throw new AppError('unavailable', 'unavailable', 'the invoice is being paid: ask again later');
    return undefined;
  }
  const { issued, claim } = described;
  // Who waits for it asks again when he would have.
  const { dueAt = new Date(ports.now().getTime() + REMINDER_LEASE_MS) } = reminder;
  const isNoted = await ports.reminders.change(reminder, { state: 'due', dueAt, asked: { claim } }, issued);
  return isNoted ? described : undefined;
}

/** A reminder as a letter; undefined when there is nothing to remind of any more. Throws `not_found`, or `unavailable`. */
export async function renderReminder(
  ports: LetterPorts,
  organizationId: string,
  reminderId: string,
): Promise<{ readonly content: Uint8Array; readonly fileName: string } | undefined> {
  const reminder = await ports.reminders.find(organizationId, reminderId);
  if (!reminder) throw notFoundError('the reminder');
  const said = await printReminder(ports, reminder);
  if (!said) return undefined;
  const source = sheetSourceOf({ ...(await shownInvoice(ports, said.issued)), today: reminder.day });
  return {
    content: await ports.documents.renderSheet({ ...source, reminder: sheetOf(said, reminder.day) }, 'pdf', 'mail'),
    fileName: ports.documents.fileName(source.invoice, 'pdf'),
  };
}

function sheetOf({ issued, claim, again, last, text }: Said, date: string): ReminderSheet {
  const { language, number, seller, dueDate } = issued;
  const { openCents, costsCents, interestCents, notice } = claim;
  const money = (cents: number): string => formatMoney(cents, language);
  const said = notice && { costs: money(notice.costsCents), until: formatDate(notice.until, language) };
  const texts = reminderTexts(language, {
    ...{ number, seller: seller.name, dueDate: formatDate(dueDate, language), notice: said },
    ...{ open: money(openCents), sum: money(openCents + costsCents + interestCents) },
    ...{ isFirst: !again, isLast: last && again },
  });
  return {
    ...{ title: texts.title, date, openCents, sumLabel: texts.sumLabel },
    // Never instead of the notice that the law asks for.
    text: text === '' || notice ? texts.intro : text,
    extras: [
      { label: texts.costsLabel, cents: costsCents },
      { label: texts.interestLabel, cents: interestCents },
    ],
  };
}
