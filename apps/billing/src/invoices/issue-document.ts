import { allValid, faultless, requireValid, validationError, validUnless } from '@invoicing/errors';
import { knownActor, type Actor } from '@invoicing/rules';
import { businessDate, PAYMENT_DAYS } from './business-date';
import type { DraftContent } from './draft';
import { freezeInvoice, type Origin } from './freeze-invoice';
import type { FrozenInvoice, Prepayment } from './invoice';
import { invoiceSealer, type IssuedInvoice, type UnnumberedInvoice } from './issued-invoice';
import { seriesName } from '../numbering/number-format';
import { issuePolicyOf, type Organization } from '../organizations/organization';
import { numberPrinter, profileOf } from '../organizations/profile';
import { issueDateViolations, resolveDates } from './document-dates';
import type { Ports } from '../billing-ports';
import type { Customer, Organizations } from './invoice-ports';

/** How a document is to be issued. */
export interface IssueWishes {
  readonly email: boolean;
  readonly prepayment?: Omit<Prepayment, 'date'> | undefined;
  /** Its issue date comes from a schedule and not from a caller. */
  readonly scheduled?: boolean | undefined;
}

const LESS_THAN_NOTHING = 'add up to less than nothing: issue a credit note for the invoice that is to be corrected';

/** Freezes both parties, lines and style as they are now. Throws `validation` when dates, the total or the wanted
 * e-invoice do not fit. */
export function prepareInvoice(
  ports: Pick<Ports, 'documents' | 'now' | 'publicUrl'>,
  organization: Organization,
  content: DraftContent,
  customer: Customer,
  origin: Origin,
  wishes: IssueWishes,
): UnnumberedInvoice {
  const profile = profileOf(organization, content.profileId);
  if (!profile) throw validationError([{ path: '/profileId', message: 'is not a profile of this organisation' }]);
  const issuedAt = ports.now(organization._id);
  const today = businessDate(issuedAt, organization.details.timezone);
  // What is paid has no term: it is due, if at all, on the day of issue.
  const datedBy = content.issueDate === null ? 'today' : wishes.scheduled ? 'schedule' : 'caller';
  const resolved = resolveDates(content, today, wishes.prepayment ? 0 : PAYMENT_DAYS);
  const { dates } = requireValid(
    allValid({
      dates: resolved.violations
        ? resolved
        : validUnless(
            issueDateViolations(resolved.value.issueDate, datedBy, today, issuePolicyOf(organization)),
            () => resolved.value,
          ),
      totals: faultless(content.totals, '/lines', content.totals.inclCents < 0 ? LESS_THAN_NOTHING : undefined),
    }),
  );
  const unnumbered = freezeInvoice({
    organization,
    profile,
    customer: customer.party,
    vatCheck: customer.vatCheck,
    language: customer.language,
    // Of who stands for the customer now: the one that was named may have been merged.
    content: { ...content, customerId: customer.id },
    dates,
    origin,
    delivery: { email: wishes.email && customer.party.email !== '', post: content.post },
    prepayment: wishes.prepayment,
    publicUrl: ports.publicUrl,
    issuedAt,
  });
  if (content.requireEInvoice) {
    // Before a number is given: what makes no valid e-invoice takes none. Any number stands for the one to come.
    const faults = ports.documents.eInvoiceViolations(frozenOf({ ...unnumbered, number: '1' }, null));
    if (faults.length > 0) throw validationError(faults);
  }
  return unnumbered;
}

/**
 * Gives a document its number and inserts it; the same id again answers the document that is there. The first of a series fixes how its
 * numbers look, before it is numbered. Who issues it is kept with it.
 */
export async function issueDocument(
  { numbering, organizations }: { numbering: Ports['numbering']; organizations: Pick<Organizations, 'openSeries'> },
  unnumbered: UnnumberedInvoice,
  organization: Organization,
  by: Actor,
): Promise<IssuedInvoice> {
  const { profileId, kind } = unnumbered;
  const year = unnumbered.issueDate.slice(0, 4);
  const series = seriesName(profileId, kind, year);
  const isOpen = organization.openedSeries?.includes(series);
  const fixed = isOpen ? organization : await organizations.openSeries(organization._id, series);
  const numberOf = numberPrinter(profileOf(fixed, profileId), kind, year);
  return numbering(unnumbered.organizationId).issue(
    series,
    unnumbered._id,
    invoiceSealer({ ...unnumbered, issuedBy: knownActor(by) }, series, numberOf),
  );
}

/** The number that the document would get if it were issued now. It is not taken. */
export async function candidateNumber(
  { numbering }: Pick<Ports, 'numbering'>,
  { organizationId, profileId, kind, issueDate }: UnnumberedInvoice,
  organization: Organization,
): Promise<string> {
  const year = issueDate.slice(0, 4);
  const numberOf = numberPrinter(profileOf(organization, profileId), kind, year);
  return numberOf(await numbering(organizationId).next(seriesName(profileId, kind, year)));
}

/** The frozen part as documents are made from it. */
export function frozenOf(
  { _id, style: { logoId: _, ...style }, ...invoice }: UnnumberedInvoice & { readonly number: string },
  logo: Uint8Array | null,
): FrozenInvoice {
  return { ...invoice, id: _id, style: { ...style, logo } };
}
