// `npm run conformance -- mongodb://…`: what the platform asks of a MongoDB, tried on that one: the conformance suite, MongoDB's own
// specification tests, and the patterns that the platform depends on. Writes only to databases of its own, and ends with one table.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Table from 'cli-table3';

const [uri] = process.argv.slice(2);
if (!/^mongodb(\+srv)?:\/\//.test(uri ?? '')) {
  console.error('Needs the connection string of a MongoDB with a user that may create and drop databases:');
  console.error('  npm run conformance -- "mongodb://user:password@host/?replicaSet=rs0"');
  console.error('A store of `npm start` is at `mongodbUri` in DATA_DIR/platform.json.');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
const resultFile = join(folder, 'jest.json');
const verdictFile = join(folder, 'verdicts.json');
const jest = ['libs/embedded-mongo/src/conformance', '--runInBand', '--silent', '--json', `--outputFile=${resultFile}`];
spawnSync(join('node_modules', '.bin', 'jest'), jest, {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, MONGODB_URI: uri, CONFORMANCE_FILE: verdictFile },
});
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined);
const [results, verdicts] = [read(resultFile), read(verdictFile)];
rmSync(folder, { recursive: true });
if (!results) {
  console.error('the tests did not run');
  process.exit(1);
}

/** One entry for each test: which part of the table it belongs to, its name, and what became of it. */
const entries = results.testResults
  .filter(({ name }) => !name.endsWith('specifications.int.spec.ts'))
  .flatMap(({ name, message, assertionResults }) => {
    const part = basename(name, '.int.spec.ts');
    const of = (title, result) => ({
      part: part === 'patterns' ? "the platform's patterns" : `suite: ${part}`,
      name: title,
      result,
    });
    if (assertionResults.length === 0) return [{ ...of(message.split('\n')[0], 'failed') }];
    return assertionResults.map(({ fullName, status, failureMessages }) => ({
      ...of(fullName, { passed: 'passed', failed: 'failed' }[status] ?? 'skipped'),
      reason: failureMessages?.[0]?.split('\n')[0],
    }));
  });
for (const { suite, name, result, reason } of verdicts ?? [])
  entries.push({ part: `specification: ${suite}`, name, result, reason });

const count = (part, result) => entries.filter((each) => each.part === part && each.result === result).length;
const verdictOf = (part) =>
  count(part, 'failed') > 0 ? 'differs' : count(part, 'passed') > 0 ? 'as expected' : 'nothing could be tried';
const table = new Table({ head: ['', 'passed', 'failed', 'skipped', 'verdict'], style: { head: [], border: [] } });
for (const part of new Set(entries.map((each) => each.part)))
  table.push([part, ...['passed', 'failed', 'skipped'].map((result) => count(part, result)), verdictOf(part)]);
if (!verdicts)
  table.push(["MongoDB's specification tests", '', '', '', 'SKIPPED: they could not be fetched, see above']);

for (const { part, name, reason } of entries.filter(({ result }) => result === 'failed'))
  console.log(`failed ${part}: ${name}${reason ? `\n  ${reason}` : ''}`);
const reasons = new Map();
for (const { result, reason } of entries) if (result === 'skipped') reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
for (const [reason, cases] of reasons) console.log(`skipped ${cases}: ${reason ?? 'by the test'}`);
console.log(table.toString());
process.exit(entries.some(({ result }) => result === 'failed') || !verdicts ? 1 : 0);
