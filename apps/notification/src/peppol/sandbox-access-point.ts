import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { keepFile, timeInName } from '../keep-file';
import type { AccessPoint, AccessPointKind } from './access-point';

// Long enough to be seen underway.
const DELIVERING_MS = 1_000;
/** Ids that contain this are not on the sandbox's network. */
export const UNKNOWN_PARTICIPANT = '999404';
/** What goes to ids that contain this is never delivered. */
export const UNDELIVERED_PARTICIPANT = '999500';

/** The built-in access point, for test organisations: what is sent becomes a file in `folder`, and is acknowledged after a second. */
export const sandboxKind = (folder: string): AccessPointKind => ({
  check: ({ apiKey, senderId, baseUrl }) =>
    [
      { path: '/apiKey', given: apiKey, message: 'the sandbox has no key' },
      { path: '/senderId', given: senderId, message: 'the sandbox knows everybody' },
      { path: '/baseUrl', given: baseUrl, message: 'the sandbox has no address' },
    ].flatMap(({ path, given, message }) => (given === null ? [] : [{ path, message }])),
  mode: 'test',
  open: () => sandboxAccessPoint(folder),
});

function sandboxAccessPoint(folder: string): AccessPoint {
  return {
    pollMs: 1_500,
    verify: async () => undefined,
    receives: async (participant) => !participant.includes(UNKNOWN_PARTICIPANT),
    submit: async ({ id, recipient, ubl, createdAt, isToFail }) => {
      const mark = isToFail ? `-${UNDELIVERED_PARTICIPANT}` : '';
      // The same document again is the same file.
      const name = `${timeInName(createdAt)}-${recipient.replace(':', '_')}-${id}${mark}.xml`;
      await keepFile(folder, name, ubl);
      return name;
    },
    progress: async (name) => {
      const { mtimeMs } = await stat(join(folder, name));
      if (Date.now() - mtimeMs < DELIVERING_MS) return { state: 'underway' };
      return name.includes(UNDELIVERED_PARTICIPANT)
        ? { state: 'failed', reason: 'the access point of the recipient refused it' }
        : { state: 'delivered', messageId: `${name}@sandbox` };
    },
    takeReports: async () => undefined,
  };
}
