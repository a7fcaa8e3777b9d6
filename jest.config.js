const { readdirSync, existsSync } = require('node:fs');
const { join } = require('node:path');
const { paths } = require('./tsconfig.base.json').compilerOptions;

// `@invoicing/x` → its source, from the one list in tsconfig.base.json.
const moduleNameMapper = Object.fromEntries(
  Object.entries(paths).map(([name, [path]]) => [
    `^${name.replace('*', '(.*)')}$`,
    `<rootDir>/${path.replace('*', '$1')}`,
  ]),
);

const project = (folder, name) => ({
  displayName: name,
  rootDir: __dirname,
  roots: [`<rootDir>/${folder}`],
  testEnvironment: 'node',
  testMatch: ['**/*.spec.ts'],
  transform: {
    '\\.(eta|css|svg|typ|ttf|otf|woff2)$|\\.client\\.js$|\\.process\\.cjs$': '<rootDir>/tools/jest-asset-transform.cjs',
    '\\.m?[jt]s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' }, keepClassNames: true },
        module: { type: 'commonjs', ignoreDynamic: false },
      },
    ],
  },
  // Packages that ship ES modules only, or import lazily, are transformed too.
  transformIgnorePatterns: [
    '/node_modules/(?!(openid-client|oauth4webapi|jose|mingo|temporal-polyfill|temporal-utils|temporal-spec|openapi-fetch|openapi-typescript-helpers|http-proxy-middleware|@expo-google-fonts|@fontsource|@embedpdf|@opentelemetry/otlp-exporter-base)/)',
  ],
  moduleNameMapper,
  setupFilesAfterEnv: ['<rootDir>/tools/jest-setup.cjs'],
});

/** One jest project per Nx project, so that `nx affected -t test` runs just what a change touches. */
module.exports = {
  projects: ['libs', 'apps'].flatMap((kind) =>
    readdirSync(join(__dirname, kind))
      .filter((name) => existsSync(join(__dirname, kind, name, 'project.json')))
      .map((name) => project(`${kind}/${name}`, name)),
  ),
  testTimeout: 30_000 * Number(process.env.TIME_SCALE ?? 1),
  maxWorkers: 2,
  testSequencer: '<rootDir>/tools/jest-sequencer.cjs',
  // Of a process for specs; what each file leaves behind adds up.
  workerIdleMemoryLimit: '1500MB',
  reporters: ['<rootDir>/tools/jest-reporter.cjs'],
};
