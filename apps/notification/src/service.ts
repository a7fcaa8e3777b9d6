import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { ConfigError } from '@invoicing/config';
import { type Running } from '@invoicing/service';
import { followClocks, startEventRelay } from '@invoicing/events';
import {
  connectMongo,
  openHistory,
  startDueWorker,
  startPurge,
  type Connection,
  type DueWorker,
  type OrganizationClocks,
} from '@invoicing/mongo';
import { CreditsService } from '@invoicing/contracts/invoicing/billing/v1/credits';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { openChannel, serveRpc, type RpcClient } from '@invoicing/rpc';
import type { Logger } from '@invoicing/telemetry';
import type { NotificationConfig } from './config';
import { notificationMigrations } from './notification-migrations';
import { subscribeToEvents } from './event-subscription';
import { eventHandler } from './event-handler';
import { historyService } from './history-rpc';
import { letterSender } from './letters/letter-sender';
import { openPersonalData } from './personal-data-store';
import { personalDataService } from './personal-data-rpc';
import { openPurges } from './purge-store';
import { openLetterStore } from './letters/letter-store';
import { lettersService } from './letters/letter-rpc';
import { accessPointKeys } from './peppol/access-point-keys';
import { accessPointKinds, accessPointOpener } from './peppol/access-point-kinds';
import { openAccessPointStore } from './peppol/access-point-store';
import { openPeppolDeliveryStore } from './peppol/peppol-delivery-store';
import { peppolSender } from './peppol/peppol-sender';
import { peppolService } from './peppol/peppol-rpc';
import { openRecipientStore } from './peppol/recipient-store';
import { pingenCarrier } from './letters/pingen-carrier';
import { sandboxCarrier } from './letters/sandbox-carrier';
import { testEventsService } from './test-events/test-event-rpc';
import { openTestEvents } from './test-events/test-event-store';
import {
  clocksClient,
  invoiceSource,
  mailQuotaSource,
  organizationMode,
  testModeSource,
  type InvoiceSource,
} from './billing-client';
import { parseMailFrom } from './mail/mail-address';
import { BOUNCE_PATH, bounceRoute } from './mail/bounce-routes';
import { mailService } from './mail/mail-rpc';
import { senderService } from './mail/sender-rpc';
import { mailQuota } from './mail/mail-quota';
import { openMailDays } from './mail/mail-quota-store';
import { openMailStore } from './mail/mail-store';
import { mailboxTransport } from './mail/mailbox-transport';
import { invoiceMailer } from './mail/invoice-mailer';
import { smtpTransport } from './mail/smtp-transport';
import { servePages } from './dev-pages/page-server';
import type { KnownSecrets } from './dev-pages/verify-received';
import { startDeliveryRunner } from './webhooks/delivery-worker';
import { openDeliveryStore } from './webhooks/delivery-store';
import { openEndpointStore } from './webhooks/endpoint-store';
import { webhookSecrets } from './webhooks/webhook-secrets';
import { webhookClient } from './webhooks/webhook-client';
import { webhooksService } from './webhooks/webhook-rpc';

const POLL_MS = 1_000;
const MAILS_AT_ONCE = 8;
const CONNECTIONS_PER_HOST = 32;

/** E-mail, webhooks and letters over gRPC, from events, and the inbox page, on one MongoDB database. Listens once the store answers. */
export async function startNotification(
  config: NotificationConfig,
  log: Logger,
): Promise<Running & { port: number; httpPort: number }> {
  const { host, identity, natsUrl } = config;
  const from = senderOf(config);
  const onError = (error: unknown): void => log.error({ error }, 'round failed');
  const connection = await connectStore(config, log);
  const billing = openChannel(config.billingAddress, identity);
  const [mailbox, post, sent] = ['mail', 'post', 'peppol'].map((name) => join(config.dataDir, name)) as Folders;
  const woken: Pick<DueWorker, 'wake'>[] = [];
  const clocks = followClocks({ natsUrl, source: 'notification', read: clocksClient(billing), workers: woken, log });
  const onEvents = (): void => relay.wake();
  const mails = await openMailStore(connection, onEvents, clocks);
  const transport = config.smtp ? smtpTransport(config.smtp) : mailboxTransport(mailbox);
  const testTransport = config.testMail === 'send' ? transport : mailboxTransport(mailbox);
  const [invoices, organizations] = [invoiceSource(billing), billing.client(OrganizationsService)];
  const quota = mailQuota(await openMailDays(connection), mailQuotaSource(organizations));
  const mailer = invoiceMailer({ mails, invoices, transport, testTransport, quota, from, log });
  const mailWorker = startDueWorker({ round: () => mailer.sendDue(MAILS_AT_ONCE), pollMs: POLL_MS, onError });

  const letterStore = await openLetterStore(connection, clocks);
  const letterPorts = { letters: letterStore, invoices, credits: billing.client(CreditsService), log };
  const letters = letterSender({ ...letterPorts, ...carriersOf(config, post) });
  const letterWorker = startDueWorker({ round: letters.workDue, pollMs: POLL_MS, onError });
  const peppol = await openPeppol(config, connection, { clocks, organizations, invoices, folder: sent, onEvents }, log);
  const peppolWorker = startDueWorker({ round: peppol.sender.workDue, pollMs: POLL_MS, onError });
  const webhooks = await startWebhooks(config, connection, { clocks, organizations }, log);
  const workers = [mailWorker, letterWorker, peppolWorker];
  woken.push(...workers, webhooks.runner);
  const recorded = [mails.model, letterStore.model, peppol.model, webhooks.endpoints.model];
  const history = await openHistory(connection, recorded);
  const purge = startPurge({ ...(await openPurges(connection, [mailbox, post, sent])), history: history.purge }, log);
  const relay = startEventRelay({ natsUrl, source: 'notification', carriers: [mails.model, peppol.model], log });
  const onDue = (): void => workers.forEach((worker) => worker.wake());
  const handle = eventHandler({ ...webhooks, mailer, letters, peppol: peppol.sender, onDue });
  const events = subscribeToEvents(natsUrl, handle, log);
  const hooks = { [BOUNCE_PATH]: bounceRoute({ mails, secret: config.bounceHookSecret, log }) };
  const pages = await servePages(host, config.httpPort, devPagesOf(config, mailbox, webhooks, log), hooks, log);
  const server = await serveRpc({
    host,
    port: config.port,
    identity,
    log,
    services: [
      mailService(mailer, mails, { transport, from }),
      senderService({ transport, from, smtp: config.smtp }),
      lettersService(letterStore, invoices),
      peppol.service,
      historyService(history),
      personalDataService(await openPersonalData(connection, [mailbox, post, sent])),
      webhooksService({ ...webhooks, organizations }),
      testEventsService(webhooks.testEvents, { mails, invoices, peppol: peppol.sender, ...peppol.connecting }),
    ],
    isHealthy: () => connection.readyState === 1 && events.isConnected(),
  });
  log.info({ port: server.port, httpPort: pages.port }, 'notification listens');
  return {
    port: server.port,
    httpPort: pages.port,
    close: async () => {
      await Promise.all([server.close(), pages.close(), events.close()]);
      for (const worker of [...workers, purge, mailer, peppol.sender, relay, webhooks.runner]) await worker.close();
      await clocks.close();
      await webhooks.client.close();
      for (const link of [transport, billing]) link.close();
      await connection.close();
    },
  };
}

const connectStore = ({ mongoUri }: NotificationConfig, log: Logger): Promise<Connection> =>
  connectMongo({
    uri: mongoUri,
    database: 'notification',
    migrations: notificationMigrations,
    onWaiting: (message) => log.warn(message),
    onMigration: (message) => log.info(message),
  });

type Folders = [mailbox: string, post: string, sent: string];

const devPagesOf = (
  { showInbox, publicHost }: NotificationConfig,
  mailbox: string,
  known: KnownSecrets,
  log: Logger,
): (() => Promise<RequestListener>) | undefined =>
  showInbox
    ? () => import('./dev-pages/dev-pages').then((loaded) => loaded.devPages(mailbox, known, publicHost, log))
    : undefined;

function senderOf({ mailFrom }: NotificationConfig) {
  const from = parseMailFrom(mailFrom);
  if (!from) throw new ConfigError('MAIL_FROM: is not an address');
  return from;
}

function carriersOf({ pingen }: NotificationConfig, folder: string) {
  const testCarrier = sandboxCarrier(folder);
  return { testCarrier, carrier: pingen ? pingenCarrier(pingen) : testCarrier };
}

async function openPeppol(
  config: NotificationConfig,
  connection: Connection,
  from: {
    readonly clocks: OrganizationClocks;
    readonly organizations: RpcClient<typeof OrganizationsService>;
    readonly invoices: InvoiceSource;
    /** Of the sandbox. */
    readonly folder: string;
    readonly onEvents: () => void;
  },
  log: Logger,
) {
  const { clocks, invoices, folder, onEvents } = from;
  const deliveries = await openPeppolDeliveryStore(connection, onEvents, clocks);
  const keys = accessPointKeys(config.providerKeySecret, config.allowPlainKeys);
  const accounts = await openAccessPointStore(connection, keys);
  const recipients = await openRecipientStore(connection);
  const kinds = accessPointKinds(folder, config.allowLoopbackTargets);
  const ports = { deliveries, accounts, recipients, invoices, openAccessPoint: accessPointOpener(kinds), log };
  const sender = peppolSender(ports);
  const modeOf = organizationMode(from.organizations);
  const connecting = { kinds, accounts, modeOf, now: clocks.now, allowLoopback: config.allowLoopbackTargets };
  const service = peppolService(ports, connecting, sender);
  return { sender, connecting, model: deliveries.model, service };
}

async function startWebhooks(
  config: NotificationConfig,
  connection: Connection,
  { clocks, organizations }: { clocks: OrganizationClocks; organizations: RpcClient<typeof OrganizationsService> },
  log: Logger,
) {
  const endpoints = await openEndpointStore(connection);
  const deliveries = await openDeliveryStore(connection, clocks);
  const secrets = webhookSecrets(config.webhookSecretKey);
  const allowLoopback = config.allowLoopbackTargets;
  const client = webhookClient({ allowLoopback, connections: CONNECTIONS_PER_HOST });
  const runner = startDeliveryRunner({ deliveries, endpoints, client, secrets, log });
  const testEvents = await openTestEvents(connection);
  const isTest = testModeSource(organizations);
  return { endpoints, deliveries, secrets, client, runner, allowLoopback, testEvents, isTest };
}
