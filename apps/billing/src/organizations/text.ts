// Characters that XML 1.0 cannot carry would make the e-invoice unreadable; line breaks are for descriptions only.
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;
const LINE_BREAKS = /[\t\n\r]/;

/** Why a text cannot be printed, or undefined. Length counts characters as people do: an emoji of one code point is one. */
export function textFault(text: string, options: { max: number; multiline?: boolean }): string | undefined {
  if (text.length > options.max && [...text].length > options.max) return `must be at most ${options.max} characters`;
  if (FORBIDDEN.test(text) || (!options.multiline && LINE_BREAKS.test(text))) return 'has control characters';
  return undefined;
}
