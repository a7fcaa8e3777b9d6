import { amountDueCents } from '../../invoices/invoice';
import { formatMoney } from '../wording/formats';
import { lineHeight } from './pdf-canvas';
import { type PdfPage, SHEET, styles } from './pdf-page';
import { vatLabel, vatNotes } from '../wording/vat-wording';

const TOTALS_LEFT = 333;
const VAT_WIDTH = 246;
const STEP = 17;

/** The sentences under the figures. */
function notesOf({ invoice, words, canvas }: PdfPage): string[] {
  const { kind, totals } = invoice;
  const settle = kind === 'credit_note' ? words.refund : totals.inclCents === 0 ? words.nothingToPay : '';
  return [...vatNotes(invoice), settle]
    .filter(Boolean)
    .flatMap((note) => canvas.wrap(note, styles.body, SHEET.contentWidth));
}

/** Height of what `drawTotals` draws, in points. */
export const totalsHeight = (page: PdfPage): number => {
  const notes = notesOf(page).length;
  const tables = Math.max(STEP * (page.invoice.totals.groups.length + 1), STEP * sumsOf(page).length + 48);
  return 20 + tables + (notes ? 14 + notes * lineHeight(styles.body) : 0);
};

/** What leads to the last sum, line by line. */
function sumsOf({ invoice, words }: PdfPage): (readonly [label: string, cents: number])[] {
  const { totals, prepayment } = invoice;
  const taxed = [
    [words.totalExcl, totals.exclCents],
    [words.totalVat, totals.vatCents],
  ] as const;
  if (!prepayment) return [...taxed];
  return [...taxed, [words.totalIncl, totals.inclCents], [words.statusPaid, -prepayment.amountCents]];
}

/** VAT per rate on the left, sums on the right, legal wording below. */
export function drawTotals(page: PdfPage): void {
  if (page.room < totalsHeight(page)) page.next();
  const top = page.y + 20;
  page.y = Math.max(drawVatTable(page, top), drawSums(page, top));
  const notes = notesOf(page);
  if (notes.length) page.y = page.canvas.lines(notes, SHEET.left, page.y + 14, styles.body);
}

function drawVatTable({ canvas, words, invoice, hairline }: PdfPage, top: number): number {
  const { language, totals } = invoice;
  const vat = SHEET.left + VAT_WIDTH;
  const widest = Math.max(
    ...totals.groups.map(({ vatCents }) => canvas.width(formatMoney(vatCents, language), styles.figure)),
  );
  const base = vat - Math.max(widest + 14, 78);
  canvas.line(words.vatTable, SHEET.left, top, styles.label);
  canvas.line(words.base, base, top, styles.label, 'right');
  canvas.line(words.vat, vat, top, styles.label, 'right');
  let y = top + STEP - 2;
  for (const group of totals.groups) {
    canvas.rule(SHEET.left, y, VAT_WIDTH, hairline);
    canvas.line(vatLabel(group.vatTreatment, language), SHEET.left, y + 2, styles.body);
    canvas.line(formatMoney(group.baseCents, language), base, y + 2, styles.figure, 'right');
    canvas.line(formatMoney(group.vatCents, language), vat, y + 2, styles.figure, 'right');
    y += STEP;
  }
  return y;
}

function drawSums(page: PdfPage, top: number): number {
  const { canvas, words, invoice, accentInk, accent } = page;
  const { language, totals, kind } = invoice;
  const sums = sumsOf(page);
  sums.forEach(([label, cents], index) => {
    canvas.line(label, TOTALS_LEFT, top - 1 + index * STEP, styles.body);
    canvas.line(formatMoney(cents, language), SHEET.right, top - 1 + index * STEP, styles.figure, 'right');
  });
  const y = top + sums.length * STEP + 5;
  canvas.rule(TOTALS_LEFT, y, SHEET.right - TOTALS_LEFT, accent, 1);
  const label = kind === 'credit_note' ? words.totalCredit : totals.inclCents > 0 ? words.toPay : words.totalIncl;
  canvas.line(label, TOTALS_LEFT, y + 12, { ...styles.strong, size: 10.5 });
  const text = formatMoney(amountDueCents(invoice), language);
  const amount = { weight: 'bold', size: text.length > 16 ? 10.5 : 15, color: accentInk, tabular: true } as const;
  canvas.line(text, SHEET.right, y + 19.4 - lineHeight(amount) / 2, amount, 'right');
  return y + 38;
}
