import { stringify } from 'csv-stringify/sync';

const BATCH = 200;

/**
 * Comma-separated values by RFC 4180. A text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return,
 * also in their full-width forms) is written with an apostrophe before it; numbers are numbers.
 */
export const csvRows = (rows: readonly (readonly (string | number)[])[]): string =>
  stringify(
    rows.map((row) => [...row]),
    // A lone line feed or carriage return is a line end to many readers: the library quotes the pair only.
    { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ },
  );

/** A table under its head, some rows at a time. */
export async function* csvTable<T>(
  columns: readonly string[],
  all: AsyncIterable<T>,
  rowsOf: (each: T) => readonly (readonly (string | number)[])[],
): AsyncIterable<string> {
  let rows: (readonly (string | number)[])[] = [columns];
  for await (const each of all) {
    rows.push(...rowsOf(each));
    if (rows.length < BATCH) continue;
    yield csvRows(rows);
    rows = [];
  }
  if (rows.length > 0) yield csvRows(rows);
}
