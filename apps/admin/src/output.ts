import { styleText } from 'node:util';
import Table from 'cli-table3';

// When nobody says how wide the terminal is.
const DEFAULT_WIDTH = 160;

/** Whether a stream shows colours: a terminal that nobody asked to do without (https://no-color.org). */
export const hasColor = ({ isTTY }: { readonly isTTY?: boolean }): boolean =>
  isTTY === true && !process.env['NO_COLOR'];

/** One JSON document for programs; a table or a list of fields for people. */
export function print(value: unknown, json: boolean): void {
  console.log(json ? JSON.stringify(value, null, 2) : textOf(value));
}

/** A table or a list of fields. */
export function textOf(value: unknown): string {
  if (Array.isArray(value)) return rows(value);
  if (value === null || typeof value !== 'object') return cell(value);
  return fields(Object.entries(value));
}

/** A table for a list of documents, a line each for a list of words. */
function rows(list: readonly unknown[]): string {
  if (list.length === 0) return '(none)';
  if (list.some((each) => typeof each !== 'object')) return list.map((each) => cell(each)).join('\n');
  const documents = list as readonly Record<string, unknown>[];
  const columns = [...new Set(documents.flatMap((each) => Object.keys(each)))];
  const colAligns = columns.map((column) => (isMoney(column) ? 'right' : 'left') as 'right' | 'left');
  const table = new Table({ head: columns.map(headOf), colAligns, style: { head: [], border: [], compact: true } });
  for (const each of documents) table.push(columns.map((column) => cell(each[column], column)));
  const drawn = table.toString();
  // What would wrap is easier to read as one block a document.
  const isTooWide = drawn.indexOf('\n') > (process.stdout.columns ?? DEFAULT_WIDTH);
  return isTooWide ? documents.map((each) => fields(Object.entries(each))).join('\n\n') : drawn;
}

/** `name  value` lines; what has parts of its own comes indented below its name. */
function fields(entries: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...entries.map(([name]) => labelOf(name).length));
  return entries
    .map(([name, each]) => {
      const label = labelOf(name);
      if (hasParts(each)) return `${strong(label)}\n${indent(textOf(each))}`;
      return `${strong(label)}${' '.repeat(width - label.length)}  ${cell(each, name)}`;
    })
    .join('\n');
}

const hasParts = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== null && typeof value === 'object' && !(value instanceof Date);

const indent = (text: string): string => text.replace(/^/gm, '  ');

const isMoney = (name: string): boolean => name.endsWith('Cents');
const labelOf = (name: string): string => (isMoney(name) ? name.slice(0, -'Cents'.length) : name);
const strong = (text: string): string => (hasColor(process.stdout) ? styleText('bold', text) : text);
const headOf = (name: string): string => strong(labelOf(name));

const EUROS = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });

/** `€1,234.56` */
export const euros = (cents: number): string => EUROS.format(cents / 100);

function cell(value: unknown, name = ''): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' && isMoney(name)) return euros(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.length === 0) return '(none)';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
