// Bundles one app: every `src/*.main.ts` and `src/main.ts` becomes `dist/<app>/<name>.js`, self-contained but for native modules.
import { build } from 'esbuild';
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { binaryAssets, textAssets } from './assets.mjs';

const app = process.argv[2];
const source = join('apps', app, 'src');
const entries = readdirSync(source).filter((file) => file === 'main.ts' || file.endsWith('.main.ts'));
const output = join('dist', app);

rmSync(output, { recursive: true, force: true });
await build({
  entryPoints: entries.map((file) => ({ in: join(source, file), out: basename(file, '.ts').replace(/\.main$/, '') })),
  outdir: output,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  tsconfig: 'tsconfig.base.json',
  sourcemap: 'linked',
  sourcesContent: false,
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  legalComments: 'none',
  logLevel: 'warning',
  // Native modules and optional peers of the MongoDB driver that we do not use.
  external: [
    'lmdb',
    'mongodb-client-encryption',
    'kerberos',
    'snappy',
    '@mongodb-js/zstd',
    'gcp-metadata',
    'socks',
    'aws4',
    '@aws-sdk/credential-providers',
  ],
  loader: {
    ...Object.fromEntries(textAssets.map((extension) => [extension, 'text'])),
    ...Object.fromEntries(binaryAssets.map((extension) => [extension, 'binary'])),
  },
});
if (existsSync(join('apps', app, 'assets'))) cpSync(join('apps', app, 'assets'), join(output, 'assets'), { recursive: true });
