import Table from 'cli-table3';

/** One JSON document for programs; a table or a list of fields for people. */
export function print(value: unknown, json: boolean): void {
  console.log(json ? JSON.stringify(value, null, 2) : forPeople(value));
}

function forPeople(value: unknown): string {
  if (Array.isArray(value)) return rows(value as object[]);
  if (value === null || typeof value !== 'object') return String(value);
  const nested = Object.entries(value).filter(
    ([, each]) => Array.isArray(each) && each.some((item) => typeof item === 'object'),
  );
  const flat = Object.entries(value).filter(([name]) => !nested.some(([other]) => other === name));
  return [
    ...(flat.length > 0 ? [fields(flat)] : []),
    ...nested.map(([name, each]) => `${name}\n${rows(each as object[])}`),
  ].join('\n\n');
}

function fields(entries: readonly (readonly [string, unknown])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, each]) => `${name.padEnd(width)}  ${cell(each)}`).join('\n');
}

function rows(list: readonly object[]): string {
  if (list.length === 0) return '(none)';
  const columns = [...new Set(list.flatMap((each) => Object.keys(each)))];
  const table = new Table({ head: columns, style: { head: ['bold'], border: ['gray'], compact: true } });
  for (const each of list) table.push(columns.map((column) => cell((each as Record<string, unknown>)[column])));
  return table.toString();
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
