// `npm run check`: everything that can be known without running the service. Says which check failed and goes on to the next.
import { spawnSync } from 'node:child_process';

const bin = (name) => `node_modules/.bin/${name}`;
const checks = [
  // The import rules between projects read this graph; without it they are skipped.
  ['project graph', bin('nx'), ['graph', '--file=dist/project-graph.json']],
  ['format', bin('prettier'), ['--check', '--log-level', 'warn', '.']],
  ['lint', bin('eslint'), ['.', '--max-warnings', '0']],
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.json']],
  ['contract style', `../${bin('buf')}`, ['lint'], 'proto'],
  ['contract compatibility', `../${bin('buf')}`, ['breaking', '--against', 'published.binpb'], 'proto'],
  ['generated code is current', process.execPath, ['tools/generate.mjs', '--check']],
  ['client is current', process.execPath, ['tools/generate-client.mjs', '--check']],
  ['known vulnerabilities', process.execPath, ['tools/audit.mjs']],
];

const failed = checks.filter(([name, command, args, cwd]) => {
  console.log(`check: ${name}`);
  return spawnSync(command, args, { cwd, stdio: 'inherit' }).status !== 0;
});
for (const [name] of failed) console.error(`check failed: ${name}`);
process.exit(failed.length > 0 ? 1 : 0);
