import type { FrozenInvoice } from '../../invoices/invoice';
import { accentOf, mix, readableOn } from '../wording/accent-color';
import { lineHeight, type PdfCanvas, type TextStyle } from './pdf-canvas';
import { type Wording, WORDING } from '../wording/wording';

const INK = '#111827';
const GREY = '#6b7280';
const MAX_FOOTER_LINES = 4;

/** A4 in points. */
export const SHEET = { width: 595.28, height: 841.89, left: 52, right: 543.28, contentWidth: 491.28 } as const;

export const styles = {
  body: { weight: 'regular', size: 9, color: INK },
  strong: { weight: 'medium', size: 9, color: INK },
  figure: { weight: 'regular', size: 9, color: INK, tabular: true },
  strongFigure: { weight: 'medium', size: 9, color: INK, tabular: true },
  quiet: { weight: 'regular', size: 8.5, color: GREY },
  label: { weight: 'medium', size: 7.5, color: GREY },
  small: { weight: 'regular', size: 7.5, color: GREY },
} as const satisfies Record<string, TextStyle>;

/** The sheet that is being filled: colours, words, where the next thing goes, and how to start another sheet. */
export class PdfPage {
  /** Top of what comes next. */
  y = 0;
  readonly words: Wording;
  readonly accent: string;
  readonly accentInk: string;
  readonly tint: string;
  readonly hairline = '#e5e7eb';
  /** Where content ends above the footer. */
  readonly bottom: number;
  private readonly footer: readonly string[];

  constructor(
    readonly canvas: PdfCanvas,
    readonly invoice: FrozenInvoice,
    readonly title: string,
  ) {
    this.words = WORDING[invoice.language];
    this.accent = accentOf(invoice.style.accentColor);
    this.accentInk = readableOn('#ffffff', this.accent);
    this.tint = mix(this.accent, '#ffffff', 0.07);
    const lines = canvas.wrap(invoice.style.footer, styles.small, SHEET.contentWidth - 70);
    const kept = lines.slice(0, MAX_FOOTER_LINES);
    if (kept.length < lines.length) kept[kept.length - 1] = `${kept.at(-1)?.slice(0, -1)}…`;
    this.footer = kept.some(Boolean) ? kept : [];
    this.bottom = this.footerTop - 16;
    this.strip();
  }

  /** Room left on this sheet. */
  get room(): number {
    return this.bottom - this.y;
  }

  /** Another sheet, with a short heading that says what it belongs to. */
  next(): void {
    const { canvas, invoice } = this;
    canvas.document.addPage();
    this.strip();
    const [name = ''] = canvas.wrap(invoice.style.profileName || invoice.seller.name, styles.quiet, 260);
    canvas.line(name, SHEET.left, 36, styles.quiet);
    canvas.line(this.title, SHEET.right, 36, styles.quiet, 'right');
    this.y = 72;
  }

  /** Footer and "1/3" on every sheet; call it once, at the end. */
  finish(): void {
    const { canvas } = this;
    const { start, count } = canvas.document.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      canvas.document.switchToPage(start + page);
      canvas.lines(this.footer, SHEET.left, this.footerTop, styles.small);
      const number = this.words.page(page + 1, count);
      canvas.line(number, SHEET.right, this.lastFooterLine, { ...styles.small, tabular: true }, 'right');
    }
  }

  private get lastFooterLine(): number {
    return SHEET.height - 36 - lineHeight(styles.small);
  }

  private get footerTop(): number {
    return this.lastFooterLine - (Math.max(this.footer.length, 1) - 1) * lineHeight(styles.small);
  }

  private strip(): void {
    this.canvas.box(0, 0, SHEET.width, 5, this.accent);
  }
}
