import { createHash } from 'node:crypto';
import { notFoundError, validationError, type Violation } from '@invoicing/errors';
import type { ClosedPeriod } from '../closed-periods/closed-period';
import { addDays, businessDate, dateFault } from '../invoices/business-date';
import { sellerOf } from '../invoices/freeze-invoice';
import { issuePolicyOf, type Organization } from '../organizations/organization';
import { auditFile, type AuditFileHead, type AuditFileVersion } from './audit-file';
import { journalsOf } from './bookings';
import { documentsZip } from './documents-zip';
import type { Days, ExportPorts } from './export-ports';
import { journalCsv } from './journal-csv';
import { vatCsv } from './vat-csv';

/** What the file is; audit files in their version. */
export type ExportAs =
  { readonly kind: 'xaf'; readonly version: AuditFileVersion } | { readonly kind: 'csv' | 'documents' | 'vat' };

export interface ExportSummary {
  readonly count: number;
  readonly bytes: number;
  /** Of the whole file, hex. */
  readonly sha256: string;
  /** All of it lies in a closed period. */
  readonly closed: boolean;
  /** Whether it is the file whose checksum was kept at the closing of exactly these days. */
  readonly asClosed?: boolean;
}

type Part = { readonly content: Uint8Array } | { readonly summary: ExportSummary };

const PART_BYTES = 64 * 1024;
const MOST_DAYS = 3_660;
const END_OF_TIME = new Date(8.64e15);
// The one that closing keeps the checksum of.
export const CLOSING_FORMAT = { kind: 'xaf', version: '4.0' } as const;

/**
 * The books of some days as a file, part by part as its reader takes them; the summary comes last. Of a closed period the same bytes every
 * time. Throws `not_found`, `validation` (the days) or `unavailable` (the books changed meanwhile).
 */
export async function* exportBooks(
  ports: ExportPorts,
  organizationId: string,
  days: Days,
  as: ExportAs,
): AsyncIterable<Part> {
  checkDays(days);
  const organization = await ports.organizations.find(organizationId);
  if (!organization) throw notFoundError('the organisation');
  const { closedUntil } = issuePolicyOf(organization);
  const closed = closedUntil !== null && days.to <= closedUntil;
  const closing = closed ? await ports.closedPeriods.covering(organizationId, days) : null;
  for await (const part of fileOf(ports, organization, days, as, closing)) {
    if ('content' in part) yield part;
    else yield { summary: { ...part, closed, ...comparedToClosing(part, days, as, closing) } };
  }
}

/** What a file came to. */
export type FileSums = Pick<ExportSummary, 'count' | 'bytes' | 'sha256'>;

/** The file itself, then what it came to. */
export async function* fileOf(
  ports: ExportPorts,
  organization: Organization,
  days: Days,
  as: ExportAs,
  closing: Pick<ClosedPeriod, 'seller' | 'closedOn'> | null,
): AsyncIterable<{ readonly content: Uint8Array } | FileSums> {
  const hash = createHash('sha256');
  let bytes = 0;
  let count = 0;
  for await (const content of inParts(contentOf(ports, organization, days, as, closing, () => (count += 1)))) {
    hash.update(content);
    bytes += content.length;
    yield { content };
  }
  yield { count, bytes, sha256: hash.digest('hex') };
}

function comparedToClosing(
  { sha256 }: FileSums,
  days: Days,
  as: ExportAs,
  closing: ClosedPeriod | null,
): Pick<ExportSummary, 'asClosed'> {
  const isKept = closing?.from === days.from && closing.to === days.to && isClosingFormat(as);
  return isKept ? { asClosed: closing.sha256 === sha256 } : {};
}

function contentOf(
  ports: ExportPorts,
  organization: Organization,
  days: Days,
  as: ExportAs,
  closing: Pick<ClosedPeriod, 'seller' | 'closedOn'> | null,
  onCounted: () => void,
): AsyncIterable<string | Uint8Array> {
  const { books } = ports;
  const { _id: organizationId } = organization;
  const now = ports.now(organizationId);
  // A test organisation's clock may have been ahead: what was made then counts.
  const asOf = organization.mode === 'test' ? END_OF_TIME : now;
  if (as.kind === 'documents') return documentsZip(ports, organizationId, days, asOf, onCounted);
  if (as.kind === 'vat') return vatCsv(books, organizationId, days, asOf, onCounted);
  const journals = journalsOf(books, organizationId, days, asOf);
  if (as.kind === 'xaf') return auditFile(as.version, headOf(organization, days, closing, now), journals, onCounted);
  return journalCsv(journals, onCounted);
}

/** As it was when the days were closed; today where they are open. Days closed without a period say the day after them. */
function headOf(
  organization: Organization,
  days: Days,
  closing: Pick<ClosedPeriod, 'seller' | 'closedOn'> | null,
  now: Date,
): AuditFileHead {
  if (closing) return { ...days, seller: closing.seller, createdOn: closing.closedOn };
  const { closedUntil } = issuePolicyOf(organization);
  const isClosed = closedUntil !== null && days.to <= closedUntil;
  const createdOn = isClosed ? addDays(days.to, 1) : businessDate(now, organization.details.timezone);
  return { ...days, seller: sellerOf(organization), createdOn };
}

const isClosingFormat = (as: ExportAs): boolean => as.kind === 'xaf' && as.version === CLOSING_FORMAT.version;

/** Throws `validation`, everything that is wrong with the days at once. */
export function checkDays({ from, to }: Days): void {
  const faults = { '/from': dateFault(from), '/to': dateFault(to) };
  const violations: Violation[] = Object.entries(faults).flatMap(([path, message]) =>
    message ? { path, message } : [],
  );
  if (violations.length === 0 && to < from)
    violations.push({ path: '/to', message: 'must not be before the first day' });
  if (violations.length === 0 && to > addDays(from, MOST_DAYS))
    violations.push({ path: '/to', message: `must be at most ${MOST_DAYS} days after the first` });
  if (violations.length > 0) throw validationError(violations);
}

/** The same bytes in parts of one size, the last one but for. */
async function* inParts(content: AsyncIterable<string | Uint8Array>): AsyncIterable<Uint8Array> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const each of content) {
    const bytes = typeof each === 'string' ? Buffer.from(each) : Buffer.from(each.buffer, each.byteOffset, each.length);
    held.push(bytes);
    size += bytes.length;
    if (size < PART_BYTES) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; all.length - at >= PART_BYTES; at += PART_BYTES) yield all.subarray(at, at + PART_BYTES);
    held = [all.subarray(at)];
    size = all.length - at;
  }
  if (size > 0) yield Buffer.concat(held);
}
