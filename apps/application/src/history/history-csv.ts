/** One row of a CSV file (RFC 4180). */
export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`;

/**
 * A cell that no spreadsheet takes for a formula: what begins as one gets an apostrophe (OWASP, CSV injection), everything is quoted.
 */
export function csvCell(text: string): string {
  const safe = /^\s*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
