// `npm start` builds with this: what is stale, one build at a time in this folder (a second start waits for the first one's), and
// without a word of Nx unless it fails.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer } from 'node:net';

const WAIT_MS = 300_000;
const POLL_MS = 200;

/** Holds a name that the kernel keeps for one process until it ends, however it ends; only Linux has such names. */
const hold = () =>
  new Promise((resolve, reject) => {
    if (process.platform !== 'linux') return resolve(true);
    const server = createServer();
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(`\0invoicing-build:${createHash('sha256').update(process.cwd()).digest('hex')}`, () => resolve(true));
  });

const deadline = Date.now() + WAIT_MS;
for (let said = false; !(await hold()); said = true) {
  if (!said) console.log('waiting for another build in this folder …');
  if (Date.now() > deadline) {
    console.error('the other build in this folder does not end');
    process.exit(1);
  }
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
console.log('building what is stale …');
const nx = spawnSync('node_modules/.bin/nx', ['run-many', '-t', 'build', '--outputStyle=static-failures-only'], {
  stdio: ['ignore', 'pipe', 'pipe'],
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
if (nx.status !== 0) console.error(`${nx.stdout}${nx.stderr}${nx.error?.message ?? ''}`);
process.exit(nx.status ?? 1);
