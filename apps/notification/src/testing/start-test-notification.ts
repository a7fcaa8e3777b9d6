import { connectMongo, type Collection } from '@invoicing/mongo';
import { openChannel, type RpcChannel } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import {
  startTestNats,
  startTestStore,
  tempFolder,
  testIdentity,
  type TestNats,
  type TestStore,
} from '@invoicing/testing';
import type { NotificationConfig } from '../config';
import { startNotification } from '../service';
import { startFakeBilling, type FakeBilling } from './fake-billing';

export interface TestNotification {
  readonly billing: FakeBilling;
  readonly store: TestStore;
  readonly nats: TestNats;
  readonly dataDir: string;
  readonly httpUrl: string;
  /** Of its gRPC. */
  readonly port: number;
  /** Calls the service as this identity. */
  channel: (identity: string) => RpcChannel;
  /** What the service has stored. */
  collection: (name: string) => Collection<{ _id: string }>;
  /** Stops the service alone; what it has stored can still be read. */
  stop: () => Promise<void>;
  close: () => Promise<void>;
}

/** The whole service in this process on its real parts, with a billing of ours beside it. */
export async function startTestNotification(
  changes: (parts: { billing: FakeBilling }) => Partial<NotificationConfig> = () => ({}),
): Promise<TestNotification> {
  const [store, nats, billing] = await Promise.all([startTestStore(), startTestNats(), startFakeBilling()]);
  const folder = tempFolder();
  const config: NotificationConfig = {
    host: '127.0.0.1',
    port: 0,
    httpPort: 0,
    mongoUri: store.uri,
    natsUrl: nats.url,
    identity: testIdentity('notification'),
    billingAddress: billing.address,
    dataDir: folder.path,
    smtp: undefined,
    testMail: 'send',
    bounceHookSecret: undefined,
    mailFrom: 'Facturen <invoices@example.com>',
    showInbox: true,
    publicHost: 'localhost',
    allowLoopbackTargets: true,
    webhookSecretKey: 'a key for tests',
    providerKeySecret: 'another key for tests',
    allowPlainKeys: false,
    pingen: undefined,
    ...changes({ billing }),
  };
  const notification = await startNotification(
    config,
    createLogger('notification', process.env['LOG_LEVEL'] ?? 'silent'),
  );
  const database = await connectMongo({ uri: config.mongoUri, database: 'notification' });
  const channels: RpcChannel[] = [];
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    channels.forEach((channel) => channel.close());
    return (stopped ??= notification.close());
  };
  return {
    billing,
    store,
    nats,
    dataDir: folder.path,
    httpUrl: `http://127.0.0.1:${notification.httpPort}`,
    port: notification.port,
    channel: (identity) => {
      const channel = openChannel(`127.0.0.1:${notification.port}`, testIdentity(identity));
      channels.push(channel);
      return channel;
    },
    collection: (name) => database.collection<{ _id: string }>(name),
    stop,
    close: async () => {
      await stop();
      await database.close();
      await Promise.all([billing.close(), nats.close(), store.close()]);
      folder.remove();
    },
  };
}
