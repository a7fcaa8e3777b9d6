// Bundles one app: `src/main.ts` and every `src/<name>.main.ts` become `dist/<app>/<name>.js`; the pages of its `site.mjs` go along.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { bundle } from './bundle.mjs';

const app = process.argv[2];
const source = join('apps', app, 'src');
const output = join('dist', app);
const entries = readdirSync(source).filter((file) => file === 'main.ts' || file.endsWith('.main.ts'));

await bundle(
  entries.map((file) => ({ in: join(source, file), out: basename(file, '.ts').replace(/\.main$/, '') })),
  output,
);
// An app that serves pages of its own writes them beside its code.
const site = resolve('apps', app, 'site.mjs');
if (existsSync(site)) await (await import(site)).writeSite(join(output, 'site'));
