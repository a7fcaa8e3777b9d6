import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'sdk-'));
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: folder, encoding: 'utf8', timeout: 60_000 });

beforeAll(() => {
  mkdirSync(join(folder, 'node_modules/@invoicing'), { recursive: true });
  run(process.execPath, join(root, 'libs/sdk/build.mjs'), join(folder, 'node_modules/@invoicing/sdk'));
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('the package is there for import and for require, with nothing else installed', () => {
  const say = 'console.log(typeof InvoicingClient, typeof verifyWebhook)';
  const names = '{ InvoicingClient, verifyWebhook }';
  writeFileSync(join(folder, 'a.mjs'), `import ${names} from '@invoicing/sdk'; ${say};`);
  writeFileSync(join(folder, 'b.cjs'), `const ${names} = require('@invoicing/sdk'); ${say};`);
  expect(run(process.execPath, 'a.mjs')).toBe('function function\n');
  expect(run(process.execPath, 'b.cjs')).toBe('function function\n');
});

test('its types hold for both, in the strictest resolution', () => {
  const program = `import { InvoicingClient, type Invoice } from '@invoicing/sdk';
export const numbers = async (client: InvoicingClient): Promise<string[]> =>
  (await client.invoices.list()).map((invoice: Invoice) => invoice.number);
// @ts-expect-error a price is in cents, not text
export const wrong = (client: InvoicingClient) => client.products.create({ name: 'x', unitPriceCents: '1' });
`;
  writeFileSync(join(folder, 'c.mts'), program);
  writeFileSync(join(folder, 'd.cts'), program);
  const strict = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext'];
  run(join(root, 'node_modules/.bin/tsc'), ...strict, '--lib', 'es2022,dom', 'c.mts', 'd.cts');
});

test('every sample of the README compiles, in the strictest mode', () => {
  const readme = readFileSync(join(root, 'libs/sdk/README.md'), 'utf8');
  const samples = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, sample]) => sample!);
  expect(samples.length).toBeGreaterThan(5);
  for (const name of ['@types', 'express', 'undici-types'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  const files = samples.map((sample, at) => {
    writeFileSync(join(folder, `sample-${at}.mts`), sample);
    return `sample-${at}.mts`;
  });
  const strict = [
    '--noEmit',
    '--strict',
    '--noUncheckedIndexedAccess',
    '--exactOptionalPropertyTypes',
    '--skipLibCheck',
  ];
  const options = ['--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', 'node'];
  run(join(root, 'node_modules/.bin/tsc'), ...strict, ...options, ...files);
});
