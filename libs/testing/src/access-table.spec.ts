import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { descriptorSet } from '@invoicing/contracts/descriptor-set';
import { actions, mayDo, roles } from '@invoicing/rules';
import { methodsOfTable } from './access-table';

test('every method of the contract is in the table', () => {
  const contract = Object.values(loadFileDescriptorSetFromBuffer(descriptorSet)).flatMap((each) =>
    Object.values(each).flatMap((method) =>
      typeof method === 'object' && 'path' in method && String(method.path).startsWith('/invoicing.')
        ? [method.path]
        : [],
    ),
  );
  expect(contract.length).toBeGreaterThan(50);
  expect(methodsOfTable.map(({ path }) => path).sort()).toEqual(contract.sort());
});

test('platform billing grants credits and does nothing else', () => {
  const open = methodsOfTable.filter(({ callers }) => callers.includes('platform-billing'));
  expect(open.map(({ path }) => path)).toEqual(['/invoicing.billing.v1.Credits/GrantCredits']);
});

test('whatever the application may call it calls for a person, but for becoming one by mail, and creating an organisation', () => {
  const without = methodsOfTable.filter(({ callers, action }) => callers.includes('application') && !action);
  expect(without.map(({ path }) => path)).toEqual([
    '/invoicing.billing.v1.Organizations/CreateOrganization',
    '/invoicing.notification.v1.Mail/SendSignIn',
  ]);
});

// `UPDATE_DOCS=1 npx jest libs/testing/src/access-table.spec.ts && npx prettier --write docs/security.md` writes the page anew.
describe('docs/security.md shows', () => {
  const PAGE = join(__dirname, '../../../docs/security.md');

  /** Holds the rows of the page whose first cell looks like `first` against what they must be. */
  function expectRows(first: RegExp, rows: readonly (readonly string[])[]): void {
    const page = readFileSync(PAGE, 'utf8');
    const lines = page.split('\n');
    const isRow = (line: string): boolean => first.test(cellsOf(line)[0] ?? '');
    if (process.env['UPDATE_DOCS']) {
      const at = lines.findIndex(isRow);
      const others = lines.filter((line) => !isRow(line));
      others.splice(at, 0, ...rows.map((cells) => `| ${cells.join(' | ')} |`));
      writeFileSync(PAGE, others.join('\n'));
    } else expect(lines.filter(isRow).map(cellsOf)).toEqual(rows);
  }

  const cellsOf = (line: string): string[] =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());

  test('who may call what', () =>
    expectRows(
      /^`\w+\.v1\.\w+\/\w+`$/,
      methodsOfTable.map(({ path, callers, action }) => [
        `\`${path.replace('/invoicing.', '')}\``,
        callers.join(', '),
        action ? `\`${action}\`` : '',
      ]),
    ));

  test('what each role may do', () =>
    expectRows(
      /^`[a-z]+\.[a-z]+`$/,
      actions.map((action) => [`\`${action}\``, ...roles.map((role) => (mayDo(role, action) ? 'yes' : ''))]),
    ));
});
