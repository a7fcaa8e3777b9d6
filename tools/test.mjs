// `npm test`: the unit specs and the journeys that matter, in a few minutes. `npm run test:all`: everything, part by part through Nx,
// which leaves out what passed before and has not changed since; in CI all of it at once. Both build first and end with one line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';

const counts = 'dist/test-counts';
const durations = 'dist/test-durations.json';
const [first, ...rest] = process.argv.slice(2);
const everything = first === '--all';
const selected = everything ? rest : process.argv.slice(2);
const bin = (name) => join('node_modules', '.bin', name);

// A machine that is busy already is slower for us by as much.
const load = loadavg()[0] / cpus().length;
const scale = process.env.TIME_SCALE ?? String(Math.min(6, Math.max(process.env.CI ? 2 : 1, Math.ceil(load))));
const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, TIME_SCALE: scale, ...env } }).status ?? 1;

const name = everything ? 'all' : selected.length > 0 ? undefined : 'fast';
const known = existsSync(durations) ? JSON.parse(readFileSync(durations, 'utf8')) : {};
const minutes = (ms) => `${Math.max(1, Math.round(ms / 60_000))} min`;
if (name) {
  const expected = known[name] ?? (name === 'all' ? 15 : 3) * 60_000;
  console.log(
    `${name === 'all' ? 'all specs' : 'unit specs and the main journeys (everything: npm run test:all)'}, about ${minutes(expected)}${known[name] ? ' by the last run here' : ' on 2 cores'}`,
  );
}

const started = Date.now();
if (run(bin('nx'), ['run-many', '-t', 'build', '--outputStyle=static']) !== 0) {
  console.log('0 passed, 1 failed');
  process.exit(1);
}
// Before the specs' time runs.
if (everything) run(process.execPath, ['tools/install-browser.mjs']);
rmSync(counts, { recursive: true, force: true });
// What `npm test` leaves out: long simulations, and specs that start stores, brokers, browsers; but for these, which show that the whole works.
const FAST = ['(?<!\\.int|-simulation|match-many)\\.spec\\.ts$', 'apps/e2e/src/(smoke|journeys)\\.int\\.spec\\.ts$'];
const throughNx = ['run-many', '-t', 'test', '--parallel=1', '--outputStyle=static', '--nxBail=false', ...rest];
const throughJest = (args) => run(bin('jest'), args, { COUNT_FOLDER: counts });
let status;
if (!everything) status = throughJest(selected.length > 0 ? selected : ['--testPathPatterns', FAST.join('|')]);
// A clean checkout has nothing that passed before: one jest for all of it keeps both processors busy to the end.
else if (process.env.CI) status = throughJest(rest);
else status = run(bin('nx'), throughNx);

const files = existsSync(counts) ? readdirSync(counts) : [];
const sum = { passed: 0, failed: files.length === 0 ? 1 : 0, skipped: 0 };
for (const file of files)
  for (const [key, value] of Object.entries(JSON.parse(readFileSync(join(counts, file), 'utf8')))) sum[key] += value;
if (status !== 0 && sum.failed === 0) sum.failed = 1;
if (name && status === 0) {
  mkdirSync('dist', { recursive: true });
  writeFileSync(durations, JSON.stringify({ ...known, [name]: Date.now() - started }));
}
if (process.env.BEFORE_TESTS) console.log(process.env.BEFORE_TESTS);
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);
process.exit(status);
