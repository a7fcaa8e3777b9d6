import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptSince, retention } from './retention';

// `UPDATE_DOCS=1 npx jest libs/rules/src/retention.spec.ts && npx prettier --write docs/retention.md` writes the page anew.

const ROOT = join(__dirname, '../../..');
const PAGE = join(ROOT, 'docs/retention.md');

const cellsOf = (line: string): string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const wanted = Object.values(retention).map((rule) => [
  `\`${rule.data}\``,
  'what' in rule ? rule.what : '',
  typeof rule.kept === 'number' ? `${rule.kept} days` : rule.kept,
  'from' in rule ? rule.from : '',
  rule.because,
]);

test('docs/retention.md shows the table', () => {
  const lines = readFileSync(PAGE, 'utf8').split('\n');
  const head = lines.findIndex((line) => cellsOf(line)[0] === 'Data');
  const end = head + 2 + lines.slice(head + 2).findIndex((line) => !line.startsWith('|'));
  if (process.env['UPDATE_DOCS']) {
    const rows = wanted.map((cells) => `| ${cells.join(' | ')} |`);
    writeFileSync(PAGE, [...lines.slice(0, head + 2), ...rows, ...lines.slice(end)].join('\n'));
  } else expect(lines.slice(head + 2, end).map(cellsOf)).toEqual(wanted);
});

test('every collection of every service has its row, and no row is of a collection that is gone', () => {
  const apps = join(ROOT, 'apps');
  const declared = readdirSync(apps, { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/src\/.*-(store|rpc)\.ts$|sandbox-payment\.ts$/.test(file))
    .flatMap((file) =>
      [...readFileSync(join(apps, file), 'utf8').matchAll(/declareCollection<[^(]+>\(\s*'(\w+)'/g)].map(
        ([, name]) => `${file.split('/')[0]}.${name}`,
      ),
    );
  expect(declared.length).toBeGreaterThan(20);
  // Declared in libs/mongo; read by a migration only.
  const others = ['billing.payments'];
  const rows: string[] = Object.values(retention).map(({ data }) => data);
  const collections = rows.filter((data) => /^[a-z]+\.[a-z_]+$/.test(data));
  expect([...new Set(collections)].sort()).toEqual([...new Set([...declared, ...others])].sort());
});

test('days are counted back from now', () => {
  expect(keptSince('mails', new Date('2026-12-31T12:00:00Z'))).toEqual(new Date('2025-12-31T12:00:00Z'));
});
