import { allValid, faultless, valid, type Checked, type Violation } from '@invoicing/errors';
import { addDays, dateFault, PAYMENT_DAYS } from './business-date';
import type { DraftContent } from './draft';
import type { IssuePolicy } from '../organizations/organization';

/** Both as YYYY-MM-DD. */
export interface DocumentDates {
  readonly issueDate: string;
  readonly dueDate: string;
}

/** The dates that a document has when it is issued on `today`. */
export function resolveDates(
  given: Pick<DraftContent, 'issueDate' | 'dueDate'>,
  today: string,
  paymentDays = PAYMENT_DAYS,
): Checked<DocumentDates> {
  const checked = allValid({ issueDate: dateOf(given, 'issueDate'), dueDate: dateOf(given, 'dueDate') });
  if (checked.violations) return checked;
  const issueDate = given.issueDate ?? today;
  const dueDate = given.dueDate ?? addDays(issueDate, paymentDays);
  return faultless(
    { issueDate, dueDate },
    '/dueDate',
    dueDate < issueDate ? 'must not be before the issue date' : undefined,
  );
}

function dateOf(
  given: Pick<DraftContent, 'issueDate' | 'dueDate'>,
  field: 'issueDate' | 'dueDate',
): Checked<string | null> {
  const date = given[field];
  return date === null ? valid(null) : faultless(date, `/${field}`, dateFault(date));
}

/** Who says the day: a caller, who keeps to the window; a schedule, whose days were agreed before; nobody: it is today. */
export type DatedBy = 'caller' | 'schedule' | 'today';

/**
 * What forbids to issue a document on a day: a closed period, always; and when a caller gave the day, the window around today.
 * Drafts may carry any day: this is asked when they are issued.
 */
export function issueDateViolations(
  issueDate: string,
  datedBy: DatedBy,
  today: string,
  { closedUntil, daysBack, daysAhead }: IssuePolicy,
): Violation[] {
  const path = '/issueDate';
  if (closedUntil !== null && issueDate <= closedUntil) {
    return [{ path, message: `lies in a closed period: the books are closed until ${closedUntil}` }];
  }
  if (datedBy !== 'caller') return [];
  const first = addDays(today, -daysBack);
  const last = addDays(today, daysAhead);
  if (issueDate >= first && issueDate <= last) return [];
  return [{ path, message: `must be from ${first} to ${last}; an operator can widen this for the organisation` }];
}
