import { formatDate } from '../wording/formats';
import { type PdfPage, SHEET, styles } from './pdf-page';
import { addressLines } from '../wording/party-address';
import { lineHeight } from './pdf-canvas';

const SIDE = 362;
const SIDE_WIDTH = SHEET.right - SIDE;
const BUYER_WIDTH = 270;
const LOGO = { width: 180, height: 54 };

/** Logo or name, both parties, title and dates: the top of the first sheet. */
export function drawHeading(page: PdfPage): void {
  const sideBottom = drawSeller(page);
  const brandBottom = drawBrand(page);
  // 50 mm from the top: the window of a Dutch envelope.
  const buyerBottom = drawBuyer(page, Math.max(141, brandBottom + 26));
  page.y = Math.max(sideBottom, buyerBottom) + 28;
  drawTitle(page);
  drawFacts(page);
}

function drawBrand({ canvas, invoice, accentInk }: PdfPage): number {
  const { logo, profileName } = invoice.style;
  const image = logo && openLogo(canvas.document, logo);
  if (image) {
    const scale = Math.min(LOGO.width / image.width, LOGO.height / image.height);
    canvas.document.image(image as never, SHEET.left, 44, { width: image.width * scale, height: image.height * scale });
    return 44 + image.height * scale;
  }
  const style = { weight: 'bold', size: 17, color: accentInk } as const;
  return canvas.paragraph(profileName || invoice.seller.name, SHEET.left, 42, style, SIDE - SHEET.left - 30);
}

// An issued invoice must always print: a logo that is no readable image makes way for the name.
function openLogo(document: PDFKit.PDFDocument, logo: Uint8Array): { width: number; height: number } | undefined {
  try {
    const internals = document as unknown as { openImage: (bytes: Uint8Array) => { width: number; height: number } };
    const image = internals.openImage(Buffer.from(logo));
    return image.width > 0 && image.height > 0 ? image : undefined;
  } catch {
    return undefined;
  }
}

function drawSeller({ canvas, invoice, words }: PdfPage): number {
  const { seller } = invoice;
  let y = canvas.paragraph(seller.name, SIDE, 42, styles.strong, SIDE_WIDTH) + 2;
  for (const line of addressLines(seller, invoice, invoice.language))
    y = canvas.paragraph(line, SIDE, y, styles.quiet, SIDE_WIDTH);
  y += 6;
  const ids = [
    [words.kvk, seller.kvkNumber],
    [words.vatId, seller.btwId],
    ['', seller.email],
  ].filter(([, value]) => value);
  for (const [label, value] of ids)
    y = canvas.paragraph([label, value].filter(Boolean).join(' '), SIDE, y, styles.quiet, SIDE_WIDTH);
  return y;
}

function drawBuyer({ canvas, invoice, words }: PdfPage, top: number): number {
  const { buyer } = invoice;
  canvas.line(invoice.kind === 'invoice' ? words.billedTo : words.creditedTo, SHEET.left, top, styles.label);
  const name = { ...styles.strong, size: 11 };
  const body = { ...styles.body, size: 9.5 };
  let y = canvas.paragraph(buyer.companyName || buyer.name, SHEET.left, top + 14, name, BUYER_WIDTH);
  const attention = buyer.companyName && buyer.name !== buyer.companyName ? `${words.attention} ${buyer.name}` : '';
  const id = buyer.btwId && `${words.vatId} ${buyer.btwId}`;
  for (const line of [attention, ...addressLines(buyer, invoice, invoice.language)].filter(Boolean))
    y = canvas.paragraph(line, SHEET.left, y, body, BUYER_WIDTH);
  return id ? canvas.paragraph(id, SHEET.left, y + 2, styles.quiet, BUYER_WIDTH) : y;
}

function drawTitle(page: PdfPage): void {
  const { canvas, invoice, words } = page;
  const style = { weight: 'bold', size: 23, color: styles.body.color } as const;
  canvas.line(invoice.kind === 'invoice' ? words.invoice : words.creditNote, SHEET.left - 1, page.y, style);
  page.y += lineHeight(style);
  if (!invoice.credited) return;
  const { number, issueDate } = invoice.credited;
  const origin = words.credits(number, formatDate(issueDate, invoice.language));
  page.y = canvas.paragraph(origin, SHEET.left, page.y, styles.strong, SHEET.contentWidth);
  if (invoice.reason)
    page.y = canvas.paragraph(
      `${words.reason}: ${invoice.reason}`,
      SHEET.left,
      page.y,
      styles.body,
      SHEET.contentWidth,
    );
}

function drawFacts(page: PdfPage): void {
  const { canvas, invoice, words } = page;
  const date = (value: string): string => formatDate(value, invoice.language);
  const facts: [string, string][] =
    invoice.kind === 'invoice'
      ? [
          [words.invoiceNumber, invoice.number],
          [words.issueDate, date(invoice.issueDate)],
          [words.supplyDate, date(invoice.supplyDate)],
          invoice.prepayment
            ? [words.paidLabel, date(invoice.prepayment.date)]
            : [words.dueDate, date(invoice.dueDate)],
        ]
      : [
          [words.creditNoteNumber, invoice.number],
          [words.creditDate, date(invoice.issueDate)],
          [words.supplyDate, date(invoice.supplyDate)],
        ];
  page.y += invoice.credited ? 16 : 8;
  const column = SHEET.contentWidth / 4;
  const bottoms = facts.map(([label, value], index) => {
    const x = SHEET.left + index * column;
    canvas.line(label, x, page.y, styles.label);
    return canvas.paragraph(value, x, page.y + 13, { ...styles.strong, size: 9.5 }, column - 14);
  });
  page.y = Math.max(...bottoms) + 24;
}
