// `npm test`: builds, then runs every spec. Ends with one line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = (name) => join('node_modules', '.bin', name);
const run = (command, args, env = {}) =>
  spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1;

if (run(bin('nx'), ['run-many', '-t', 'build', '--outputStyle=static']) !== 0) {
  console.log('0 passed, 1 failed');
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'invoicing-test-'));
const countFile = join(folder, 'count.json');
const status = run(bin('jest'), process.argv.slice(2), { COUNT_FILE: countFile });
const counted = existsSync(countFile)
  ? JSON.parse(readFileSync(countFile, 'utf8'))
  : { passed: 0, failed: 1, skipped: 0 };
rmSync(folder, { recursive: true });
console.log(
  `${counted.passed} passed, ${counted.failed} failed${counted.skipped > 0 ? `, ${counted.skipped} skipped` : ''}`,
);
process.exit(status);
