import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { runProcess } from '@invoicing/service';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { freePort } from '@invoicing/events';
import { openChannel } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startEmbeddedMongo, tempFolder, testIdentity } from '@invoicing/testing';
import { startBilling } from '../service';
import { servePeers } from './billing-peers';

const HOST = '127.0.0.1';
const NOBODY = '127.0.0.1:1';
const LOG_LEVEL = process.env['LOG_LEVEL'] ?? 'silent';
const STORE_KILL_SHARE = 0.05;
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 1_200;

export type FragileBilling = Awaited<ReturnType<typeof startFragileBilling>>;

/** When this process was forked as one of the parts it becomes it, and the answer is true. */
export async function becomePart(): Promise<boolean> {
  const {
    CHAOS_PART: part,
    CHAOS_PORT: port,
    CHAOS_FOLDER: folder,
    CHAOS_URI: mongoUri,
    CHAOS_PEERS: peers,
  } = process.env;
  if (part === 'store') {
    runProcess('store', () => startEmbeddedMongo({ folder: folder!, host: HOST, port: Number(port) }));
  } else if (part === 'issuer') {
    runProcess('billing', () =>
      startBilling(
        {
          host: HOST,
          port: Number(port),
          httpPort: 0,
          mongoUri: mongoUri!,
          natsUrl: `nats://${NOBODY}`,
          publicUrl: 'http://127.0.0.1',
          catalogAddress: peers!,
          checkoutAddress: NOBODY,
          notificationAddress: peers!,
          identity: testIdentity('billing'),
        },
        createLogger('billing', LOG_LEVEL),
      ),
    );
  }
  return part !== undefined;
}

/** A store and several processes of billing, each a child that can be killed and comes back on its port. */
export async function startFragileBilling(issuers: number) {
  const given = process.env['MONGODB_URI'];
  const folder = tempFolder();
  const storePort = await freePort();
  const mongoUri = given ?? `mongodb://${HOST}:${storePort}/?replicaSet=embedded`;
  const { peers, port: peersPort, close: closePeers } = await servePeers(createLogger('peers', LOG_LEVEL));

  const startStore = () => part('store', { CHAOS_PORT: String(storePort), CHAOS_FOLDER: folder.path });
  const startIssuer = (port: number) =>
    part('issuer', { CHAOS_PORT: String(port), CHAOS_URI: mongoUri, CHAOS_PEERS: `${HOST}:${peersPort}` });
  let store = given ? undefined : await startStore();
  const ports = await Promise.all(Array.from({ length: issuers }, freePort));
  const running = await Promise.all(ports.map(startIssuer));
  const clients = ['gateway', 'admin'].map((caller) =>
    ports.map((port) => {
      const channel = openChannel(`${HOST}:${port}`, testIdentity(caller));
      return {
        caller,
        close: channel.close,
        invoices: channel.client(InvoicesService),
        organizations: channel.client(OrganizationsService),
      };
    }),
  );
  let coming: Promise<unknown> = Promise.resolve();

  return {
    mongoUri,
    addCustomer: (organizationId: string) => peers.addCustomer(organizationId, {}),
    /** A client of any of the processes. */
    client: (caller: 'gateway' | 'admin') => {
      const each = clients.flat().filter((client) => client.caller === caller);
      return each[Math.floor(Math.random() * each.length)]!;
    },
    /** Kills one part after the other, without warning; each comes back while others run. Answers how many. */
    killAtRandomUntil: async (endsAt: number) => {
      const kills = { issuers: 0, store: 0 };
      while (Date.now() < endsAt) {
        await new Promise((resolve) =>
          setTimeout(resolve, MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS)),
        );
        await coming;
        if (store && Math.random() < STORE_KILL_SHARE) {
          await kill(store);
          store = await startStore();
          kills.store++;
        } else {
          const victim = Math.floor(Math.random() * issuers);
          await kill(running[victim]!);
          coming = startIssuer(ports[victim]!).then((child) => (running[victim] = child));
          kills.issuers++;
        }
      }
      await coming;
      return kills;
    },
    close: async () => {
      for (const client of clients.flat()) client.close();
      await Promise.all(running.map(kill));
      if (store) await kill(store);
      await closePeers();
      folder.remove();
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function part(name: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = fork(process.argv[1]!, { env: { ...process.env, ...env, CHAOS_PART: name } });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start`))),
  ]);
  return child;
}
