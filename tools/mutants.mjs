// `npm run mutants [-- list…]`: takes each protection that a list in tools/mutants/ names out of a scratch copy of the tree, one at a time,
// runs the spec that must notice, and says whether it did. Exits 1 when a variant survives or no longer fits the code. `2/5`: the second
// fifth of them; `only=text`: those with the text in their name.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const LISTS = join(ROOT, 'tools', 'mutants');
const LIMIT_MS = 300_000;
const OUTSIDE = new Set(['node_modules', '.git', '.nx', 'dist', '.data']);

const known = readdirSync(LISTS).map((file) => basename(file, '.mjs'));
const args = process.argv.slice(2);
const [part, parts] = (args.find((arg) => /^\d+\/\d+$/.test(arg)) ?? '1/1').split('/').map(Number);
const only = args.find((arg) => arg.startsWith('only='))?.slice('only='.length) ?? '';
const asked = args.filter((arg) => !/^\d+\/\d+$|^only=/.test(arg));
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no list ${unknown.join(', ')}; there are: ${known.join(', ')}`);
  process.exit(1);
}

const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
/** Outcome of each spec on the code as it is, by its command. */
const untouched = new Map();
let survived = 0;
let count = 0;
try {
  cpSync(ROOT, copy, { recursive: true, filter: (from) => !OUTSIDE.has(basename(from)) || dirname(from) !== ROOT });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  // Specs that bundle put their bundles there.
  mkdirSync(join(copy, 'dist'));
  for (const list of asked.length > 0 ? asked : known) {
    const { default: variants } = await import(join(LISTS, `${list}.mjs`));
    for (const [at, variant] of variants.entries()) {
      if (at % parts !== part - 1 || !variant.name.includes(only)) continue;
      count++;
      const outcome = tryVariant(variant);
      if (!outcome.noticed) survived++;
      console.log(`${outcome.noticed ? 'noticed ' : 'SURVIVED'}  ${list}: ${variant.name} – ${outcome.says}`);
    }
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${count - survived} of ${count} noticed`);
process.exit(survived > 0 ? 1 : 0);

/** @param {{ name: string, file: string, replace: string, with: string, spec: string, test?: string }} variant */
function tryVariant({ file, replace, with: instead, spec, test }) {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  if (before.split(replace).length !== 2)
    return { noticed: false, says: `${file} does not hold its text exactly once` };
  const args = ['jest', '--forceExit', '--runTestsByPath', spec, ...(test ? ['-t', test] : [])];
  // What is red as it is notices nothing.
  const command = args.join(' ');
  if (!untouched.has(command)) untouched.set(command, run(args));
  const { failed: redBefore = new Set() } = untouched.get(command);
  writeFileSync(
    path,
    before.replace(replace, () => instead),
  );
  try {
    const { status, failed, output, ended } = run(args);
    if (!ended) return { noticed: true, says: `${spec} did not end` };
    if (status === 0) return { noticed: false, says: `${spec} is green` };
    const noticedBy = [...failed].find((name) => !redBefore.has(name));
    return noticedBy
      ? { noticed: true, says: `${spec}: ${noticedBy}` }
      : { noticed: false, says: `${spec} is red for another reason: ${output.slice(-300)}` };
  } finally {
    writeFileSync(path, before);
  }
}

/** One run of Jest: which tests failed, leaving out what did not compile or load. */
function run(args) {
  const { status, stdout, stderr, error } = spawnSync('npx', args, {
    cwd: copy,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const output = `${stdout}${stderr}`;
  const failed = new Set([...output.matchAll(/● (?!Test suite failed to run)(.+)/g)].map(([, name]) => name));
  return { status, failed, output, ended: error === undefined };
}
