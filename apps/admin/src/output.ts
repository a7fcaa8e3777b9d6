import Table from 'cli-table3';

// When nobody says how wide the terminal is.
const DEFAULT_WIDTH = 160;

/** One JSON document for programs; a table or a list of fields for people. */
export function print(value: unknown, json: boolean): void {
  console.log(json ? JSON.stringify(value, null, 2) : forPeople(value));
}

function forPeople(value: unknown): string {
  if (Array.isArray(value)) return rows(value);
  if (value === null || typeof value !== 'object') return cell(value);
  return fields(Object.entries(value));
}

/** A table for a list of documents, a line each for a list of words. */
function rows(list: readonly unknown[]): string {
  if (list.length === 0) return '(none)';
  if (list.some((each) => typeof each !== 'object')) return list.map(cell).join('\n');
  const documents = list as readonly Record<string, unknown>[];
  const columns = [...new Set(documents.flatMap((each) => Object.keys(each)))];
  const table = new Table({ head: columns, style: { head: [], border: [], compact: true } });
  for (const each of documents) table.push(columns.map((column) => cell(each[column])));
  const drawn = table.toString();
  // What would wrap is easier to read as one block a document.
  const isTooWide = drawn.indexOf('\n') > (process.stdout.columns ?? DEFAULT_WIDTH);
  return isTooWide ? documents.map((each) => fields(Object.entries(each))).join('\n\n') : drawn;
}

/** `name  value` lines; what has parts of its own comes indented below its name. */
function fields(entries: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, each]) =>
      hasParts(each) ? `${name}\n${indent(forPeople(each))}` : `${name.padEnd(width)}  ${cell(each)}`,
    )
    .join('\n');
}

const hasParts = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && typeof value === 'object' && !(value instanceof Date);

const indent = (text: string): string => text.replace(/^/gm, '  ');

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
