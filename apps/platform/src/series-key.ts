import { generateKeyPairSync } from 'node:crypto';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The key that number series are signed with, made at the first start: beside the store's folder and not in it. Answers its file. */
export function ensureSeriesKey(dataDir: string): string {
  const file = join(dataDir, 'series-key.pem');
  if (existsSync(file)) return file;
  const { privateKey } = generateKeyPairSync('ed25519');
  // Whole or not at all: half a key would stop every later start.
  writeFileSync(`${file}.new`, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  return file;
}
