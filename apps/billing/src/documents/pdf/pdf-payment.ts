import { asksForMoney } from '../../invoices/invoice';
import { formatDate, formatIban, formatMoney } from '../wording/formats';
import { paidSentence } from '../wording/payment-method';
import { lineHeight } from './pdf-canvas';
import { type PdfPage, SHEET, styles } from './pdf-page';
import { darkRuns, type QrModules } from '../sepa-qr';

const PADDING = 15;
const GAP_ABOVE = 20;
const QR = 92;
const CAPTION = 13;
const LABEL_WIDTH = 84;
const TEXT_WIDTH = SHEET.contentWidth - 2 * PADDING - QR - 20;
const TITLE_HEIGHT = 19;
const titleStyle = { ...styles.strong, size: 10.5, weight: 'bold' } as const;
const valueStyle = { ...styles.strong, tabular: true } as const;

interface Fact {
  readonly label: string;
  readonly value: readonly string[];
  readonly url?: string;
}

const hasPanel = ({ invoice }: PdfPage): boolean => asksForMoney(invoice) || invoice.prepayment !== undefined;

const asksForTransfer = ({ invoice }: PdfPage): boolean => asksForMoney(invoice) && invoice.seller.iban !== '';

/** Space that the payment panel takes; 0 when there was never anything to pay. */
export const paymentHeight = (page: PdfPage): number => (hasPanel(page) ? GAP_ABOVE + panelHeight(page) : 0);

function introOf({ canvas, invoice, words }: PdfPage): string[] {
  if (invoice.prepayment) {
    const paid = paidSentence(invoice.prepayment, invoice.language);
    return canvas.wrap(`${paid}. ${words.nothingLeft}`, styles.figure, TEXT_WIDTH);
  }
  const due = formatDate(invoice.dueDate, invoice.language);
  const amount = formatMoney(invoice.totals.inclCents, invoice.language);
  const sentence = invoice.seller.iban ? words.payBy(amount, due) : `${words.dueOn(due)}.`;
  return canvas.wrap(sentence, styles.figure, TEXT_WIDTH);
}

function factsOf(page: PdfPage): Fact[] {
  const { canvas, invoice, words } = page;
  const { iban, bic, name } = invoice.seller;
  const bank = [
    { label: 'IBAN', text: formatIban(iban) },
    { label: 'BIC', text: bic },
    { label: words.accountHolder, text: name },
    { label: words.reference, text: invoice.number },
  ];
  const url = invoice.publicUrl;
  return [...(asksForTransfer(page) ? bank : []), { label: words.online, text: url, url }]
    .filter(({ text }) => text)
    .map(({ text, ...rest }) => ({ ...rest, value: canvas.wrap(text, valueStyle, TEXT_WIDTH - LABEL_WIDTH) }));
}

function panelHeight(page: PdfPage): number {
  const lines = introOf(page).length + factsOf(page).reduce((sum, { value }) => sum + value.length, 0);
  const text = TITLE_HEIGHT + lines * lineHeight(styles.body) + 8;
  return 2 * PADDING + Math.max(text, asksForTransfer(page) ? QR + CAPTION : 0);
}

/** How to pay: the bank details, the link, a code for the bank app. Or that and how it has been paid. */
export function drawPayment(page: PdfPage, modules: QrModules | null): void {
  if (!hasPanel(page)) return;
  if (page.room < paymentHeight(page)) page.next();
  else page.y += GAP_ABOVE;
  const { canvas, words } = page;
  const height = panelHeight(page);
  canvas.box(SHEET.left, page.y, SHEET.contentWidth, height, page.tint, 8);
  const x = SHEET.left + PADDING;
  const top = page.y + PADDING;
  canvas.line(page.invoice.prepayment ? words.thanks : words.payTitle, x, top - 3, titleStyle);
  let y = canvas.lines(introOf(page), x, top - 3 + TITLE_HEIGHT, styles.figure) + 8;
  for (const { label, value, url } of factsOf(page)) {
    canvas.line(label, x, y, { ...styles.quiet, size: 9 });
    const bottom = canvas.lines(
      value,
      x + LABEL_WIDTH,
      y,
      url ? { ...styles.strong, color: page.accentInk } : valueStyle,
    );
    if (url) canvas.document.link(x + LABEL_WIDTH, y, TEXT_WIDTH - LABEL_WIDTH, bottom - y, url);
    y = bottom;
  }
  if (modules) drawQr(page, modules, SHEET.right - PADDING - QR, page.y + (height - QR - CAPTION) / 2);
  page.y += height;
}

function drawQr({ canvas, words }: PdfPage, modules: QrModules, x: number, y: number): void {
  canvas.box(x, y, QR, QR, '#ffffff', 4);
  // Four light modules around, as readers need.
  const side = QR / (modules.size + 8);
  for (const { row, column, length } of darkRuns(modules))
    canvas.document.rect(x + (column + 4) * side, y + (row + 4) * side, length * side, side);
  canvas.document.fill('#000000');
  canvas.line(words.payWithQr, x + QR / 2, y + QR + 3, styles.small, 'center');
}
