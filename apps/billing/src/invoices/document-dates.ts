import type { Violation } from '@invoicing/errors';
import { addDays, dateFault, PAYMENT_DAYS } from './business-date';
import type { DraftContent } from './draft';

/** The dates that a document has when it is issued on `today`. */
export function resolveDates(
  given: Pick<DraftContent, 'issueDate' | 'dueDate'>,
  today: string,
  violations: Violation[],
  paymentDays = PAYMENT_DAYS,
): { issueDate: string; dueDate: string } {
  const before = violations.length;
  for (const field of ['issueDate', 'dueDate'] as const) {
    const fault = given[field] === null ? undefined : dateFault(given[field]);
    if (fault) violations.push({ path: `/${field}`, message: fault });
  }
  if (violations.length > before) return { issueDate: today, dueDate: today };
  const issueDate = given.issueDate ?? today;
  const dueDate = given.dueDate ?? addDays(issueDate, paymentDays);
  if (dueDate < issueDate) violations.push({ path: '/dueDate', message: 'must not be before the issue date' });
  return { issueDate, dueDate };
}
