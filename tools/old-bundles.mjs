// `node tools/old-bundles.mjs <commit> <folder>`: the bundles of an earlier version, built out of its own tree, for tests in which it runs
// beside this one (OLD_BUNDLES=<folder>/dist). A package that it needs and this version has not got must be installed there by hand.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [commit, folder] = process.argv.slice(2);
if (!commit || !folder) {
  console.error('node tools/old-bundles.mjs <commit> <folder>');
  process.exit(1);
}
const tree = resolve(folder);
if (!existsSync(join(tree, 'package.json'))) {
  mkdirSync(tree, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-xf', '-', '-C', tree], { input: archive });
}
if (!existsSync(join(tree, 'node_modules'))) symlinkSync(resolve('node_modules'), join(tree, 'node_modules'));
for (const app of readdirSync(join(tree, 'apps')).filter((name) => name !== 'e2e'))
  execFileSync(process.execPath, ['tools/build-app.mjs', app], { cwd: tree, stdio: 'inherit' });
console.log(`OLD_BUNDLES=${join(tree, 'dist')}`);
