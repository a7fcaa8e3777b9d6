import { randomUUID } from 'node:crypto';
import { VatTreatment } from '@invoicing/contracts/invoicing/billing/v1/line';
import {
  CheckoutsService,
  ProvidersService,
  RefundsService,
  type Checkout,
  type CreateCheckoutRequest,
} from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { HistoryService } from '@invoicing/contracts/invoicing/checkout/v1/history';
import { freePort } from '@invoicing/events';
import { connectMongo, type Connection } from '@invoicing/mongo';
import { openChannel, type RpcChannel, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import {
  startTestNats,
  startTestStore,
  testCall,
  testIdentity,
  type TestNats,
  type TestStore,
} from '@invoicing/testing';
import { type CheckoutConfig } from '../config';
import { startCheckout, type RunningCheckout } from '../service';
import { FakeBilling } from './fake-billing';
import { FakeCatalog } from './fake-catalog';

/** Checkout with its real store, broker, gRPC and HTTP, beside peers that speak the contract. */
export interface CheckoutRig {
  readonly url: string;
  readonly store: TestStore;
  readonly nats: TestNats;
  readonly billing: FakeBilling;
  readonly catalog: FakeCatalog;
  readonly checkouts: RpcClient<typeof CheckoutsService>;
  readonly providers: RpcClient<typeof ProvidersService>;
  readonly history: RpcClient<typeof HistoryService>;
  readonly config: CheckoutConfig;
  /** Of the sandbox's API. */
  readonly sandboxToken: string;
  /** A test organisation with the sandbox connected, unless another provider is asked for. */
  organization: (provider?: { provider: string; apiKey?: string; baseUrl?: string } | null) => Promise<string>;
  /** Removes the organisation's account, as if it had been closed after checkouts were made. */
  disconnect: (organizationId: string) => Promise<void>;
  create: (organizationId: string, wanted?: Partial<CreateCheckoutRequest>) => Promise<Checkout>;
  /** The database of the service itself. */
  database: () => Promise<Connection>;
  restart: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  close: () => Promise<void>;
}

export async function startCheckoutRig(): Promise<CheckoutRig> {
  const [store, nats, port, httpPort] = await Promise.all([startTestStore(), startTestNats(), freePort(), freePort()]);
  const url = `http://127.0.0.1:${httpPort}`;
  const billing = new FakeBilling(url);
  const catalog = new FakeCatalog();
  const config: CheckoutConfig = {
    host: '127.0.0.1',
    port,
    httpPort,
    mongoUri: store.uri,
    natsUrl: nats.url,
    publicUrl: url,
    allowLoopback: true,
    billingAddress: `127.0.0.1:${await billing.start(0)}`,
    catalogAddress: `127.0.0.1:${await catalog.start(0)}`,
    identity: testIdentity('checkout'),
    keySecret: undefined,
    allowPlainKeys: true,
  };
  const sandboxToken = randomUUID();
  const log = createLogger('checkout', process.env['LOG_LEVEL'] ?? 'silent');
  let running: RunningCheckout | undefined = await startCheckout(config, log, sandboxToken);
  const channels: RpcChannel[] = ['billing', 'admin'].map((name) =>
    openChannel(`127.0.0.1:${port}`, testIdentity(name)),
  );
  const [biller, admin] = channels as [RpcChannel, RpcChannel];
  const { getInvoicePaymentOptions } = biller.client(CheckoutsService);
  const refunds = biller.client(RefundsService);
  billing.accounts.refundPayment = (ask) => refunds.refundPayment(ask, testCall());
  const checkouts = { ...admin.client(CheckoutsService), getInvoicePaymentOptions };
  const providers = admin.client(ProvidersService);

  let connection: Connection | undefined;

  const stop = async (): Promise<void> => {
    await running?.close();
    running = undefined;
  };
  const start = async (): Promise<void> => {
    running = await startCheckout(config, log, sandboxToken);
  };
  return {
    url,
    store,
    nats,
    billing,
    catalog,
    checkouts,
    providers,
    history: admin.client(HistoryService),
    config,
    sandboxToken,
    organization: async (provider = { provider: 'sandbox' }) => {
      const { id } = billing.addOrganization();
      if (provider) await providers.connectProvider({ organizationId: id, ...provider }, testCall());
      return id;
    },
    disconnect: async (organizationId) => {
      connection ??= await connectMongo({ uri: store.uri, database: 'checkout' });
      await connection.collection('provider_accounts').deleteMany({ organizationId });
    },
    create: (organizationId, wanted = {}) =>
      checkouts.createCheckout(
        {
          organizationId,
          title: 'Workshop brood bakken',
          lines: [line('Workshop', 10_000)],
          customer: undefined,
          methods: [],
          ...wanted,
        },
        testCall({ operationId: randomUUID() }),
      ),
    database: async () => (connection ??= await connectMongo({ uri: store.uri, database: 'checkout' })),
    stop,
    start,
    restart: async () => {
      await stop();
      await start();
    },
    close: async () => {
      for (const channel of channels) channel.close();
      await stop();
      await connection?.close();
      await Promise.all([billing.stop(), catalog.stop()]);
      await nats.close();
      await store.close();
    },
  };
}

export const line = (description: string, unitPriceCents: number, vatTreatment = VatTreatment.STANDARD_21) => ({
  description,
  quantity: '1',
  unitPriceCents,
  vatTreatment,
});
