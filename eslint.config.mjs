import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';

const inside = (message, group) => ({ group, message });

export default tseslint.config(
  { ignores: ['dist', 'node_modules', '.nx', '.data', 'libs/contracts/src/**', '**/*.client.js'] },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
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
    ignores: ['**/*.spec.ts', 'libs/testing/**', 'apps/e2e/**', '**/*.bench.ts', '**/*.chaos.ts', '**/testing/**'],
    rules: {
      'no-restricted-imports': ['error', { patterns: [inside('Only specs import testing.', ['@invoicing/testing'])] }],
    },
  },
  {
    files: ['apps/*/src/domain/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            inside('domain imports only errors.', ['@invoicing/*', '!@invoicing/errors']),
            inside('domain does no I/O and knows no outer layer.', [
              '**/usecases/**',
              '**/adapters/**',
              'node:fs*',
              'node:net',
              'node:http*',
              'mongoose',
              'express',
              '@grpc/*',
            ]),
          ],
        },
      ],
    },
  },
  {
    files: ['apps/*/src/usecases/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            inside('usecases import domain, errors and their own ports.', ['@invoicing/*', '!@invoicing/errors']),
            inside('usecases know no adapter.', ['**/adapters/**', 'mongoose', 'express', '@grpc/*', 'nats']),
          ],
        },
      ],
    },
  },
  { files: ['**/*.cjs', '*.config.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    files: ['apps/admin/src/**', 'apps/platform/src/**', '**/*.bench.ts', '**/*.chaos.ts', 'tools/**'],
    rules: { 'no-console': 'off' },
  },
  prettier,
);
