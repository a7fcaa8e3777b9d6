import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { ReferencesService } from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { runProcess } from '@invoicing/service';
import { connectMongo, nativeCollection, type Db } from '@invoicing/mongo';
import { serveRpc } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { openService, startTestStore, testIdentity } from '@invoicing/testing';
import { newDocument, openSubscriptions } from '../subscriptions/subscription-store';
import { startOfDay } from '../subscriptions/recurrence';
import { NEVER, type Subscription } from '../subscriptions/subscription';
import { startBilling } from '../service';
import { addOrganization, testOrganizations } from './real-ports';
import { v4 as uuidv4 } from 'uuid';

const HOST = '127.0.0.1';
const NOBODY = '127.0.0.1:1';
const LOG_LEVEL = process.env['LOG_LEVEL'] ?? 'silent';

/** When this process was forked as a replica of billing it becomes one, and the answer is true. */
export function becomeReplica(): boolean {
  const { REPLICA_OF: mongoUri, REPLICA_CATALOG: catalogAddress } = process.env;
  if (mongoUri === undefined || catalogAddress === undefined) return false;
  runProcess('billing', () =>
    startBilling(
      {
        host: HOST,
        port: 0,
        httpPort: 0,
        mongoUri,
        natsUrl: `nats://${NOBODY}`,
        publicUrl: 'http://127.0.0.1',
        catalogAddress,
        checkoutAddress: NOBODY,
        notificationAddress: NOBODY,
        identity: testIdentity('billing'),
      },
      createLogger('billing', LOG_LEVEL),
    ),
  );
  return true;
}

export interface Fleet {
  readonly db: Db;
  /** Due today, of one organisation, with the id of each. */
  subscribe: (count: number) => Promise<string[]>;
  startReplica: (flags?: readonly string[]) => Promise<ChildProcess>;
  close: () => Promise<void>;
}

/** A store, a catalog that knows every customer, and as many replicas of billing, each a process, as are started. */
export async function startFleet(): Promise<Fleet> {
  const store = await startTestStore();
  const connection = await connectMongo({ uri: store.uri, database: 'billing' });
  await connection.dropDatabase();
  const db = connection.db!;
  const organizations = await testOrganizations(connection);
  const subscriptions = nativeCollection(await openSubscriptions(connection));
  const catalog = await serveRpc({
    host: HOST,
    port: 0,
    identity: testIdentity('catalog'),
    log: createLogger('catalog', 'silent'),
    isHealthy: () => true,
    services: [
      openService(ReferencesService, {
        resolveReferences: async ({ organizationId, customerIds }) => {
          const details = { name: 'Koper', email: 'koper@example.com', countryCode: 'NL' };
          const at = new Date();
          return {
            customers: customerIds.map((id) => ({
              ...{ id, organizationId, details, createdAt: at, updatedAt: at },
              warnings: [],
            })),
            products: [],
            mergedCustomers: {},
            mergedProducts: {},
          };
        },
      }),
    ],
  });
  const replicas = new Set<ChildProcess>();
  return {
    db,
    subscribe: async (count) => {
      const organization = await addOrganization({ organizations });
      const today = new Date().toISOString().slice(0, 10);
      const ids: string[] = [];
      while (ids.length < count) {
        const some = Array.from({ length: Math.min(1_000, count - ids.length) }, () =>
          newDocument(subscriptionDue(today, organization._id, organization.profiles[0]!.id)),
        );
        await subscriptions.insertMany(some);
        ids.push(...some.map(({ _id }) => _id));
      }
      return ids;
    },
    startReplica: async (flags = []) => {
      const env = { ...process.env, REPLICA_OF: store.uri, REPLICA_CATALOG: `${HOST}:${catalog.port}` };
      const child = fork(process.argv[1]!, { env, execArgv: ['--max-semi-space-size=2', ...flags] });
      replicas.add(child);
      child.once('exit', () => replicas.delete(child));
      await Promise.race([once(child, 'message'), once(child, 'exit')]);
      return child;
    },
    close: async () => {
      await Promise.all(
        [...replicas].map(async (child) => {
          child.kill('SIGTERM');
          await once(child, 'exit');
        }),
      );
      await catalog.close();
      await connection.close();
      await store.close();
    },
  };
}

/** Highest resident memory of a process so far, in MiB; Linux only, as are the figures. */
export function peakMemoryMb(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

const subscriptionDue = (date: string, organizationId: string, profileId: string): Subscription => ({
  _id: uuidv4(),
  organizationId,
  customerId: uuidv4(),
  profileId,
  lines: [{ description: 'Hosting', unitPriceCents: 1000 }],
  freq: 'monthly',
  interval: 1,
  startDate: date,
  autoSendEmail: true,
  autoSendPost: false,
  status: 'active',
  nextIndex: 0,
  nextRunDate: date,
  lastRunDate: null,
  pauses: [],
  pausedFrom: null,
  dueAt: startOfDay(date, 'Europe/Amsterdam'),
  attempts: 0,
  lastError: '',
  seenAt: NEVER,
  createdAt: new Date(),
});
