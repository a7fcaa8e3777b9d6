import fc from 'fast-check';
import { csvRows } from './csv';

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1', '－1'])('%j is no formula', (text) => {
  const row = csvRows([[text]]);
  const cell = row.replace(/^"/, '');
  expect(cell.startsWith(`'`)).toBe(true);
});

test('a number below 0 stays a number', () => expect(csvRows([[-12.1]])).toBe('-12.1\r\n'));

test('commas, quotes and line ends are quoted, and read back as they were (RFC 4180)', () => {
  expect(csvRows([['a,b', 'say "hi"', 'two\nlines']])).toBe('"a,b","say ""hi""","two\nlines"\r\n');
});

test('whatever a text says, no cell of it begins a formula, and the row has as many cells as it had', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 5 }), (texts) => {
      const cells = readRow(csvRows([texts]));
      expect(cells.length).toBe(texts.length);
      for (const cell of cells) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      cells.forEach((cell, index) => expect([texts[index], `'${texts[index]}`]).toContain(cell));
    }),
  );
});

/** One row, read as RFC 4180 says. */
function readRow(row: string): string[] {
  const cells: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",]*))(,|\r\n$)/gsu;
  for (const [, quoted, bare] of row.matchAll(pattern)) cells.push(quoted?.replaceAll('""', '"') ?? bare ?? '');
  return cells;
}
