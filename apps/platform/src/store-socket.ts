import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// A socket's path has 108 bytes on Linux and 104 on macOS, with a zero at the end.
const MAX_BYTES = 103;

interface StoreSocket {
  readonly path: string;
  /** For MongoDB's drivers. The members of a replica set are found by host and port, which a socket has not. */
  readonly uri: string;
  readonly remove: () => void;
}

/** Where the embedded store listens: in the data folder, or in a private folder of its own when the path would be too long for a socket. */
export function placeSocket(dataDir: string): StoreSocket {
  const near = join(dataDir, 'store.sock');
  const isNear = Buffer.byteLength(near) <= MAX_BYTES;
  // mkdtemp makes it 0700.
  const path = isNear ? near : join(mkdtempSync(join(tmpdir(), 'invoicing-')), 'store.sock');
  return {
    path,
    uri: `mongodb://${encodeURIComponent(path)}/?directConnection=true`,
    remove: () => rmSync(isNear ? path : dirname(path), { recursive: true, force: true }),
  };
}
