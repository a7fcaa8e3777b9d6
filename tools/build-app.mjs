// Bundles one app: every `src/*.main.ts` and `src/main.ts` becomes `dist/<app>/<name>.js`, self-contained but for native modules.
import { build } from 'esbuild';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { binaryAssets, textAssets } from './assets.mjs';

const app = process.argv[2];
const source = join('apps', app, 'src');
const entries = readdirSync(source).filter((file) => file === 'main.ts' || file.endsWith('.main.ts'));
const output = join('dist', app);

// These two read their .proto files beside themselves: point them at copies that travel with the bundle.
const carriesProto = ['grpc-health-check', '@grpc/reflection'];
const protoBesideBundle = {
  name: 'proto-beside-bundle',
  setup: ({ onLoad }) =>
    onLoad({ filter: /node_modules\/(grpc-health-check|@grpc\/reflection)\/.*\.js$/ }, ({ path }) => {
      const inPackage = path.slice(path.lastIndexOf('node_modules/'));
      const place = `require('node:path').join(__dirname, ${JSON.stringify(`vendor/${dirname(inPackage)}`)})`;
      return { contents: readFileSync(path, 'utf8').replaceAll('__dirname', place) };
    }),
};

rmSync(output, { recursive: true, force: true });
const { metafile } = await build({
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
  metafile: true,
  plugins: [protoBesideBundle],
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
if (existsSync(join('apps', app, 'assets')))
  cpSync(join('apps', app, 'assets'), join(output, 'assets'), { recursive: true });
for (const name of carriesProto.filter((each) =>
  Object.keys(metafile.inputs).some((input) => input.includes(`node_modules/${each}/`)),
)) {
  cpSync(join('node_modules', name), join(output, 'vendor/node_modules', name), {
    recursive: true,
    filter: (path) => statSync(path).isDirectory() || path.endsWith('.proto'),
  });
}
