import type { Fonts, Weight } from './pdf-fonts';
import { printable } from './printable';

export interface TextStyle {
  readonly weight: Weight;
  /** Points. */
  readonly size: number;
  readonly color: string;
  /** Digits of one width, so that amounts line up. */
  readonly tabular?: boolean;
}

/** Height of a line of text of this size, in points. */
export const lineHeight = ({ size }: TextStyle): number => size * 1.45;

// Whatever may stay together on a line: a run of spaces, or a word up to its space, hyphen or slash.
const TOKEN = / +|[^ \-/]*[-/]+|[^ \-/]+/g;

/** Text and shapes at exact places of a pdfkit document; y is the top of a line. */
export class PdfCanvas {
  private readonly texts = new Map<string, string>();

  constructor(
    readonly document: PDFKit.PDFDocument,
    private readonly fonts: Fonts,
  ) {
    for (const [weight, font] of Object.entries(fonts)) document.registerFont(weight, font as never);
  }

  width(text: string, style: TextStyle): number {
    return this.measure(this.drawable(text), style);
  }

  /** The lines that the text takes in this width; a word that is too wide is broken. */
  wrap(text: string, style: TextStyle, width: number): string[] {
    return this.drawable(text)
      .split('\n')
      .flatMap((paragraph) => this.wrapParagraph(paragraph, style, width));
  }

  /** One line. `align: 'right'` ends it at x. Answers its width. */
  line(text: string, x: number, y: number, style: TextStyle, align: 'left' | 'right' | 'center' = 'left'): number {
    const drawn = this.drawable(text);
    if (!drawn) return 0;
    const width = this.measure(drawn, style);
    const start = x - (align === 'right' ? width : align === 'center' ? width / 2 : 0);
    const baseline = y + lineHeight(style) / 2 + style.size * 0.36;
    const options = { lineBreak: false, baseline: 'alphabetic', textWidth: width, wordCount: 0 };
    this.document
      .fillColor(style.color)
      .text(drawn, start, baseline, { ...options, ...features(style) } as PDFKit.Mixins.TextOptions);
    return width;
  }

  /** Lines below each other; answers the y below the last. */
  lines(texts: readonly string[], x: number, y: number, style: TextStyle): number {
    texts.forEach((text, index) => this.line(text, x, y + index * lineHeight(style), style));
    return y + texts.length * lineHeight(style);
  }

  /** Wrapped text; answers the y below it. */
  paragraph(text: string, x: number, y: number, style: TextStyle, width: number): number {
    return this.lines(this.wrap(text, style, width), x, y, style);
  }

  rule(x: number, y: number, width: number, color: string, thickness = 0.6): void {
    this.box(x, y - thickness / 2, width, thickness, color);
  }

  box(x: number, y: number, width: number, height: number, color: string, radius = 0): void {
    if (radius) this.document.roundedRect(x, y, width, height, radius).fill(color);
    else this.document.rect(x, y, width, height).fill(color);
  }

  private drawable(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    const drawn = printable(text, (codePoint) => this.fonts.regular.hasGlyphForCodePoint(codePoint));
    this.texts.set(text, drawn);
    return drawn;
  }

  private measure(drawn: string, style: TextStyle): number {
    return this.document.font(style.weight, style.size).widthOfString(drawn, features(style));
  }

  private wrapParagraph(paragraph: string, style: TextStyle, width: number): string[] {
    const lines: string[] = [];
    let line = '';
    let used = 0;
    const close = (): void => {
      lines.push(line.trimEnd());
      line = '';
      used = 0;
    };
    for (const token of paragraph.match(TOKEN) ?? []) {
      const wide = this.measure(token, style);
      if (line && used + this.measure(token.trimEnd(), style) > width) close();
      if (!line && !token.trim()) continue;
      if (wide <= width) {
        line += token;
        used += wide;
        continue;
      }
      for (const character of token) {
        const one = this.measure(character, style);
        if (line && used + one > width) close();
        line += character;
        used += one;
      }
    }
    close();
    return lines;
  }
}

// Contextual alternates move hyphens and colons between digits; amounts want plain tabular figures.
const features = ({ tabular }: TextStyle): { features?: PDFKit.Mixins.OpenTypeFeatures[] } =>
  tabular ? { features: ['tnum'] } : {};
