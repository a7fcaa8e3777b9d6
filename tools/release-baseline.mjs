// What the next version must stay compatible with is what stands here now: run at a release, and commit.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { printOpenapi } from './print-openapi.mjs';

execFileSync('../node_modules/.bin/buf', ['build', '-o', 'published.binpb'], { cwd: 'proto', stdio: 'inherit' });
writeFileSync('apps/gateway/openapi-published.json', `${await printOpenapi('dist/openapi-compatibility')}\n`);
writeFileSync('apps/gateway/openapi-reviewed.json', '[]\n');
