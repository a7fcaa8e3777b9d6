import { allValid, refused, valid, validUnless, type Checked, type Violation } from '@invoicing/errors';
import { businessDate } from './business-date';
import { checkTerms, type DocumentTermsInput } from './document-terms';
import type { DraftContent } from './draft';
import type { Prepayment, Totals } from './invoice';
import type { Organization } from '../organizations/organization';
import { priceLines, type LineInput } from './price-lines';
import { areUuids } from './price-input';
import { profileOf } from '../organizations/profile';
import { resolveDates } from './document-dates';
import { isLanguage, type Language, LANGUAGES } from '@invoicing/design';
import type { Ports } from '../billing-ports';
import type { Call, Customer } from './invoice-ports';

/** What a caller asks to be invoiced. */
export interface InvoiceInput extends DocumentTermsInput {
  readonly customerId: string;
  readonly lines: readonly LineInput[];
  readonly issueDate?: string | undefined;
  readonly dueDate?: string | undefined;
  readonly profileId?: string | undefined;
  readonly post?: boolean | undefined;
  readonly checkoutId?: string | undefined;
  readonly requireEInvoice?: boolean | undefined;
  /** Of the document; absent: the customer's, else of their country. */
  readonly language?: string | undefined;
  /** Its issue date comes from a schedule and not from a caller. */
  readonly scheduled?: boolean | undefined;
  /** What paid it before it is issued. */
  readonly prepayment?: Omit<Prepayment, 'date'> | undefined;
}

/** An input that may become a draft, and whom it is for. */
export interface CheckedInvoice {
  readonly content: DraftContent;
  readonly customer: Customer;
}

/**
 * Checks every id, date and line of an input in one batched call to the catalog. An id of another organisation looks exactly like one
 * that does not exist.
 */
export async function checkInvoice(
  { catalog, now }: Pick<Ports, 'catalog' | 'now'>,
  organization: Organization,
  input: InvoiceInput,
  call: Call,
): Promise<Checked<CheckedInvoice>> {
  const { customers, products } = await catalog.resolve(
    organization._id,
    { customerIds: areUuids([input.customerId]), productIds: areUuids(input.lines.map((line) => line.productId)) },
    call,
  );
  const given = { issueDate: input.issueDate ?? null, dueDate: input.dueDate ?? null };
  const checked = allValid({
    customer: found(customers.get(input.customerId), '/customerId', 'is not a customer of this organisation'),
    profile: found(profileOf(organization, input.profileId), '/profileId', 'is not a profile of this organisation'),
    dates: resolveDates(given, businessDate(now(organization._id), organization.details.timezone)),
    language: languageOf(input.language),
    terms: checkTerms(input),
    priced: priceLines(input.lines, products, input.pricesIncludeVat ?? false),
  });
  if (checked.violations) return checked;
  const { customer, profile, language, terms, priced } = checked.value;
  const { lines, totals, roundingTrace } = priced;
  return validUnless(input.prepayment ? prepaymentViolations(input.prepayment, totals) : [], () => ({
    customer,
    content: {
      profileId: profile.id,
      customerId: customer.id,
      lines,
      totals,
      roundingTrace,
      ...terms,
      ...given,
      post: input.post ?? false,
      checkoutId: input.checkoutId ?? null,
      requireEInvoice: input.requireEInvoice ?? false,
      language,
    },
  }));
}

const found = <T>(value: T | undefined, path: string, message: string): Checked<T> =>
  value === undefined ? refused({ path, message }) : valid(value);

function languageOf(asked: string | undefined): Checked<Language | null> {
  if (asked === undefined || isLanguage(asked)) return valid(asked ?? null);
  return refused({ path: '/language', message: `must be one of ${LANGUAGES.join(', ')}` });
}

function prepaymentViolations(
  { provider, id, amountCents }: Omit<Prepayment, 'date'>,
  { inclCents }: Totals,
): Violation[] {
  const isNamed = provider !== '' && id !== '';
  const fits = amountCents === inclCents && amountCents > 0;
  const message = inclCents > 0 ? `must be ${inclCents}` : 'there is nothing to pay';
  return [
    ...(isNamed ? [] : [{ path: '/prepayment/id', message: 'provider and id are required' }]),
    ...(fits ? [] : [{ path: '/prepayment/amountCents', message }]),
  ];
}
