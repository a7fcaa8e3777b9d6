import type { FrozenInvoice, Line } from '../../invoices/invoice';
import { breather } from './yield-to-requests';
import { formatMoney, formatQuantity } from '../wording/formats';
import { lineHeight, type PdfCanvas } from './pdf-canvas';
import { type PdfPage, SHEET, styles } from './pdf-page';
import { vatLabel } from '../wording/vat-wording';

const GAP = 18;
const PADDING = 5.5;
const HEAD_HEIGHT = 22;
const MIN_DESCRIPTION = 130;

interface Row {
  readonly description: readonly string[];
  /** Quantity, price, VAT, amount. */
  readonly cells: readonly string[];
}

interface Columns {
  /** Right edges of the four columns of figures. */
  readonly edges: readonly number[];
  readonly descriptionWidth: number;
}

/**
 * The table of lines. It breaks over sheets with its heading repeated, breaks inside a row only when the row is
 * taller than what a sheet can hold, and keeps the last two rows with the totals (`closingHeight`) that follow.
 */
export async function drawLines(page: PdfPage, closingHeight: number): Promise<void> {
  const { canvas, invoice } = page;
  const figures = invoice.lines.map((line) => cellsOf(line, invoice));
  const columns = fitColumns(canvas, page, figures);
  const breathe = breather();
  const rows: Row[] = [];
  for (const [index, { description }] of invoice.lines.entries()) {
    await breathe();
    const wrapped = canvas.wrap(description, styles.body, columns.descriptionWidth);
    rows.push({ description: wrapped, cells: figures[index]! });
  }
  drawHead(page, columns);
  for (const [index, row] of rows.entries()) {
    await breathe();
    const isTail = index === rows.length - 2 || rows.length === 1;
    const kept = isTail ? tailHeight(rows.slice(index)) + closingHeight : heightOf(row);
    const freshRoom = page.bottom - 72 - HEAD_HEIGHT;
    const wanted = kept <= freshRoom ? kept : heightOf(row);
    if (wanted > page.room && (wanted <= freshRoom || page.room < 80)) nextSheet(page, columns);
    drawRow(page, columns, row);
  }
}

const heightOf = (row: Row): number => row.description.length * lineHeight(styles.body) + 2 * PADDING;
const tailHeight = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + heightOf(row), 0);

const cellsOf = (line: Line, { language }: FrozenInvoice): string[] => [
  [formatQuantity(line.quantity, language), line.unit].filter(Boolean).join('\u00a0'),
  formatMoney(line.unitPriceCents, language),
  vatLabel(line.vatTreatment, language),
  formatMoney(line.netCents, language),
];

const headings = ({ words }: PdfPage): string[] => [words.quantity, words.unitPrice, words.vat, words.amount];

function fitColumns(canvas: PdfCanvas, page: PdfPage, figures: readonly (readonly string[])[]): Columns {
  const widths = headings(page).map((heading, column) =>
    figures.reduce(
      (widest, cells) => Math.max(widest, canvas.width(cells[column]!, styles.figure)),
      canvas.width(heading, styles.label),
    ),
  );
  const wanted = widths.reduce((sum, width) => sum + width + GAP, 0);
  const squeeze = Math.min(1, (SHEET.contentWidth - MIN_DESCRIPTION) / wanted);
  const edges = widths.map((_, column) => SHEET.right - sum(widths.slice(column + 1)) * squeeze);
  return { edges, descriptionWidth: SHEET.contentWidth - wanted * squeeze };
}

const sum = (widths: readonly number[]): number => widths.reduce((total, width) => total + width + GAP, 0);

function nextSheet(page: PdfPage, columns: Columns): void {
  page.next();
  drawHead(page, columns);
}

function drawHead(page: PdfPage, { edges }: Columns): void {
  const { canvas, words } = page;
  canvas.line(words.description, SHEET.left, page.y, styles.label);
  headings(page).forEach((heading, column) => canvas.line(heading, edges[column]!, page.y, styles.label, 'right'));
  page.y += HEAD_HEIGHT - 5;
  canvas.rule(SHEET.left, page.y, SHEET.contentWidth, page.accent, 1);
  page.y += 5;
}

function drawRow(page: PdfPage, columns: Columns, row: Row): void {
  const { canvas } = page;
  const step = lineHeight(styles.body);
  page.y += PADDING;
  row.description.forEach((line, index) => {
    if (page.room < step) nextSheet(page, columns);
    canvas.line(line, SHEET.left, page.y, styles.body);
    // After the text, so that a screen reader hears what the figures are of.
    if (index === 0)
      row.cells.forEach((cell, column) => canvas.line(cell, columns.edges[column]!, page.y, styles.figure, 'right'));
    page.y += step;
  });
  page.y += PADDING;
  canvas.rule(SHEET.left, page.y, SHEET.contentWidth, page.hairline);
}
