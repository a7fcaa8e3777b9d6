// `npm run bench [-- name…]` and `npm run chaos [-- name…] [-- --seed N …]`: bundles every `<name>.<kind>.ts` under a `src` that is asked for
// and calls its `run()` in a process of its own, one after the other; flags go on to it. Without a name all benches, and the one chaos run of
// the whole platform. Exits 1 when one of them throws.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from './bundle.mjs';

const [kind, ...args] = process.argv.slice(2);
const firstFlag = args.findIndex((arg) => arg.startsWith('--'));
const [given, flags] = firstFlag < 0 ? [args, []] : [args.slice(0, firstFlag), args.slice(firstFlag)];
const names = given.length === 0 && kind === 'chaos' ? ['whole'] : given;
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

let failed = 0;
for (const { name, file } of found.filter((each) => names.length === 0 || names.includes(each.name))) {
  const output = join('dist', kind, name);
  await bundle([{ in: file, out: 'entry' }], output);
  const runner = join(output, 'main.js');
  // The entry itself may fork this file again: it is `process.argv[1]`.
  writeFileSync(
    runner,
    `require('./entry.js').run().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });\n`,
  );
  console.log(`\n=== ${kind}: ${name}`);
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', runner, ...flags], { stdio: 'inherit' });
  if (status !== 0) failed++;
}
process.exit(failed > 0 ? 1 : 0);
