import { allValid, faultless, refused, valid, type Checked } from '@invoicing/errors';
import { DOCUMENT_TEXT_LIMITS, textMessage } from '@invoicing/rules';
import { dateFault } from './business-date';
import type { Period } from './invoice';

/** What a document says beside its parties, lines and dates. Null, or absent on what was stored before they were kept: not said. */
export interface DocumentTerms {
  /** All unit prices of the document include VAT. */
  readonly pricesIncludeVat?: boolean | null;
  /** The buyer's own (BT-13, BT-10). */
  readonly reference?: string | null;
  readonly note?: string | null;
  /** YYYY-MM-DD (BT-72). */
  readonly supplyDate?: string | null;
  /** Instead of a supply date (BG-14). */
  readonly period?: Period | null;
}

/** The terms as a caller says them; empty texts say nothing. */
export type DocumentTermsInput = { readonly [K in keyof DocumentTerms]?: DocumentTerms[K] | undefined };

/** The terms in stored form, each there. */
export function checkTerms(input: DocumentTermsInput): Checked<Required<DocumentTerms>> {
  return allValid({
    pricesIncludeVat: valid(input.pricesIncludeVat ?? false),
    reference: textOf(input.reference, '/reference', { max: DOCUMENT_TEXT_LIMITS.reference }),
    note: textOf(input.note, '/note', { max: DOCUMENT_TEXT_LIMITS.note, multiline: true }),
    supplyDate: supplyDateOf(input),
    period: periodOf(input.period),
  });
}

function textOf(
  text: string | null | undefined,
  path: string,
  limits: { max: number; multiline?: boolean },
): Checked<string | null> {
  const said = text?.trim();
  return said ? faultless(said, path, textMessage(said, limits)) : valid(null);
}

function supplyDateOf({ supplyDate, period }: DocumentTermsInput): Checked<string | null> {
  if (!supplyDate) return valid(null);
  return faultless(supplyDate, '/supplyDate', period ? 'goes without a period' : dateFault(supplyDate));
}

function periodOf(period: Period | null | undefined): Checked<Period | null> {
  if (!period) return valid(null);
  const { from, to } = period;
  const dates = allValid({
    from: faultless(from, '/period/from', dateFault(from)),
    to: faultless(to, '/period/to', dateFault(to)),
  });
  if (dates.violations) return dates;
  return from <= to
    ? valid({ from, to })
    : refused({ path: '/period/to', message: 'must not be before its first day' });
}

/** Those that say something: an issued document carries no others, so that it is sealed as it always was. */
export const termsSaid = ({ pricesIncludeVat, reference, note, period }: DocumentTerms) => ({
  ...(pricesIncludeVat && { pricesIncludeVat: true as const }),
  ...(reference && { reference }),
  ...(note && { note }),
  ...(period && { period }),
});
