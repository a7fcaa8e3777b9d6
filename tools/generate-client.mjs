// The gateway's route table → dist/openapi/openapi.json → a typed client (openapi-typescript). Generated code is committed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { bundle } from './bundle.mjs';

const output = 'dist/openapi';
const client = 'apps/e2e/src/generated/api.ts';

await bundle([{ in: 'apps/gateway/src/openapi/print-document.ts', out: 'print-document' }], output);
const { printDocument } = createRequire(import.meta.url)(resolve(output, 'print-document.js'));
writeFileSync(`${output}/openapi.json`, printDocument());
mkdirSync('apps/e2e/src/generated', { recursive: true });
execFileSync('node_modules/.bin/openapi-typescript', [`${output}/openapi.json`, '-o', client], { stdio: 'inherit' });
execFileSync('node_modules/.bin/prettier', ['--write', client], { stdio: 'inherit' });
