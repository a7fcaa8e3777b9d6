/** Why a text cannot be kept. */
export type TextFault = 'too_long' | 'unprintable';

/** What a text may be. */
export interface TextLimits {
  /** Most characters, counted as people do: an emoji of one code point is one. */
  readonly max: number;
  /** Whether tabs and line breaks are allowed, as in a description. */
  readonly multiline?: boolean;
}

// Control characters, what XML 1.0 cannot carry and half characters would break mail headers, PDFs and e-invoices.
const UNPRINTABLE = /[\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/u;
const LINE_SEPARATORS = /[\p{Zl}\p{Zp}]/u;
const LINE_BREAKS = /[\t\n\r]/g;

/** Why a text does not fit, or undefined. */
export function textFault(text: string, { max, multiline = false }: TextLimits): TextFault | undefined {
  if (text.length > max && [...text].length > max) return 'too_long';
  return isPrintable(text, multiline) ? undefined : 'unprintable';
}

/** Whether a text can stand on paper, in an XML document and (on one line) in a mail header. */
export const isPrintable = (text: string, multiline = false): boolean =>
  multiline ? !UNPRINTABLE.test(text.replace(LINE_BREAKS, '')) : !UNPRINTABLE.test(text) && !LINE_SEPARATORS.test(text);

/** Why a text does not fit, as a sentence for a caller, or undefined. */
export function textMessage(text: string, limits: TextLimits): string | undefined {
  const fault = textFault(text, limits);
  if (fault === undefined) return undefined;
  return fault === 'too_long' ? `must be at most ${limits.max} characters` : 'must not contain control characters';
}
