// The one way from TypeScript to something that runs: for the apps, the benches and the chaos runs.
import { build } from 'esbuild';
import { constants, cpSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileAssets, textAssets } from './assets.mjs';

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

// What only some calls need is an entry of its own, which `import('./<name>.main')` reads from beside the bundle when it is asked for.
const entryBesideBundle = {
  name: 'entry-beside-bundle',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\.main$/ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path: `./${basename(path, '.main')}.js`, external: true } : undefined,
    ),
};

// What a `.process.cjs` runs natively goes along with it: the package and its binary for this platform.
const nativeScope = 'node_modules/@myriaddreamin';

/** Bundles `entryPoints` ([{ in, out }]) into `outdir`, self-contained but for native modules; `more`: options of esbuild. */
export async function bundle(entryPoints, outdir, more = {}) {
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...more,
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    tsconfig: 'tsconfig.base.json',
    sourcemap: 'linked',
    sourcesContent: false,
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    // Packages that come as ES modules ask where they are.
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    define: { 'import.meta.url': 'importMetaUrl' },
    plugins: [protoBesideBundle, entryBesideBundle],
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
      ...Object.fromEntries(fileAssets.map((extension) => [extension, 'file'])),
    },
  });
  const inputs = Object.keys(metafile.inputs);
  if (inputs.some((input) => input.endsWith('.process.cjs')))
    cpSync(nativeScope, join(outdir, nativeScope), { recursive: true, mode: constants.COPYFILE_FICLONE });
  for (const name of carriesProto.filter((each) => inputs.some((input) => input.includes(`node_modules/${each}/`)))) {
    cpSync(join('node_modules', name), join(outdir, 'vendor/node_modules', name), {
      recursive: true,
      filter: (path) => statSync(path).isDirectory() || path.endsWith('.proto'),
    });
  }
}
