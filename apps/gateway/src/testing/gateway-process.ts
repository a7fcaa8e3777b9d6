import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { testIdentity, type TestStore } from '@invoicing/testing';

const ROOT = resolve(__dirname, '../../../..');

/** Bundles the gateway as the build does, into a folder of its own. */
export function bundleGateway(): string {
  // Beside the real bundles: the native modules are found from there.
  const folder = mkdtempSync(join(ROOT, 'dist/gateway-test-'));
  const script = `import { bundle } from './tools/bundle.mjs';
    import { writeSite } from './apps/gateway/site.mjs';
    await bundle([{ in: 'apps/gateway/src/main.ts', out: 'main' }], ${JSON.stringify(folder)});
    writeSite(${JSON.stringify(join(folder, 'site'))});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: ROOT });
  return folder;
}

export interface GatewayProcess {
  readonly url: string;
  readonly rpcAddress: string;
  readonly child: ChildProcess;
  /** As a crash would: nothing is finished, nothing is said. */
  kill: () => Promise<void>;
}

/** One gateway as its own process, as in production. */
export async function startGatewayProcess(
  folder: string,
  store: TestStore,
  services: string,
  env: NodeJS.ProcessEnv = {},
): Promise<GatewayProcess> {
  const { token, tokenHashes } = testIdentity('gateway');
  // Imported as late as the gateway itself imports it.
  const { freePort } = await import('@invoicing/events');
  const [port, rpcPort] = [await freePort(), await freePort()];
  const child = fork(join(folder, 'main.js'), {
    env: {
      PATH: process.env['PATH'],
      MONGODB_URI: store.uri,
      SERVICE_TOKEN: token,
      SERVICE_TOKEN_HASHES: [...tokenHashes].map(([name, hash]) => `${name}=${hash}`).join(','),
      BILLING_ADDRESS: services,
      CATALOG_ADDRESS: services,
      CHECKOUT_ADDRESS: services,
      NOTIFICATION_ADDRESS: services,
      GATEWAY_PORT: String(port),
      GATEWAY_GRPC_PORT: String(rpcPort),
      LOG_LEVEL: 'fatal',
      DEADLINE_SCALE: process.env['TIME_SCALE'] ?? '1',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (typeof message !== 'object') throw new Error('the gateway did not start');
  return {
    url: `http://127.0.0.1:${port}`,
    rpcAddress: `127.0.0.1:${rpcPort}`,
    child,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}
