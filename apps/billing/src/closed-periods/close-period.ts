import { v5 as uuidv5 } from 'uuid';
import { AppError, notFoundError, validationError } from '@invoicing/errors';
import { textMessage } from '@invoicing/rules';
import type { Days, ExportPorts } from '../exports/export-ports';
import { checkDays, CLOSING_FORMAT, fileOf, type FileSums } from '../exports/export-books';
import { addDays, businessDate } from '../invoices/business-date';
import { sellerOf } from '../invoices/freeze-invoice';
import { actorOfCall, type Call, type RecordedAs } from '../invoices/invoice-ports';
import { updateOrganization, type OrganizationPorts } from '../organizations/manage-organizations';
import { issuePolicyOf, type Organization } from '../organizations/organization';
import type { ClosedPeriod } from './closed-period';

export type PeriodPorts = ExportPorts & OrganizationPorts;

export interface PeriodClosed {
  readonly period: ClosedPeriod;
  /** Drafts that are dated in it: nobody is kept from closing by them. */
  readonly draftIds: readonly string[];
}

// Ours alone.
const NAMESPACE = '0f1d4d0a-64a5-5f3f-9a43-2a7a52f0c6d1';
const MAX_REASON = 500;

/**
 * Locks the books until the last of these days, then keeps the checksum of their audit file. In this order: what the checksum is of can no
 * longer change. Whoever dies between the two closes again. Throws `not_found`, `validation` (not over yet) or `revision_conflict`.
 */
export async function closePeriod(
  ports: PeriodPorts,
  organizationId: string,
  days: Days,
  call: Call,
): Promise<PeriodClosed> {
  checkDays(days);
  const seen = await organizationOf(ports, organizationId);
  const now = ports.now(organizationId);
  const today = businessDate(now, seen.details.timezone);
  if (days.to >= today) throw validationError([{ path: '/to', message: `must be before today, ${today}` }]);
  const draftIds = await ports.books.draftsDated(organizationId, days);
  const id = uuidv5(`${organizationId} ${days.from} ${days.to}`, NAMESPACE);
  const earlier = await ports.closedPeriods.find(organizationId, id);
  const organization = isLocked(seen, days.to) ? seen : await lockUntil(ports, organizationId, days.to, call);
  if (earlier?.reopenedBecause === null) return { period: earlier, draftIds };
  const closing = { seller: sellerOf(organization), closedOn: today };
  const { sha256, count } = await sumsOf(ports, organization, days, closing);
  const by = actorOfCall(call);
  const said = { ...closing, closedAt: now, closedBy: by, sha256, count, reopenedBecause: null };
  const period: ClosedPeriod = { _id: id, organizationId, ...days, ...said };
  const as = recordedAs(period, call, 'period.closed');
  const { closedPeriods } = ports;
  return {
    period: earlier ? await closedPeriods.change(earlier, said, as) : await closedPeriods.insert(period, as),
    draftIds,
  };
}

/**
 * Opens the last closed period again, for a reason that stays with it: the books are then closed until the day before it. Throws `not_found`,
 * `validation`, or `blocked` when it is not the last one.
 */
export async function reopenPeriod(
  ports: PeriodPorts,
  organizationId: string,
  periodId: string,
  reason: string,
  call: Call,
): Promise<ClosedPeriod> {
  const fault = reason.trim() === '' ? 'is required' : textMessage(reason, { max: MAX_REASON, multiline: true });
  if (fault) throw validationError([{ path: '/reason', message: fault }]);
  const period = await ports.closedPeriods.find(organizationId, periodId);
  if (!period) throw notFoundError('the period');
  if (period.reopenedBecause !== null) return period;
  const { closedUntil } = issuePolicyOf(await organizationOf(ports, organizationId));
  if (closedUntil !== null && closedUntil > period.to)
    throw new AppError(
      'blocked',
      'not_last_period',
      `the books are closed until ${closedUntil}: open what was closed last first`,
    );
  const as = recordedAs(period, call, 'period.reopened');
  const reopened = await ports.closedPeriods.change(period, { reopenedBecause: reason }, as);
  if (closedUntil === period.to) await lockUntil(ports, organizationId, addDays(period.from, -1), call);
  return reopened;
}

const isLocked = (organization: Organization, day: string): boolean => {
  const { closedUntil } = issuePolicyOf(organization);
  return closedUntil !== null && day <= closedUntil;
};

const lockUntil = (
  ports: PeriodPorts,
  organizationId: string,
  closedUntil: string,
  call: Call,
): Promise<Organization> =>
  updateOrganization(ports, organizationId, { details: {}, issuePolicy: { closedUntil } }, call);

async function sumsOf(
  ports: ExportPorts,
  organization: Organization,
  days: Days,
  closing: Pick<ClosedPeriod, 'seller' | 'closedOn'>,
): Promise<FileSums> {
  let sums: FileSums = { count: 0, bytes: 0, sha256: '' };
  for await (const part of fileOf(ports, organization, days, CLOSING_FORMAT, closing)) {
    if (!('content' in part)) sums = part;
  }
  return sums;
}

async function organizationOf(
  { organizations }: Pick<ExportPorts, 'organizations'>,
  id: string,
): Promise<Organization> {
  const found = await organizations.find(id);
  if (!found) throw notFoundError('the organisation');
  return found;
}

const recordedAs = ({ _id, from, to, sha256 }: ClosedPeriod, call: Call, action: string): RecordedAs => ({
  by: actorOfCall(call),
  action,
  subject: { kind: 'period', id: _id, label: `${from} to ${to}, sha256 ${sha256}` },
  fields: [],
});
