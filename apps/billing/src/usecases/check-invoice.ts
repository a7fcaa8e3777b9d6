import { AppError, validationError, type Violation } from '@invoicing/errors';
import { addDays, businessDate, dateFault, PAYMENT_DAYS } from '../domain/business-date';
import type { DraftContent } from '../domain/draft';
import { DEFAULT_NUMBER_FORMAT } from '../domain/number-format';
import type { FrozenInvoice, Prepayment, Totals } from '../domain/invoice';
import type { Organization, Profile } from '../domain/organization';
import { priceLines, type LineInput } from '../domain/price-lines';
import type { Call, Customer, Ports } from './ports';

/** What a caller asks to be invoiced. */
export interface InvoiceInput {
  readonly customerId: string;
  readonly lines: readonly LineInput[];
  readonly issueDate?: string | undefined;
  readonly dueDate?: string | undefined;
  readonly profileId?: string | undefined;
  readonly post?: boolean | undefined;
  readonly checkoutId?: string | undefined;
  readonly requireEInvoice?: boolean | undefined;
  /** Of the document; absent: from the customer's country. */
  readonly language?: string | undefined;
  /** What paid it before it is issued. */
  readonly prepayment?: Omit<Prepayment, 'date'> | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const areUuids = (ids: readonly (string | undefined)[]): string[] => [
  ...new Set(ids.filter((id): id is string => id !== undefined && UUID.test(id))),
];

/**
 * Checks every id, date and line of an input in one batched call to the catalog; throws `validation` with all faults at once.
 * An id of another organisation looks exactly like one that does not exist.
 */
export async function checkInvoice(
  { catalog, now }: Pick<Ports, 'catalog' | 'now'>,
  organization: Organization,
  input: InvoiceInput,
  call: Call,
): Promise<{ content: DraftContent; customer: Customer }> {
  const violations: Violation[] = [];
  const { customers, products } = await catalog.resolve(
    organization._id,
    { customerIds: areUuids([input.customerId]), productIds: areUuids(input.lines.map((line) => line.productId)) },
    call,
  );
  const customer = customers.get(input.customerId);
  if (!customer) violations.push({ path: '/customerId', message: 'is not a customer of this organisation' });
  const profile = profileOf(organization, input.profileId);
  if (!profile) violations.push({ path: '/profileId', message: 'is not a profile of this organisation' });
  const today = businessDate(now(), organization.details.timezone);
  resolveDates({ issueDate: input.issueDate ?? null, dueDate: input.dueDate ?? null }, today, violations);
  const language = languageOf(input.language, violations);
  const { lines, totals } = priceLines(input.lines, products, violations);
  // Totals of lines that do not fit say nothing.
  if (input.prepayment && violations.length === 0) checkPrepayment(input.prepayment, totals, violations);
  if (violations.length > 0 || !customer || !profile) throw validationError(violations);
  return {
    customer,
    content: {
      profileId: profile.id,
      customerId: customer.id,
      lines,
      totals,
      issueDate: input.issueDate ?? null,
      dueDate: input.dueDate ?? null,
      post: input.post ?? false,
      checkoutId: input.checkoutId ?? null,
      requireEInvoice: input.requireEInvoice ?? false,
      language,
    },
  };
}

/** Fills lines in and adds them up; stores nothing. */
export async function pricedLines(
  { catalog }: Pick<Ports, 'catalog'>,
  organizationId: string,
  inputs: readonly LineInput[],
  call: Call,
) {
  const productIds = areUuids(inputs.map((line) => line.productId));
  const products =
    productIds.length > 0
      ? (await catalog.resolve(organizationId, { customerIds: [], productIds }, call)).products
      : new Map();
  const violations: Violation[] = [];
  const priced = priceLines(inputs, products, violations);
  if (violations.length > 0) throw validationError(violations);
  return priced;
}

function languageOf(asked: string | undefined, violations: Violation[]): FrozenInvoice['language'] | null {
  if (asked === undefined || asked === 'nl' || asked === 'en') return asked ?? null;
  violations.push({ path: '/language', message: 'must be nl or en' });
  return null;
}

function checkPrepayment(
  { provider, id, amountCents }: Omit<Prepayment, 'date'>,
  { inclCents }: Totals,
  violations: Violation[],
): void {
  if (provider === '' || id === '') {
    violations.push({ path: '/prepayment/id', message: 'provider and id are required' });
  }
  if (amountCents !== inclCents || amountCents <= 0) {
    const message = inclCents > 0 ? `must be ${inclCents}` : 'there is nothing to pay';
    violations.push({ path: '/prepayment/amountCents', message });
  }
}

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

/** The named profile of the organisation, or its default. */
export const profileOf = (organization: Organization, profileId: string | undefined): Profile | undefined =>
  profileId === undefined ? organization.profiles[0] : organization.profiles.find(({ id }) => id === profileId);

/** How the numbers of a profile look; the profile is known to be there. */
export const numberFormatOf = (organization: Organization, profileId: string): string =>
  profileOf(organization, profileId)?.numberFormat ?? DEFAULT_NUMBER_FORMAT;

/** Sending is blocked in arrears, unless a payer has paid for it already; drafts still work. */
export function assertMaySend(organization: Organization, checkoutId: string | null): void {
  if (organization.billingStatus === 'arrears' && checkoutId === null) {
    throw new AppError(
      'blocked',
      'billing_readonly',
      'the organisation is in arrears: sending is blocked, drafts work',
    );
  }
}
