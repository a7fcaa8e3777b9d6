import { randomBytes } from 'node:crypto';
import { type Running } from '@invoicing/service';
import { connectEvents, followClocks, startOutboxRelay } from '@invoicing/events';
import {
  connectMongo,
  openHistory,
  startPurge,
  type Collection,
  type Connection,
  type DueWorker,
  type History,
  type OrganizationClocks,
} from '@invoicing/mongo';
import { newCallContext, openChannel, serveRpc, type BoundService } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { callbackRoutes } from './providers/callback-routes';
import { startDueSessionWorker } from './sessions/due-session-worker';
import { historyService } from './history-rpc';
import { checkoutServices } from './checkout-rpc';
import { httpApp, serveHttp } from './pages/page-server';
import { keyVault } from './providers/key-vault';
import { openAccountStore } from './providers/account-store';
import { mongoSessions, openSessions } from './sessions/session-store';
import { billingClient, clocksClient } from './billing-client';
import { catalogClient } from './catalog-client';
import { kindOf, providerKinds, providerOpener, type ProviderKinds } from './providers/provider-kinds';
import { openSandboxPayments } from './providers/sandbox/sandbox-payment';
import { sandboxServer } from './providers/sandbox/sandbox-server';
import { reporter } from './sessions/session-reporter';
import { type Ports, type ProviderAccount } from './sessions/session-ports';
import { sessionBrands } from './pages/session-brand';
import { sessionRoutes } from './pages/session-routes';
import { checkoutSource, invoiceSource } from './pages/session-sources';
import { openPersonalData } from './personal-data-store';
import { personalDataService } from './personal-data-rpc';
import { openPurges } from './purge-store';
import { checkoutMigrations } from './checkout-migrations';
import { type CheckoutConfig } from './config';

const DUE_POLL_MS = 500;
const SESSIONS_AT_ONCE = 16;

export interface RunningCheckout extends Running {
  readonly port: number;
  readonly httpPort: number;
}

/** Sessions, payments and their pages. Listens once the store and the broker answer; peers may come and go. */
export async function startCheckout(
  config: CheckoutConfig,
  log: Logger,
  // Of this process: the sandbox that it speaks to is its own.
  sandboxToken = randomBytes(32).toString('base64url'),
): Promise<RunningCheckout> {
  const { host, identity, publicUrl, natsUrl } = config;
  const onError = (error: unknown): void => log.error({ error }, 'background work failed');
  const { connection, events } = await connect(config, log);
  const billing = openChannel(config.billingAddress, identity);
  const workers: DueWorker[] = [];
  const clocks = followClocks({ natsUrl, source: 'checkout', read: clocksClient(billing), workers, log });
  const { sessions, history } = await openStores(connection, clocks);
  const accounts = await openAccountStore(connection, keyVault(config.keySecret, config.allowPlainKeys));
  const payments = await openSandboxPayments(connection, clocks);
  const catalog = openChannel(config.catalogAddress, identity);

  let ownHttpPort = config.httpPort;
  const sandboxUrl = () => `http://${host}:${ownHttpPort}`;
  const kinds = providerKinds({ sandboxUrl, token: sandboxToken, publicUrl });
  const ports = {
    sessions,
    accounts,
    openProvider: providerOpener(kinds, Date.now),
    modeOf: (account: Parameters<Ports['modeOf']>[0]) => kindOf(kinds, account.provider).mode(account),
    billing: billingClient(billing),
    catalog: catalogClient(catalog),
    clock: clocks,
    report: reporter(log),
    newCall: newCallContext,
    wake: () => workers.forEach((worker) => worker.wake()),
    publicUrl,
    allowLoopback: config.allowLoopback,
  };

  const routes = routesOf(ports, kinds, sandboxServer({ payments, token: sandboxToken, publicUrl, log }));
  const http = await serveHttp(httpApp(routes, publicUrl, log), host, config.httpPort);
  ownHttpPort = http.port;
  const rpc = await serveRpc({
    host,
    port: config.port,
    identity,
    log,
    services: [...checkoutServices(ports, kinds), ...(await ownedServices(connection, history))],
    isHealthy: () => connection.readyState === 1,
  });
  const [settling, watching] = startSessionWorkers(ports, onError);
  const relay = startOutboxRelay({
    connection: events,
    source: 'checkout',
    collections: [sessions.collection as unknown as Collection],
    onError,
  });
  const purge = startPurge({ ...(await openPurges(connection)), history: history.purge }, log);
  workers.push(settling, watching, relay);
  log.info({ port: rpc.port, httpPort: http.port }, 'checkout listens');

  return {
    port: rpc.port,
    httpPort: http.port,
    close: async () => {
      await Promise.all([http.close(), rpc.close()]);
      await Promise.all([settling, watching, purge, clocks].map((each) => each.close()));
      await relay.close();
      await events.drain();
      for (const channel of [billing, catalog]) channel.close();
      await connection.close();
    },
  };
}

/** What is asked of every service that keeps data of organisations. */
const ownedServices = async (connection: Connection, history: History): Promise<BoundService[]> => [
  historyService(history),
  personalDataService(await openPersonalData(connection, history)),
];

async function openStores(connection: Connection, clocks: OrganizationClocks) {
  const sessions = await openSessions(connection);
  const history = await openHistory(connection, [sessions]);
  return { history, sessions: mongoSessions(sessions, history, clocks) };
}

async function connect({ mongoUri, natsUrl }: CheckoutConfig, log: Logger) {
  const onWaiting = (message: string): void => log.warn(message);
  const onMigration = (message: string): void => log.info(message);
  const [connection, events] = await Promise.all([
    connectMongo({ uri: mongoUri, database: 'checkout', migrations: checkoutMigrations, onWaiting, onMigration }),
    connectEvents({ url: natsUrl, name: 'checkout', onWaiting }),
  ]);
  return { connection, events };
}

function routesOf(ports: Ports, kinds: ProviderKinds, sandbox: ReturnType<typeof sandboxServer>) {
  const formTargets = (account: Pick<ProviderAccount, 'provider' | 'apiKey' | 'baseUrl'>) =>
    kindOf(kinds, account.provider).formTargets(account);
  const brandOf = sessionBrands(ports);
  return {
    checkouts: sessionRoutes({ ports, source: checkoutSource(ports), brandOf, formTargets }),
    invoices: sessionRoutes({ ports, source: invoiceSource(ports), brandOf, formTargets }),
    callbacks: callbackRoutes(ports),
    sandbox,
  };
}

/** One for each kind of work: however many payments wait for a provider that hangs, what was paid elsewhere is invoiced at once. */
function startSessionWorkers(
  ports: Ports,
  onError: (error: unknown) => void,
): [settling: DueWorker, watching: DueWorker] {
  const options = { ports, onError, pollMs: DUE_POLL_MS, concurrency: SESSIONS_AT_ONCE };
  return [
    startDueSessionWorker({ ...options, work: 'settling' }),
    startDueSessionWorker({ ...options, work: 'watching' }),
  ];
}
