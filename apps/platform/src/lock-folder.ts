import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';

/**
 * Takes a folder for this process, from before any file in it is touched until the process ends, however it ends: a name that the kernel
 * keeps for one holder. It closes the seconds before platform.json says who runs here. Only Linux has such names.
 */
export async function lockFolder(folder: string): Promise<void> {
  if (process.platform !== 'linux') return;
  const holder = createServer().unref();
  holder.listen(`\0invoicing:${createHash('sha256').update(realpathSync(folder)).digest('hex')}`);
  try {
    await once(holder, 'listening');
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    throw new Error(
      `another one is starting or stopping on ${folder}; for one more beside it set DATA_DIR and GATEWAY_PORT`,
    );
  }
}
