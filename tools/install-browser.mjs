// Installs the browser of the specs where there is none: Debian's headless shell, which takes a third of the processor time of the whole
// browser. As root on Debian only; elsewhere, and where it cannot be had, the specs use the Chromium that is there. Safe side by side.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const SHELL = '/usr/bin/chromium-headless-shell';
const install = [
  `test -x ${SHELL} || {`,
  'apt-get update -qq -o Acquire::http::Timeout=10 &&',
  'apt-get install -y -qq --no-install-recommends chromium-headless-shell; }',
].join(' ');

const mayInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
if (!process.env.CHROMIUM_PATH && !existsSync(SHELL) && mayInstall)
  try {
    execFileSync('flock', ['/tmp/install-browser.lock', 'sh', '-c', install], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } catch (error) {
    console.error(`the headless shell of Chromium was not installed: ${error.message}`);
  }
