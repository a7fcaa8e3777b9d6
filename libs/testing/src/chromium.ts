import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** The headless shell first: it has no windows to look after, and takes a third of the processor time. */
const PLACES = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A browser for page tests; on Debian as root it is installed when missing. Launch playwright-core with `launchOptions()`. */
function chromiumPath(): string {
  const find = (): string | undefined => process.env['CHROMIUM_PATH'] ?? PLACES.find((path) => existsSync(path));
  const found = find();
  if (found) return found;
  execFileSync(process.execPath, [resolve(__dirname, '../../../tools/install-browser.mjs')], { stdio: 'inherit' });
  const installed = find();
  if (installed) return installed;
  throw new Error('Chromium is not here: install it (Debian: chromium-headless-shell) or set CHROMIUM_PATH');
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
