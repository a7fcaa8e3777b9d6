import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadFileDescriptorSetFromBuffer } from '@grpc/proto-loader';
import { descriptorSet } from '@invoicing/contracts/descriptor-set';
import { methodsOfTable } from './access-table';

test('every method of the contract is in the table', () => {
  const contract = Object.values(loadFileDescriptorSetFromBuffer(descriptorSet)).flatMap((each) =>
    Object.values(each).flatMap((method) =>
      typeof method === 'object' && 'path' in method && typeof method.path === 'string' ? [method.path] : [],
    ),
  );
  expect(contract.length).toBeGreaterThan(50);
  expect(methodsOfTable.map(({ path }) => path).sort()).toEqual(contract.sort());
});

test('platform billing grants credits and does nothing else', () => {
  const open = methodsOfTable.filter(({ callers }) => callers.includes('platform-billing'));
  expect(open.map(({ path }) => path)).toEqual(['/invoicing.billing.v1.Credits/GrantCredits']);
});

test('docs/security.md shows this table', () => {
  const page = readFileSync(join(__dirname, '../../../docs/security.md'), 'utf8');
  const shown = page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    .filter(([, method]) => /^\w+\.v1\.\w+\/\w+$/.test(method ?? ''))
    .map((cells) => cells.slice(1, -1).join(' | '));
  const held = methodsOfTable.map(({ path, callers }) => `${path.replace('/invoicing.', '')} | ${callers.join(', ')}`);
  expect(shown).toEqual(held);
});
