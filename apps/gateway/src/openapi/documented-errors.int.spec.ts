import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { httpStatusOfCode, publicErrorCodes } from '@invoicing/errors';

const PAGE = resolve(__dirname, '../../../../docs/errors.md');

test('the page of errors has a section for every code with its status, in the catalogue order, and no other', () => {
  const sections = [...readFileSync(PAGE, 'utf8').matchAll(/^## `(\w+)`\n\n\*\*(\d{3})\.\*\* /gm)];
  const listed = sections.map(([, code, status]) => `${code} ${status}`);
  expect(listed).toEqual(publicErrorCodes.map((code) => `${code} ${httpStatusOfCode(code)}`));
});
