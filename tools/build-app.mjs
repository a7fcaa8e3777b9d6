// Bundles one app: `src/main.ts` and every `src/<name>.main.ts` become `dist/<app>/<name>.js`; `assets/` goes along.
import { cpSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { bundle } from './bundle.mjs';

const app = process.argv[2];
const source = join('apps', app, 'src');
const output = join('dist', app);
const entries = readdirSync(source).filter((file) => file === 'main.ts' || file.endsWith('.main.ts'));

await bundle(
  entries.map((file) => ({ in: join(source, file), out: basename(file, '.ts').replace(/\.main$/, '') })),
  output,
);
const assets = join('apps', app, 'assets');
if (existsSync(assets)) cpSync(assets, join(output, 'assets'), { recursive: true });
// Files of packages that an app serves as they are: asset → path in node_modules.
const fromPackages = join(assets, 'from-packages.json');
if (existsSync(fromPackages))
  for (const [asset, file] of Object.entries(JSON.parse(readFileSync(fromPackages, 'utf8'))))
    cpSync(join('node_modules', file), join(output, 'assets', asset));
