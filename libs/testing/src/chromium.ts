import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A browser for page tests; on Debian as root it is installed when missing. Launch playwright-core with `launchOptions()`. */
function chromiumPath(): string {
  const find = (): string | undefined => PLACES.find((path) => existsSync(path));
  const found = process.env['CHROMIUM_PATH'] ?? find();
  if (found) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { env, stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' });
    const installed = find();
    if (installed) return installed;
  }
  throw new Error('Chromium is not here: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH');
}

/** For `chromium.launch(...)`: works as root and never looks for the outside world. */
export const launchOptions = () => ({
  executablePath: chromiumPath(),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
});
