import type { Violation } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import { addDays, businessDate, dateFault } from '../invoices/business-date';
import { DEFAULT_TIMEZONE, issuePolicyOf, type Organization } from '../organizations/organization';

/** Far above any sum, far below where a sum of many could be inexact. */
const MAX_CENTS = 9_000_000_000_000;
const MAX_REFERENCE = 140;
const MAX_TEXT = 500;

/** Why an amount is none, or undefined. */
export const amountFault = (cents: number): string | undefined =>
  Number.isSafeInteger(cents) && cents > 0 && cents <= MAX_CENTS
    ? undefined
    : `must be a whole number of cents from 1 to ${MAX_CENTS}`;

/** What is wrong with the texts of an entry; absent ones are empty. */
export function textFaults(texts: {
  readonly reference?: string | undefined;
  readonly note?: string | undefined;
  readonly reason?: string | undefined;
}): Violation[] {
  const faults = {
    reference: textMessage(texts.reference ?? '', { max: MAX_REFERENCE }),
    note: textMessage(texts.note ?? '', { max: MAX_TEXT, multiline: true }),
    reason: textMessage(texts.reason ?? '', { max: MAX_TEXT, multiline: true }),
  };
  return Object.entries(faults).flatMap(([field, message]) => (message ? [{ path: `/${field}`, message }] : []));
}

/**
 * The day on which money moved: as a provider or a person says it, else today; in the organisation's zone and not to come. In a closed
 * period nothing is booked: what a person says is a violation, what a provider tells is booked on the first open day, because it happened.
 */
export function moneyDate(
  said: Date | string | undefined,
  now: Date,
  organization: Pick<Organization, 'details' | 'issuePolicy'> | null,
  violations: Violation[],
): string {
  const timezone = organization?.details.timezone ?? DEFAULT_TIMEZONE;
  const closedUntil = organization ? issuePolicyOf(organization).closedUntil : null;
  const isClosed = (date: string): boolean => closedUntil !== null && date <= closedUntil;
  const opened = (date: string): string => (isClosed(date) ? addDays(closedUntil!, 1) : date);
  const today = businessDate(now, timezone);
  if (said === undefined) return opened(today);
  if (typeof said !== 'string') return opened(businessDate(said, timezone));
  const fault =
    dateFault(said) ??
    (said > today ? 'must not be after today' : undefined) ??
    (isClosed(said) ? `lies in a closed period: the books are closed until ${closedUntil}` : undefined);
  if (fault) violations.push({ path: '/date', message: fault });
  return said;
}
