// The gateway's route table → dist/openapi/openapi.json → the types of the SDK (openapi-typescript). Generated code is committed;
// `--check` writes nothing there and fails when what is committed is not what the route table says.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { printOpenapi } from './print-openapi.mjs';

const output = 'dist/openapi';
const client = 'libs/sdk/src/generated/api.ts';
const bin = (name) => `node_modules/.bin/${name}`;

const document = await printOpenapi(output);
writeFileSync(`${output}/openapi.json`, document);

const work = mkdtempSync(join(tmpdir(), 'client-'));
const made = join(work, 'api.ts');
// What has a default may be left out of a request.
execFileSync(bin('openapi-typescript'), [`${output}/openapi.json`, '-o', made, '--default-non-nullable', 'false'], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
const text = await format(readFileSync(made, 'utf8'), { ...(await resolveConfig(client)), parser: 'typescript' });
rmSync(work, { recursive: true });

if (!process.argv.includes('--check')) writeFileSync(client, text);
else if (readFileSync(client, 'utf8') !== text) {
  console.error(`${client} is not what the route table says: run \`node tools/generate-client.mjs\` and commit`);
  process.exitCode = 1;
}
