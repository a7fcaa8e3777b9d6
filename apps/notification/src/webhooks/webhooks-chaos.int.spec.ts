import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

// The parts are processes that are killed: they need the bundle that `npm run chaos` makes.
test('killed workers, store and broker, and a lost folder: no webhook is lost (small; `npm run chaos -- webhooks` is the whole)', async () => {
  const env = { ...process.env, CHAOS_EVENTS: '120' };
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/run-entries.mjs', 'chaos', 'webhooks'], {
    env,
  });
  expect(stdout).toContain('0 lost');
  expect(stdout).toContain('folder 1');
}, 180_000);
