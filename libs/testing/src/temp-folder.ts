import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder that `remove` deletes. */
export function tempFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'invoicing-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
