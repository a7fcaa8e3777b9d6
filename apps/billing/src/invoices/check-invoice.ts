import { validationError, type Violation } from '@invoicing/errors';
import { businessDate } from './business-date';
import type { DraftContent } from './draft';
import type { FrozenInvoice, Prepayment, Totals } from './invoice';
import type { Organization } from '../organizations/organization';
import { priceLines, type LineInput } from './price-lines';
import { areUuids } from './price-input';
import { profileOf } from '../organizations/profile';
import { resolveDates } from './document-dates';
import { isLanguage, type Language, LANGUAGES } from './document-language';
import type { Call, Customer, Ports } from './invoice-ports';

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

function languageOf(asked: string | undefined, violations: Violation[]): Language | null {
  if (asked === undefined || isLanguage(asked)) return asked ?? null;
  violations.push({ path: '/language', message: `must be one of ${LANGUAGES.join(', ')}` });
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
