import { formatMoney, formatQuantity, formatRate } from '@invoicing/design';
import { vatLabel, vatNotes } from '../wording/vat-wording';
import { WORDING } from '../wording/wording';
import type { FrozenInvoice, Line } from '../../invoices/invoice';
import { widthAtMost } from './text-width';

export interface LinesView {
  /** Description first, then the columns of figures. */
  readonly headings: readonly string[];
  /** Per column of figures the texts of which one is the widest: the template gives it that width. */
  readonly widest: readonly (readonly string[])[];
  readonly rows: readonly {
    readonly cells: readonly string[];
    /** In em, when the description surely fits in so much; null when only setting it tells. */
    readonly width: number | null;
  }[];
  /** What the law wants said of the treatments in these lines. */
  readonly notes: readonly string[];
}

const CANDIDATES = 4;

/** The table of lines: what was supplied, how much of it, at what price and under which VAT. */
export function linesOf(invoice: FrozenInvoice): LinesView {
  const { lines, language, pricesIncludeVat } = invoice;
  const words = WORDING[language];
  const hasDiscounts = lines.some(({ discountBps }) => discountBps);
  const headings = [
    words.description,
    words.quantity,
    pricesIncludeVat ? words.unitPriceIncl : words.unitPrice,
    ...(hasDiscounts ? [words.discount] : []),
    words.vat,
    pricesIncludeVat ? words.amountIncl : words.amount,
  ];
  const rows = lines.map((line) => ({
    cells: cellsOf(line, invoice, hasDiscounts),
    width: widthAtMost(line.description),
  }));
  const columns = headings.slice(1).map((heading, at) => [heading, ...rows.map(({ cells }) => cells[at + 1]!)]);
  return { headings, widest: columns.map(longest), rows, notes: vatNotes(invoice) };
}

function cellsOf(line: Line, { language, pricesIncludeVat }: FrozenInvoice, hasDiscounts: boolean): string[] {
  const amount = pricesIncludeVat ? (line.grossCents ?? line.netCents) : line.netCents;
  return [
    line.description,
    [formatQuantity(line.quantity, language), line.unit].filter(Boolean).join('\u00a0'),
    formatMoney(line.unitPriceCents, language),
    ...(hasDiscounts ? [line.discountBps ? `−${formatRate(line.discountBps, language)}` : ''] : []),
    vatLabel(line.vatTreatment, language),
    formatMoney(amount, language),
  ];
}

/** The few texts among which the widest is: digits have one width, so length decides but for the last letters. */
const longest = (texts: readonly string[]): string[] =>
  [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, CANDIDATES);
