import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempFolder } from '@invoicing/testing';
import { printDocument } from './print-document';

const ROOT = resolve(__dirname, '../../../..');

// Ours is no public licence: it has neither an SPDX identifier nor an address, and a made-up one is a dead link in the reference.
const NOT_OURS = 'info-license-strict';

test("the document passes Redocly's recommended rules without a word", () => {
  const folder = tempFolder();
  const file = join(folder.path, 'openapi.json');
  writeFileSync(file, printDocument());
  const out = execFileSync(
    join(ROOT, 'node_modules/.bin/redocly'),
    ['lint', file, '--extends', 'recommended', '--skip-rule', NOT_OURS, '--format', 'json'],
    {
      // It would look for a newer release of itself.
      env: { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', REDOCLY_TELEMETRY: 'off' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 60_000,
    },
  );
  folder.remove();
  expect((JSON.parse(out.toString()) as { problems: unknown[] }).problems).toEqual([]);
}, 60_000);
