import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** A PATH with a `grpcurl` on it: the machine's own, else `grpcurl.ts` made into one inside `folder`. */
export function pathWithGrpcurl(root: string, folder: string): string {
  const path = process.env['PATH'] ?? '';
  if (!spawnSync('grpcurl', ['-version']).error) return path;
  mkdirSync(folder, { recursive: true });
  const script = join(folder, 'grpcurl.cjs');
  execFileSync(join(root, 'node_modules/.bin/esbuild'), [
    join(root, 'apps/e2e/src/grpcurl.ts'),
    `--outfile=${script}`,
    `--tsconfig=${join(root, 'tsconfig.base.json')}`,
    ...['--bundle', '--platform=node', '--format=cjs', '--packages=external', '--log-level=error'],
  ]);
  const command = join(folder, 'grpcurl');
  writeFileSync(command, `#!/bin/sh\nNODE_PATH='${join(root, 'node_modules')}' exec node '${script}' "$@"\n`);
  chmodSync(command, 0o755);
  return `${folder}${delimiter}${path}`;
}
