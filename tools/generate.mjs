// proto/ → libs/contracts/src (types, service definitions, descriptor set for reflection). Generated code is committed.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const buf = (...args) => execFileSync('../node_modules/.bin/buf', args, { cwd: 'proto', stdio: 'inherit' });

rmSync('libs/contracts/src', { recursive: true, force: true });
buf('generate');
buf('build', '-o', '../dist/descriptor.binpb', '--as-file-descriptor-set');
const bytes = readFileSync('dist/descriptor.binpb').toString('base64');
writeFileSync(
  'libs/contracts/src/descriptor-set.ts',
  `/** The compiled contract (google.protobuf.FileDescriptorSet), for server reflection. */\nexport const descriptorSet = Buffer.from(\n  '${bytes}',\n  'base64',\n);\n`,
);
