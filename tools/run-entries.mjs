// `npm run bench [-- name…] [-- --quick]` and `npm run chaos [-- name…] [-- --seed N …]`: bundles every `<name>.<kind>.ts` under a `src` that is
// asked for and calls its `run()` in a process of its own, one after the other; flags go on to it. Without a name all benches, and the one
// chaos run of the whole platform. What a bench answers becomes dist/bench/report.md and report.json; `--quick` measures next to nothing
// and proves that every part still works. Exits 1 when one of them throws.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { benchReport, machine } from './bench-report.mjs';
import { bundle } from './bundle.mjs';

const [kind, ...args] = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith('--'));
const [given, flags] = firstFlag < 0 ? [args, []] : [args.slice(0, firstFlag), args.slice(firstFlag)];
const names = given.length === 0 && kind === 'chaos' ? ['whole'] : given;
const quick = kind === 'bench' && flags.includes('--quick');
const found = ['libs', 'apps'].flatMap((group) =>
  readdirSync(group).flatMap((project) => {
    const source = join(group, project, 'src');
    if (!existsSync(source)) return [];
    return readdirSync(source, { recursive: true })
      .filter((file) => file.endsWith(`.${kind}.ts`))
      .map((file) => ({ name: basename(file, `.${kind}.ts`), file: join(source, file) }));
  }),
);
const unknown = names.filter((name) => !found.some((each) => each.name === name));
if (unknown.length > 0) {
  console.error(`no ${kind} named ${unknown.join(', ')}; there are: ${found.map((each) => each.name).join(', ')}`);
  process.exit(1);
}

// One round of a moment, over data that are there at once.
const QUICK = {
  BENCH_SECONDS: '0.3',
  BENCH_ROUNDS: '1',
  BENCH_EVENTS: '50',
  BENCH_DOCUMENTS: '2000',
  DUE: '100',
  LINES: '2000',
  DOCUMENTS: '300',
  GROWTH: '100,1000',
  INVOICES: '50',
  ROUNDS: '50',
  SOAK_SECONDS: '4',
};

const failed = [];
const parts = [];
for (const { name, file } of found.filter((each) => names.length === 0 || names.includes(each.name))) {
  const output = join('dist', kind, name);
  await bundle([{ in: file, out: 'entry' }], output);
  const runner = join(output, 'main.js');
  const figuresFile = join(output, 'figures.json');
  rmSync(figuresFile, { force: true });
  // The entry itself may fork this file again: it is `process.argv[1]`.
  writeFileSync(
    runner,
    `const done = (figures) => { if (figures) require('node:fs').writeFileSync(${JSON.stringify(figuresFile)}, JSON.stringify(figures)); process.exit(0); };
require('./entry.js').run().then(done, (error) => { console.error(error); process.exit(1); });\n`,
  );
  console.log(`\n=== ${kind}: ${name}`);
  const env = { ...process.env, ...(quick && QUICK) };
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', runner, ...flags], { stdio: 'inherit', env });
  if (status !== 0) failed.push(name);
  if (existsSync(figuresFile)) parts.push({ name, figures: JSON.parse(readFileSync(figuresFile, 'utf8')) });
}
if (kind === 'bench' && parts.length > 0) {
  const report = { ...machine(), quick, parts };
  writeFileSync('dist/bench/report.json', `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync('dist/bench/report.md', benchReport(report));
  console.log(`\n${benchReport(report)}\ndist/bench/report.md and report.json`);
}
if (failed.length > 0) console.error(`${kind}: ${failed.join(', ')} failed`);
process.exit(failed.length > 0 ? 1 : 0);
