import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { PlatformConfig } from './config';

interface LastState {
  readonly pid: number;
  readonly gatewayUrl: string;
}

/** A folder has one platform: a second one would take over its logs, its broker's files and the file by which operators find it. */
export async function assertNotRunning(dataDir: string, stateFile: string): Promise<void> {
  const last = lastState(stateFile);
  if (!last || !isAlive(last.pid)) return;
  // A platform that was killed left the file, and its number may be another process's by now.
  const answers = await fetch(`${last.gatewayUrl}/api/health`, { signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
  if (answers)
    throw new Error(
      `already running at ${last.gatewayUrl} on ${dataDir}; for another one beside it set DATA_DIR and GATEWAY_PORT`,
    );
}

function lastState(stateFile: string): LastState | undefined {
  try {
    return JSON.parse(readFileSync(stateFile, 'utf8')) as LastState;
  } catch {
    // Never written, or cut short when the machine went down: nothing that runs has such a file.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Throws a sentence for the operator when something else listens where the gateway is to listen. */
export async function assertPortIsFree({ gatewayHost, gatewayPort }: PlatformConfig): Promise<void> {
  const probe = createServer();
  probe.listen(gatewayPort, gatewayHost);
  try {
    await once(probe, 'listening');
  } catch (error) {
    const reason =
      (error as { code?: string }).code === 'EADDRINUSE'
        ? 'is already in use'
        : `cannot be used: ${(error as Error).message}`;
    throw new Error(`port ${gatewayPort} on ${gatewayHost} ${reason}; set GATEWAY_PORT to another one`);
  }
  probe.close();
  await once(probe, 'close');
}
