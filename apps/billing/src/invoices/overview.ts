import { notFoundError } from '@invoicing/errors';
import { lastMonths, moneyByMonth, type MonthOfMoney } from '../account/money-by-month';
import type { Ports } from '../billing-ports';
import { businessDate } from './business-date';
import type { Call } from './invoice-ports';
import { listInvoices, type ListedInvoice } from './list-invoices';

// What one look at an organisation may cost.
const MOST_DOCUMENTS = 1_000;
const MOST_ENTRIES = 20_000;
const SHOWN = 5;

/** How an organisation stands: what needs somebody, of its newest documents, and the money of the last months. */
export interface Overview {
  readonly drafts: readonly ListedInvoice[];
  readonly open: readonly ListedInvoice[];
  /** Those that are overdue longest first. */
  readonly overdue: readonly ListedInvoice[];
  readonly overpaid: readonly ListedInvoice[];
  readonly newest: readonly ListedInvoice[];
  readonly hasIssued: boolean;
  /** There are older documents, which are not counted. */
  readonly isPartial: boolean;
  /** Oldest first; none that could not be read whole. */
  readonly months: readonly MonthOfMoney[];
}

/** Throws `not_found`. */
export async function overviewOf(
  ports: Pick<Ports, 'drafts' | 'invoices' | 'accounts' | 'organizations' | 'catalog' | 'now'>,
  organizationId: string,
  monthCount: number,
  call: Call,
): Promise<Overview> {
  const asked = { limit: MOST_DOCUMENTS, customerNames: true };
  const [{ invoices, cursor }, { today, months }] = await Promise.all([
    listInvoices(ports, organizationId, asked, call),
    monthsOf(ports, organizationId, monthCount),
  ]);
  const open = invoices.filter(({ openCents }) => openCents > 0);
  return {
    drafts: invoices.filter(({ status }) => status === 'draft'),
    open,
    overdue: open
      .filter(({ dueDate }) => dueDate < today)
      .sort((a, b) => (a.dueDate < b.dueDate ? -1 : Number(a.dueDate > b.dueDate))),
    overpaid: invoices.filter(({ state }) => state === 'overpaid'),
    newest: invoices.slice(0, SHOWN),
    hasIssued: invoices.some(({ status }) => status !== 'draft'),
    isPartial: cursor !== undefined,
    months,
  };
}

/** With the organisation's own day. A month of which some entries were not read is left out, and all before it. Throws `not_found`. */
async function monthsOf(
  { accounts, organizations, now }: Pick<Ports, 'accounts' | 'organizations' | 'now'>,
  organizationId: string,
  count: number,
): Promise<{ readonly today: string; readonly months: MonthOfMoney[] }> {
  const organization = await organizations.find(organizationId);
  if (!organization) throw notFoundError('the organisation');
  const today = businessDate(now(), organization.details.timezone);
  const months = lastMonths(today, count);
  const entries = await accounts.moneySince(organizationId, `${months[0]}-01`, MOST_ENTRIES);
  const oldest = entries.length === MOST_ENTRIES ? (entries.at(-1)?.date.slice(0, 7) ?? '') : '';
  const read = months.filter((month) => month > oldest);
  return { today, months: moneyByMonth(read, entries) };
}

/** As many as are shown of each. */
export const firstOf = (documents: readonly ListedInvoice[]): readonly ListedInvoice[] => documents.slice(0, SHOWN);
