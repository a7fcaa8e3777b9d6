import { randomBytes, randomUUID } from 'node:crypto';
import { type Running } from '@invoicing/service';
import { followClocks, startEventRelay, type EventRelay } from '@invoicing/events';
import {
  connectMongo,
  openHistory,
  startPurge,
  type Connection,
  type DueWorker,
  type History,
  type OrganizationClocks,
  type PersonalSource,
} from '@invoicing/mongo';
import { newCallContext, openChannel, serveRpc, type BoundService, type RpcChannel } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { catalogClient } from './catalog-client';
import { clocksService } from './clocks/clock-rpc';
import { mongoClocks } from './clocks/clock-store';
import type { PeriodPorts } from './closed-periods/close-period';
import { mongoClosedPeriods, openClosedPeriods } from './closed-periods/closed-period-store';
import { periodsService } from './closed-periods/period-rpc';
import { mongoBooks } from './exports/books-store';
import { exportsService } from './exports/export-rpc';
import { vatReturnsService } from './vat-return/vat-return-rpc';
import { invoicesService } from './invoices/invoice-rpc';
import { overviewsService } from './invoices/overview-rpc';
import { previewsService } from './invoices/preview-rpc';
import { bankStatementsService } from './bank-statements/bank-rpc';
import { mongoBankLines, mongoBankStatements, openBankLines } from './bank-statements/bank-store';
import { startBankWorker } from './bank-statements/bank-worker';
import type { BankPorts } from './bank-statements/bank-ports';
import { mongoReminderExceptions, mongoReminderPlans, mongoReminders, openReminders } from './reminders/reminder-store';
import { remindersService } from './reminders/reminder-rpc';
import { sandboxService } from './sandbox/sandbox-rpc';
import { startReminderWorker } from './reminders/reminder-worker';
import type { ReminderPorts } from './reminders/reminder-ports';
import { historyService } from './history-rpc';
import { booksHistory } from './history-store';
import { creditsService } from './mail-credits/mail-credit-rpc';
import { brandsService } from './organizations/brand-rpc';
import { organizationsService, type SignUpPorts } from './organizations/organization-rpc';
import { subscriptionsService } from './subscriptions/subscription-rpc';
import { mailClient, reminderMailClient } from './mail-client';
import { peppolClient } from './peppol-client';
import { mongoDrafts, openDrafts } from './invoices/draft-store';
import { mongoInvoices, mongoSeriesStores, openInvoices } from './invoices/invoice-store';
import { mongoCreditLedger } from './mail-credits/credit-ledger-store';
import { mongoLogos, mongoOrganizations, openOrganizations } from './organizations/organization-store';
import { accountsService } from './account/account-rpc';
import { mongoAccounts, openEntries } from './account/account-store';
import { startOverdueWorker } from './account/overdue-worker';
import { startRefundWorker } from './account/refund-worker';
import { mongoSubscriptions, mongoWaitingInvoices, openSubscriptions } from './subscriptions/subscription-store';
import { cashierClient, paymentOptionsClient, paymentProgressClient } from './checkout-client';
import { servePages } from './documents/page/page-server';
import { startSubscriptionScheduler } from './subscriptions/subscription-worker';
import { billingMigrations } from './billing-migrations';
import { openPersonalData } from './personal-data-store';
import { personalDataService } from './personal-data-rpc';
import { openPurges } from './purge-store';
import type { BillingConfig } from './config';
import { eInvoiceFile } from './documents/e-invoice-file';
import { invoiceMailsService } from './documents/invoice-mail-rpc';
import { eInvoiceViolations } from './documents/e-invoice/e-invoice-rules';
import { documentFileName } from './documents/file-name';
import { invoicePages, type InvoicePagesPorts } from './documents/page/invoice-pages';
import { dryRunLinks } from './documents/dry-run-link';
import { renderDryRun } from './documents/dry-run-documents';
import { invoiceSheet } from './documents/sheet/invoice-sheet';
import { mongoSealedSheets } from './documents/sheet/sealed-sheet-store';
import { sheetRenderer, type SheetRenderer } from './documents/sheet/sheet-renderer';
import { renderEInvoice } from './documents/e-invoice/render-e-invoice';
import { mailCredits, type MailCredits } from './mail-credits/mail-credits';
import { numberingByOrganization } from './numbering/number-series';
import { seriesKeys } from './numbering/series-keys';
import type { Ports } from './billing-ports';
import { invoicePageSource } from './documents/render-invoice';
import { periodInvoices } from './subscriptions/invoice-period';
import type { SubscriptionPorts } from './subscriptions/subscription-ports';

const DATABASE = 'billing';
const TOKEN_BYTES = 24;
const PERIOD_TIMEOUT_MS = 15_000;
const REFUND_TIMEOUT_MS = 12_000;

interface Stores {
  readonly connection: Connection;
  readonly invoices: Awaited<ReturnType<typeof openInvoices>>;
  readonly entries: Awaited<ReturnType<typeof openEntries>>;
  readonly organizations: Ports['organizations'];
  readonly drafts: Ports['drafts'];
  readonly clocks: OrganizationClocks;
  /** There are events to publish. */
  readonly wake: EventRelay['wake'];
}

/** Organisations, invoices and their pages, on one MongoDB database. Listens once the store answers. */
export async function startBilling(
  config: BillingConfig,
  log: Logger,
): Promise<Running & { port: number; httpPort: number }> {
  const { host, identity, natsUrl, selfSignUp } = config;
  const connection = await connectStore(config, log);
  const [invoices, entries] = [await openInvoices(connection), await openEntries(connection)];
  const reminders = await openReminders(connection);
  const clockStore = await mongoClocks(connection);
  const wakeable: DueWorker[] = [];
  const clocks = followClocks({ natsUrl, source: DATABASE, read: clockStore.read, workers: wakeable, log });
  // Known before anything is asked of us.
  await clocks.refresh();
  const wake: EventRelay['wake'] = (carrier) => relay.wake(carrier);
  const recorded = await recordedStores(connection, wake, clocks);
  const { organizations, drafts, subscriptions, bankLines, history, periods, closedPeriods } = recorded;
  const told = booksHistory(history, invoices, entries);
  const carriers = [invoices, entries, periods, reminders];
  const relay = startEventRelay({ natsUrl, source: DATABASE, carriers, log });
  const channels = openChannels(config);
  const sheets = sheetRenderer();
  const stores = { connection, invoices, entries, organizations, drafts, clocks, wake };
  const ports = await openPorts(config, log, stores, channels, sheets.render);

  const credits = mailCredits({ ledger: await mongoCreditLedger(connection), organizations, now: ports.now });
  const reminding = await openReminding(connection, reminders, channels, clocks, () => wake(reminders));
  const allPorts: AllPorts = {
    ...{ ...ports, ...reminding, subscriptions, bankLines, selfSignUp },
    bankStatements: await mongoBankStatements(connection),
    waiting: await mongoWaitingInvoices(connection, clocks),
    periodInvoices: periodInvoices(ports, (operationId) => newCallContext(PERIOD_TIMEOUT_MS, { operationId })),
    onRunError: (error, subscriptionId) => log.warn({ error, subscriptionId }, 'a period is tried again later'),
  };
  const services = [
    ...servicesOf(allPorts, credits, told, await openPersonalData(connection, history)),
    clocksService({ organizations, clocks: clockStore, running: clocks }),
    ...bookkeepingServices({ ...ports, books: mongoBooks(invoices, entries, recorded.draftModel), closedPeriods }),
  ];
  const purge = startPurge(await openPurges(connection, history), log);
  wakeable.push(...startWorkers(allPorts, log));
  const workers: Running[] = [...wakeable, clocks, purge, relay];

  const pages = await servePages({
    host,
    port: config.httpPort,
    pages: invoicePages(pagePorts(ports, channels.checkout, log)),
  });
  const server = await serveRpc({
    host,
    port: config.port,
    identity,
    log,
    services,
    // Mongoose follows the driver's own monitoring of the servers.
    isHealthy: () => connection.readyState === 1,
  });
  log.info({ port: server.port, httpPort: pages.port }, 'billing listens');
  return {
    port: server.port,
    httpPort: pages.port,
    close: async () => {
      await Promise.all([server.close(), pages.close()]);
      for (const worker of workers) await worker.close();
      sheets.close();
      for (const channel of Object.values(channels)) channel.close();
      await connection.close();
    },
  };
}

const connectStore = ({ mongoUri }: BillingConfig, log: Logger): Promise<Connection> =>
  connectMongo({
    uri: mongoUri,
    database: DATABASE,
    migrations: billingMigrations,
    onWaiting: (message) => log.warn(message),
    onMigration: (message) => log.info(message),
  });

/** What is done in the background, in every replica side by side. */
function startWorkers(ports: AllPorts, log: Logger): DueWorker[] {
  const failed = (what: string) => (error: unknown) => log.error({ error }, what);
  return [
    startSubscriptionScheduler(ports, failed('scheduler failed')),
    startRefundWorker(ports, () => newCallContext(REFUND_TIMEOUT_MS), failed('refunds are not looked at')),
    startOverdueWorker(ports, failed('due invoices are not looked at')),
    startBankWorker(ports, failed('bank lines are not gone on with')),
    startReminderWorker(ports, failed('reminders are not sent')),
  ];
}

const openChannels = ({ identity, ...config }: BillingConfig) => ({
  catalog: openChannel(config.catalogAddress, identity),
  checkout: openChannel(config.checkoutAddress, identity),
  notification: openChannel(config.notificationAddress, identity),
});

type AllPorts = SubscriptionPorts & BankPorts & ReminderPorts & SignUpPorts;

/** What only reminders need. */
const openReminding = async (
  connection: Connection,
  reminders: Awaited<ReturnType<typeof openReminders>>,
  channels: Record<'checkout' | 'notification', RpcChannel>,
  clocks: OrganizationClocks,
  wake: () => void,
) => ({
  reminders: mongoReminders(reminders, wake),
  reminderPlans: await mongoReminderPlans(connection, clocks),
  reminderExceptions: await mongoReminderExceptions(connection),
  reminderMail: reminderMailClient(channels.notification),
  isBeingPaid: paymentProgressClient(channels.checkout),
});

/** Everything that the verbs stand on. */
async function openPorts(
  config: BillingConfig,
  log: Logger,
  { connection, invoices, entries, organizations, drafts, clocks, wake }: Stores,
  channels: Record<'catalog' | 'checkout' | 'notification', RpcChannel>,
  renderSheet: SheetRenderer['render'],
): Promise<Ports> {
  const keys = seriesKeys(config.seriesKey);
  if (config.seriesKey === undefined) log.warn('number series are not signed: there is no SERIES_KEY_FILE');
  return {
    organizations,
    logos: await mongoLogos(connection),
    drafts,
    invoices: mongoInvoices(invoices, clocks),
    accounts: mongoAccounts(entries, () => wake(entries), clocks),
    cashier: cashierClient(channels.checkout),
    numbering: numberingByOrganization(
      mongoSeriesStores(invoices, () => wake(invoices), keys),
      {
        onBroken: (series, count, last) =>
          log.error({ series, count, last }, 'series is broken: nothing is issued in it'),
      },
    ),
    seriesKeys: keys,
    catalog: catalogClient(channels.catalog),
    mail: mailClient(channels.notification),
    peppol: peppolClient(channels.notification),
    documents: { renderSheet, renderEInvoice, eInvoiceViolations, fileName: documentFileName },
    sealedSheets: await mongoSealedSheets(connection, clocks.now),
    dryRunLinks: dryRunLinks(config.identity.token),
    publicUrl: config.publicUrl,
    now: clocks.now,
    newToken: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    newId: randomUUID,
    onError: (error) => log.warn({ error }, 'it goes on in the background'),
  };
}

/** The stores of what is recorded in an organisation's history. */
async function recordedStores(connection: Connection, wake: EventRelay['wake'], clocks: OrganizationClocks) {
  const organizations = await openOrganizations(connection);
  const drafts = await openDrafts(connection);
  const subscriptions = await openSubscriptions(connection);
  const bankLines = await openBankLines(connection);
  const closedPeriods = await openClosedPeriods(connection);
  const recorded = [organizations, drafts, subscriptions, bankLines, closedPeriods];
  const history = await openHistory(connection, recorded);
  return {
    history,
    bankLines: mongoBankLines(bankLines, history),
    draftModel: drafts,
    closedPeriods: mongoClosedPeriods(closedPeriods, history),
    periods: subscriptions,
    organizations: mongoOrganizations(organizations, history),
    drafts: mongoDrafts(drafts, history),
    subscriptions: mongoSubscriptions(subscriptions, history, () => wake(subscriptions), clocks),
  };
}

const servicesOf = (
  ports: AllPorts,
  credits: MailCredits,
  history: Pick<History, 'page'>,
  personalData: readonly PersonalSource[],
): BoundService[] => [
  organizationsService(ports),
  brandsService(ports),
  invoicesService(ports),
  invoiceMailsService(ports),
  previewsService(ports),
  overviewsService(ports),
  accountsService(ports),
  subscriptionsService(ports),
  bankStatementsService(ports),
  remindersService(ports),
  sandboxService(ports),
  creditsService(credits),
  historyService(history),
  personalDataService(personalData),
];

/** What a bookkeeper asks for. */
const bookkeepingServices = (ports: PeriodPorts): BoundService[] => [
  exportsService(ports),
  vatReturnsService(ports),
  periodsService(ports),
];

const pagePorts = (ports: Ports, checkout: RpcChannel, log: Logger): InvoicePagesPorts => ({
  findByToken: (token) => invoicePageSource(ports, token),
  dryRun: (token, file) => renderDryRun(ports, token, file),
  sheet: (source, wanted) => invoiceSheet(ports, source, { ...wanted, queue: 'page' }),
  eInvoice: (source, wanted) => eInvoiceFile(ports, source, { ...wanted, queue: 'page' }),
  paymentOptions: paymentOptionsClient(checkout),
  onError: (error) => log.warn({ error }, 'page failed'),
});
