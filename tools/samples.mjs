// `npm run samples [-- folder]`: writes a sheet of every state, length and language, and validates them, one line a file. Exits 1 when
// a validator finds a fault; where there is no Java or no Maven it says so and validates nothing.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { javaClassPath, judgeAuditFiles, judgeEInvoices, judgeSheets } from './validators/validators.mjs';

const folder = resolve(process.argv[2] ?? 'dist/sheets');
rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync(process.execPath, ['tools/run-entries.mjs', 'samples'], {
  stdio: 'inherit',
  env: { ...process.env, SAMPLES: folder },
});
if (status !== 0) process.exit(status ?? 1);

const classPath = javaClassPath();
if (classPath === undefined) {
  console.log('not validated: there is no Java here, or no Maven that can fetch the validators');
  process.exit(0);
}
const files = readdirSync(folder)
  .sort()
  .map((file) => join(folder, file));
const verdicts = new Map(files.map((file) => [file, []]));
const faults = [];
const judged = [...judgeSheets(classPath, files), ...judgeEInvoices(classPath, files), ...judgeAuditFiles(files)];
for (const [name, file, found] of judged) {
  verdicts.get(file).push(`${name} ${found.length}`);
  faults.push(...found.map((fault) => `${basename(file)}: ${name}: ${fault}`));
}
for (const [file, all] of verdicts) if (all.length > 0) console.log(`${basename(file).padEnd(32)} ${all.join('   ')}`);
for (const fault of faults) console.log(fault);
console.log(`${verdicts.size} files, ${faults.length} faults`);
process.exit(faults.length > 0 ? 1 : 0);
