import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const FEATURES = [
  ...[
    'organizations',
    'numbering',
    'invoices',
    'account',
    'bank-statements',
    'reminders',
    'subscriptions',
    'mail-credits',
  ].map((name) => `billing/src/${name}`),
  ...['customers', 'products'].map((name) => `catalog/src/${name}`),
  'checkout/src/sessions',
  ...['people', 'sign-in'].map((name) => `application/src/${name}`),
  'notification/src/webhooks',
  ...['idempotency', 'keys', 'rate'].map((name) => `gateway/src/${name}`),
];
/** Libraries without I/O. */
const PURE_LIBRARIES = ['errors', 'rules', 'concurrency', 'secrets', 'design'];
const OUTER = ['store', 'rpc', 'proto', 'client', 'worker', 'reporter', 'routes', 'server'];

const inside = (message, group) => ({ group, message });
const NO_DRIVER = inside('The store is reached through @invoicing/mongo, which has the types of the driver, too.', [
  'mongodb',
  'mongoose',
]);

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.nx', '.data', 'libs/contracts/src/**', '**/*.client.js'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // A method's parameters are compared both ways, a property's as they should be: a port must fit what implements it.
      '@typescript-eslint/method-signature-style': ['error', 'property'],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      // No app imports an app; contracts and errors import nothing of ours; only specs import testing.
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          depConstraints: [
            { sourceTag: 'type:base', onlyDependOnLibsWithTags: [] },
            { sourceTag: 'type:lib', onlyDependOnLibsWithTags: ['type:base', 'type:lib'] },
            { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['type:base', 'type:lib'] },
            { sourceTag: 'type:app', onlyDependOnLibsWithTags: ['type:base', 'type:lib', 'type:testing'] },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      'libs/testing/**',
      'apps/e2e/**',
      '**/*.bench.ts',
      '**/*.samples.ts',
      '**/*.chaos.ts',
      '**/testing/**',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            inside('Only specs import testing.', ['@invoicing/testing']),
            inside('The development store is started by the platform, never by a service.', [
              '@invoicing/embedded-mongo',
            ]),
            NO_DRIVER,
          ],
        },
      ],
    },
  },
  {
    files: [
      'apps/**/*.spec.ts',
      'apps/**/*.bench.ts',
      'apps/**/*.chaos.ts',
      'apps/*/src/**/testing/**',
      'apps/e2e/**/*.ts',
    ],
    rules: { 'no-restricted-imports': ['error', { patterns: [NO_DRIVER] }] },
  },
  {
    files: ['apps/**/*.ts', 'libs/mongo/src/**/*.ts'],
    ignores: ['libs/mongo/src/each-document.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='cursor'][arguments.length=0]",
          message: 'A cursor of mongoose that is left early stays open: use eachDocument.',
        },
      ],
    },
  },
  {
    files: ['apps/platform/src/store.main.ts', 'libs/mongo/src/**', 'libs/embedded-mongo/src/**'],
    rules: { 'no-restricted-imports': 'off' },
  },
  // The one grammar (docs/architecture.md): in a feature folder a file without one of these suffixes is a rule or a verb. It does no
  // I/O and knows stores, peers and the wire by their types only.
  {
    files: FEATURES.map((folder) => `apps/${folder}/**/*.ts`),
    ignores: [
      ...OUTER.map((suffix) => `**/*-${suffix}.ts`),
      '**/*.spec.ts',
      '**/*.bench.ts',
      '**/*.samples.ts',
      '**/*.chaos.ts',
      '**/testing/**',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@invoicing/*', ...PURE_LIBRARIES.map((name) => `!@invoicing/${name}`)],
              allowTypeImports: true,
              message: `Rules and verbs import ${PURE_LIBRARIES.join(', ')}; of other libraries types only.`,
            },
            inside('Rules and verbs do no I/O.', [
              'node:fs*',
              'node:net',
              'node:http*',
              'mongodb',
              'mongoose',
              'express',
              '@grpc/*',
              'nats',
            ]),
            {
              group: OUTER.map((suffix) => `**/*-${suffix}`),
              allowTypeImports: true,
              message: 'Rules and verbs know the outside by its types only.',
            },
          ],
        },
      ],
    },
  },
  { files: ['**/*.cjs', '*.config.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: [
      'apps/admin/src/**',
      'apps/platform/src/**',
      '**/*.bench.ts',
      '**/*.samples.ts',
      '**/*.chaos.ts',
      'tools/**',
    ],
    rules: { 'no-console': 'off' },
  },
  prettier,
);
