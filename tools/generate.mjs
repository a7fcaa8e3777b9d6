// proto/ → libs/contracts/src: types, service definitions, and the descriptor set for reflection. Generated code is committed;
// `--check` writes nothing and fails when what is committed is not what proto/ says.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const target = 'libs/contracts/src';
const work = mkdtempSync(join(tmpdir(), 'contracts-'));
const buf = (...args) => execFileSync('../node_modules/.bin/buf', args, { cwd: 'proto', stdio: 'inherit' });

buf('generate', '--output', work);
const made = join(work, target);
// What every server answers, and grpc.health.v1 as its package has it: sets of files put one after the other are one set.
const sets = ['.', '../node_modules/grpc-health-check/proto'].map((input, at) => {
  const file = join(work, `${at}.binpb`);
  buf('build', input, '-o', file, '--as-file-descriptor-set');
  return readFileSync(file);
});
const bytes = Buffer.concat(sets).toString('base64');
writeFileSync(
  join(made, 'descriptor-set.ts'),
  `/** The compiled contract (google.protobuf.FileDescriptorSet), for server reflection. */\nexport const descriptorSet = Buffer.from(\n  '${bytes}',\n  'base64',\n);\n`,
);

const filesOf = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .filter((file) => file.endsWith('.ts'))
        .sort()
    : [];
const same =
  filesOf(made).join() === filesOf(target).join() &&
  filesOf(made).every((file) => readFileSync(join(made, file), 'utf8') === readFileSync(join(target, file), 'utf8'));
if (process.argv.includes('--check')) {
  if (!same) console.error('libs/contracts is not what proto/ says: run `npm run generate` and commit');
  process.exitCode = same ? 0 : 1;
} else if (!same) {
  rmSync(target, { recursive: true, force: true });
  cpSync(made, target, { recursive: true });
}
rmSync(work, { recursive: true });
