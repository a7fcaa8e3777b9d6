// `npm run stryker [-- text…]`: Stryker on the rules of the domain, which do no I/O, with the specs beside them: its score, and which changes
// no spec notices. Takes files whose name has one of the texts, else all of the list. Works in a scratch copy; Stryker itself is fetched by
// npx, so that nobody installs it who does not ask for it. Not in CI.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const VERSION = '9.5.1';
const OUTSIDE = new Set(['node_modules', '.git', '.nx', 'dist', '.data']);
const BILLING = 'apps/billing/src';
/** A file of rules, and the names of the specs that hold it. */
const RULES = {
  [`${BILLING}/invoices/totals.ts`]: ['totals', 'rounded-once', 'inclusive-amounts'],
  [`${BILLING}/account/open-amount.ts`]: ['open-amount'],
  [`${BILLING}/reminders/collection-costs.ts`]: ['claim'],
  [`${BILLING}/reminders/statutory-interest.ts`]: ['claim'],
  [`${BILLING}/reminders/reminder-plan.ts`]: ['claim'],
  [`${BILLING}/numbering/number-format.ts`]: ['number-format'],
  [`${BILLING}/vat-return/vat-line.ts`]: ['vat-line'],
  [`${BILLING}/vat-return/tax-period.ts`]: ['tax-period'],
  [`${BILLING}/bank-statements/payer-name.ts`]: ['match-line'],
  [`${BILLING}/bank-statements/match-line.ts`]: ['match-line'],
  [`${BILLING}/subscriptions/recurrence.ts`]: ['recurrence'],
};

const asked = process.argv.slice(2);
const files = Object.keys(RULES).filter((file) => asked.length === 0 || asked.some((text) => file.includes(text)));
if (files.length === 0) {
  console.error(`no file of the list has that in its name; there are:\n${Object.keys(RULES).join('\n')}`);
  process.exit(1);
}
const specs = [...new Set(files.flatMap((file) => RULES[file]))].map((name) => `**/${name}.spec.ts`);
const copy = mkdtempSync(join(tmpdir(), 'stryker-'));
try {
  cpSync(ROOT, copy, { recursive: true, filter: (from) => !OUTSIDE.has(basename(from)) || dirname(from) !== ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(
    join(copy, 'jest.stryker.cjs'),
    `const billing = require('./jest.config.js').projects.find(({ displayName }) => displayName === 'billing');
module.exports = { ...billing, testMatch: ${JSON.stringify(specs)} };\n`,
  );
  const config = {
    ...{
      testRunner: 'jest',
      plugins: ['@stryker-mutator/jest-runner'],
      coverageAnalysis: 'perTest',
      ignoreStatic: true,
    },
    ...{ mutate: files, inPlace: true, concurrency: 1, timeoutMS: 60_000, reporters: ['clear-text'] },
    jest: { configFile: 'jest.stryker.cjs', enableFindRelatedTests: false },
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  };
  writeFileSync(join(copy, 'stryker.config.json'), JSON.stringify(config));
  const packages = ['core', 'jest-runner'].flatMap((name) => ['-p', `@stryker-mutator/${name}@${VERSION}`]);
  const { status } = spawnSync('npx', ['--yes', ...packages, 'stryker', 'run'], { cwd: copy, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}
