import { eurosOf } from '../documents/e-invoice/e-invoice';
import { vatLines, type VatLine } from '../vat-return/vat-line';
import { csvTable } from './csv';
import type { Books, Days } from './export-ports';

const COLUMNS = [
  ...['box', 'number', 'kind', 'issue_date', 'customer_id', 'customer', 'country', 'vat_id'],
  ...['vat_treatment', 'vat_percent', 'base', 'vat', 'icp', 'oss', 'warnings'],
];

/** The list behind the VAT figures of some days; a credit note's amounts are below 0. */
export async function* vatCsv(
  books: Books,
  organizationId: string,
  days: Days,
  asOf: Date,
  onLine: () => void,
): AsyncIterable<string> {
  yield* csvTable(COLUMNS, books.documents(organizationId, days, asOf), (document) =>
    vatLines(document).map((line) => {
      onLine();
      return rowOf(line);
    }),
  );
}

const rowOf = ({ document, box, vatTreatment, rateBps, baseCents, vatCents, supply, oss, warnings }: VatLine) => [
  ...[box, document.number, document.kind, document.issueDate, document.customerId],
  ...[document.buyer.companyName || document.buyer.name, document.buyer.countryCode, document.buyer.btwId],
  // Numbers: what is below 0 is no formula.
  ...[vatTreatment, eurosOf(rateBps), baseCents / 100, vatCents / 100],
  ...[supply ?? '', oss ? 'oss' : '', warnings.map(({ code }) => code).join(' ')],
];
