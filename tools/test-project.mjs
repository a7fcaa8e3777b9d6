// One project's specs, for Nx: `npx nx test billing`. Its counts are an output, so that a cached run still counts.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const [project, ...rest] = process.argv.slice(2);
const { status } = spawnSync(
  join('node_modules', '.bin', 'jest'),
  ['--selectProjects', project, '--passWithNoTests', ...rest],
  {
    stdio: 'inherit',
    env: { ...process.env, COUNT_FOLDER: 'dist/test-counts', COUNT_NAME: project },
  },
);
process.exit(status ?? 1);
