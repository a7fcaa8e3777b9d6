import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { connect } from 'nats';
import { RunningPlatform } from './running-platform';

// What another user of the same machine can reach of `npm start`.

jest.setTimeout(120_000);

let platform: RunningPlatform;
let state: { mongodbUri: string; natsUrl: string };
beforeAll(async () => {
  platform = await RunningPlatform.start();
  state = JSON.parse(readFileSync(join(platform.dataDir, 'platform.json'), 'utf8')) as typeof state;
});
afterAll(() => platform.close());

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test('the store listens on a socket that is its owner’s alone, and on no port', async () => {
  const socket = decodeURIComponent(new URL(state.mongodbUri).host);
  expect(socket).toBe(join(platform.dataDir, 'store.sock'));
  expect(statSync(socket).isSocket()).toBe(true);
  expect(modeOf(socket) & 0o077).toBe(0);
  const listening = readFileSync('/proc/net/tcp', 'utf8') + readFileSync('/proc/net/tcp6', 'utf8');
  const sockets = [...listening.matchAll(/ 0A (?:\S+ ){3} *\d+ +\d+ (\d+)/g)].map(([, inode]) => inode);
  expect(sockets.length).toBeGreaterThan(0);
  const store = (await promisify(execFile)('pgrep', ['-P', String(platform.pid), '-f', 'platform/store.js'])).stdout;
  const files = (await promisify(execFile)('ls', ['-l', `/proc/${store.trim()}/fd`])).stdout;
  for (const inode of sockets) expect(files).not.toContain(`socket:[${inode}]`);
});

test('the data folder and what leaves secrets in it are its owner’s alone', () => {
  for (const folder of ['', 'store', 'nats', 'logs']) expect(modeOf(join(platform.dataDir, folder))).toBe(0o700);
  for (const file of ['platform.json', 'series-key.pem', 'nats/nats-server.conf'])
    expect(modeOf(join(platform.dataDir, file))).toBe(0o600);
});

test('the broker admits nobody without its password, which no process list shows', async () => {
  const { host, password } = new URL(state.natsUrl);
  expect(password.length).toBeGreaterThanOrEqual(32);
  await expect(connect({ servers: host, reconnect: false })).rejects.toMatchObject({ code: 'AUTHORIZATION_VIOLATION' });
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
  expect(stdout).toContain('nats-server');
  expect(stdout).not.toContain(password);
});

// Only root may become somebody else to try it.
(process.getuid?.() === 0 ? test : test.skip)('another user opens neither the store nor the folder', async () => {
  const socket = decodeURIComponent(new URL(state.mongodbUri).host);
  const tries = `
    const [socket, folder] = process.argv.slice(1);
    require('node:fs').readdir(folder, (folderError) =>
      require('node:net').connect(socket).on('connect', () => console.log('in')).on('error', ({ code }) =>
        console.log(code, folderError.code)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', tries, socket, platform.dataDir], {
    uid: 65_534,
    gid: 65_534,
    cwd: '/',
  });
  expect(stdout.trim()).toBe('EACCES EACCES');
});
