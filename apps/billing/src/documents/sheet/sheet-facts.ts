import { formatDate, formatPeriod } from '@invoicing/design';
import { WORDING } from '../wording/wording';
import type { SheetSource } from './sheet-source';
import { asksToPay } from './sheet-state';

export type FactsView = readonly { readonly label: string; readonly value: string }[];

/** Numbers and dates under the heading, and what a credit note is about. */
export function factsOf(source: SheetSource): { facts: FactsView; origin: readonly string[] } {
  const { invoice } = source;
  const { language, credited, reason } = invoice;
  const words = WORDING[language];
  const isInvoice = invoice.kind === 'invoice';
  const date = (day: string): string => formatDate(day, language);
  const facts = [
    { label: isInvoice ? words.invoiceNumber : words.creditNoteNumber, value: invoice.number },
    { label: isInvoice ? words.issueDate : words.creditDate, value: date(invoice.issueDate) },
    suppliedOf(source),
    isInvoice && settledOf(source),
    { label: words.buyerReference, value: invoice.reference ?? '' },
  ];
  return {
    facts: facts.filter((fact): fact is FactsView[number] => Boolean(fact && fact.value)),
    origin: credited
      ? [words.credits(credited.number, date(credited.issueDate)), reason && `${words.reason}: ${reason}`].filter(
          Boolean,
        )
      : [],
  };
}

/** Article 226(7): only when it differs from the day of issue. */
function suppliedOf({ invoice }: SheetSource): FactsView[number] | false {
  const { language, period, supplyDate, issueDate } = invoice;
  const words = WORDING[language];
  const date = (day: string): string => formatDate(day, language);
  if (period) return { label: words.period, value: formatPeriod(period.from, period.to, language) };
  return supplyDate !== issueDate && { label: words.supplyDate, value: supplyDate && date(supplyDate) };
}

function settledOf(source: SheetSource): FactsView[number] {
  const { language, prepayment, dueDate } = source.invoice;
  const words = WORDING[language];
  // What was paid before and charged back since is due again.
  return prepayment && !asksToPay(source)
    ? { label: words.paidLabel, value: formatDate(prepayment.date, language) }
    : { label: words.dueDate, value: formatDate(dueDate, language) };
}
