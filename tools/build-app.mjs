// Bundles one app: `src/main.ts` and every `src/<name>.main.ts` become `dist/<app>/<name>.js`; the pages of its `site.mjs` go along.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundle } from './bundle.mjs';

const app = process.argv[2];
const source = join('apps', app, 'src');
const output = join('dist', app);
// Programs that somebody waits for at every start, and a call of each that comes by most of it.
const oftenStarted = { admin: ['org', 'list', '--help'] };
const warmUp = oftenStarted[app];
const entries = readdirSync(source).filter((file) => file === 'main.ts' || file.endsWith('.main.ts'));

await bundle(
  entries.map((file) => ({
    in: join(source, file),
    out: warmUp && file === 'main.ts' ? 'program' : basename(file, '.ts').replace(/\.main$/, ''),
  })),
  output,
  // A script from V8's cache cannot say where `import()` begins: `require()` it is.
  warmUp && { supported: { 'dynamic-import': false } },
);
if (warmUp) {
  copyFileSync('tools/cached-start.cjs', join(output, 'main.js'));
  execFileSync(process.execPath, ['tools/write-code-cache.cjs', output, ...warmUp]);
}
// An app that serves pages of its own writes them beside its code.
const site = resolve('apps', app, 'site.mjs');
if (existsSync(site)) await (await import(site)).writeSite(join(output, 'site'));
