// `node libs/sdk/build.mjs [folder]`: the package as it is published, as ES modules and CommonJS, with types for both.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = dirname(fileURLToPath(import.meta.url));
const root = resolve(source, '../..');
const output = resolve(process.argv[2] ?? join(root, 'dist/sdk'));

rmSync(output, { recursive: true, force: true });
for (const [folder, format, type] of [
  ['esm', 'esm', 'module'],
  ['cjs', 'cjs', 'commonjs'],
]) {
  await build({
    entryPoints: [join(source, 'src/index.ts')],
    outfile: join(output, folder, 'index.js'),
    bundle: true,
    // No runtime dependencies, and nothing of Node's own: it runs wherever fetch and Web Crypto are.
    platform: 'neutral',
    packages: 'external',
    format,
    target: 'es2022',
    keepNames: true,
    logLevel: 'warning',
  });
  writeFileSync(join(output, folder, 'package.json'), `{ "type": "${type}" }\n`);
}
// The integrators' command line: it needs Node, and nothing else.
await build({
  entryPoints: [join(source, 'src/cli/main.ts')],
  outfile: join(output, 'bin/invoicing.cjs'),
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  logLevel: 'warning',
});
chmodSync(join(output, 'bin/invoicing.cjs'), 0o755);
execFileSync(
  join(root, 'node_modules/.bin/tsc'),
  ['-p', join(source, 'tsconfig.json'), '--outDir', join(output, 'cjs')],
  {
    stdio: 'inherit',
  },
);
// ES modules name files with their ending; TypeScript's declarations keep the source's spelling.
for (const file of readdirSync(join(output, 'cjs'), { recursive: true }).filter((each) => each.endsWith('.d.ts'))) {
  const target = join(output, 'esm', file);
  mkdirSync(dirname(target), { recursive: true });
  const text = readFileSync(join(output, 'cjs', file), 'utf8');
  writeFileSync(target, text.replace(/(from ['"]\.{1,2}\/[^'"]+)(['"])/g, '$1.js$2'));
}
copyFileSync(join(source, 'package.json'), join(output, 'package.json'));
for (const page of ['README.md', 'CHANGELOG.md']) cpSync(join(source, page), join(output, page));
