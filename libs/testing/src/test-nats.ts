import { startNatsServer } from '@invoicing/events';
import { tempFolder } from './temp-folder';

export interface TestNats {
  readonly url: string;
  readonly folder: string;
  close: () => Promise<void>;
}

/** A real broker for a test, in a temporary folder. */
export async function startTestNats(): Promise<TestNats> {
  const folder = tempFolder();
  const server = await startNatsServer({ folder: folder.path });
  return {
    url: server.url,
    folder: folder.path,
    close: async () => {
      await server.close();
      folder.remove();
    },
  };
}
