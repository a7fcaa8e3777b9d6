import type { Invoice } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import type { ReminderContent } from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { reminderTexts, type ReminderTexts } from '@invoicing/rules';

/** In the invoice's language; the organisation's own text stands instead of ours, but never instead of the notice that the law asks for. */
export function reminderMailTexts(
  invoice: Pick<Invoice, 'language' | 'number' | 'seller'>,
  { again, last, text, claim }: ReminderContent,
  { money, day, dueDate }: { money: (cents: number) => string; day: (date: string) => string; dueDate: string },
): ReminderTexts {
  const { openCents = 0, costsCents = 0, interestCents = 0, noticeCostsCents, noticeUntil } = claim ?? {};
  const notice =
    noticeUntil !== undefined ? { costs: money(noticeCostsCents ?? 0), until: day(noticeUntil) } : undefined;
  const texts = reminderTexts(invoice.language, {
    ...{ number: invoice.number, seller: invoice.seller?.name ?? '', dueDate, notice },
    ...{ open: money(openCents), sum: money(openCents + costsCents + interestCents) },
    ...{ isFirst: !again, isLast: last && again },
  });
  return { ...texts, intro: text === '' || notice ? texts.intro : text };
}
