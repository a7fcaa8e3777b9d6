import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { httpStatusOfCode, publicErrorCodes } from '@invoicing/errors';

const PAGE = resolve(__dirname, '../../../../docs/idempotency-and-errors.md');

test('the page of errors lists every code, each with its status, and no other', () => {
  const rows = [...readFileSync(PAGE, 'utf8').matchAll(/^\| (\d{3}) +\| `(\w+)` +\|/gm)];
  const listed = rows.map(([, status, code]) => `${code} ${status}`).sort();
  expect(listed).toEqual(publicErrorCodes.map((code) => `${code} ${httpStatusOfCode(code)}`).sort());
});
