// Bundles one app: `src/main.ts` and every `src/<name>.main.ts` become `dist/<app>/<name>.js`; the pages of its `site.mjs` go along.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundle } from './bundle.mjs';

const app = process.argv[2];
const source = join('apps', app, 'src');
const output = join('dist', app);
// `npm start` is no service: it is small, and starts with an environment as empty as that.
const isCached = app !== 'platform';
// V8 refuses what it compiled under other flags. Services run with NODE_FLAGS of libs/service, and stop at an empty environment when all of
// their code is loaded; the command line runs with none, and this call comes by most of it.
const [flags, warmUp] = app === 'admin' ? [[], ['org', 'list', '--help']] : [['--max-semi-space-size=16'], []];
const entries = readdirSync(source).filter((file) => file === 'main.ts' || file.endsWith('.main.ts'));

await bundle(
  entries.map((file) => ({
    in: join(source, file),
    out: isCached && file === 'main.ts' ? 'program' : basename(file, '.ts').replace(/\.main$/, ''),
  })),
  output,
  // A script from V8's cache cannot say where `import()` begins: `require()` it is.
  isCached && { supported: { 'dynamic-import': false } },
);
if (isCached) {
  copyFileSync('tools/cached-start.cjs', join(output, 'main.js'));
  execFileSync(process.execPath, [...flags, 'tools/write-code-cache.cjs', output, ...warmUp], { env: {} });
}
// An app that serves pages of its own writes them beside its code.
const site = resolve('apps', app, 'site.mjs');
if (existsSync(site)) await (await import(site)).writeSite(join(output, 'site'));
