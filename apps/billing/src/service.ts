import { randomBytes, randomUUID } from 'node:crypto';
import type { Collection, Document } from 'mongodb';
import { type Running } from '@invoicing/config';
import { connectMongo } from '@invoicing/mongo';
import { openChannel, serveRpc, type BoundService } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { catalogClient } from './adapters/catalog-client';
import { startEventRelay } from './adapters/event-relay';
import { invoicesService } from './adapters/grpc-invoices';
import { organizationsService } from './adapters/grpc-organizations';
import { mailClient } from './adapters/mail-client';
import { mongoDrafts } from './adapters/mongo-drafts';
import { invoiceCollection, mongoInvoices, mongoSeriesStore } from './adapters/mongo-invoices';
import { mongoLogos, mongoOrganizations } from './adapters/mongo-organizations';
import { mongoPayments, paymentCollection } from './adapters/mongo-payments';
import { servePages } from './adapters/pages-server';
import type { BillingConfig } from './config';
import { renderPdf } from './documents/render-pdf';
import { createNumbering } from './usecases/number-series';
import type { Ports } from './usecases/ports';

const DATABASE = 'billing';
const TOKEN_BYTES = 24;

/** Organisations, invoices and their pages, on one MongoDB database. Listens once the store answers. */
export async function startBilling(
  config: BillingConfig,
  log: Logger,
): Promise<Running & { port: number; httpPort: number }> {
  const { host, identity } = config;
  const connection = await connectMongo({
    uri: config.mongoUri,
    database: DATABASE,
    onWaiting: (message) => log.warn(message),
  });
  const db = connection.getClient().db(DATABASE);
  const invoices = await invoiceCollection(db);
  const payments = await paymentCollection(db);
  const relay = startEventRelay({
    natsUrl: config.natsUrl,
    collections: [invoices, payments] as unknown as Collection<Document>[],
    log,
  });
  const channels = {
    catalog: openChannel(config.catalogAddress, identity),
    notification: openChannel(config.notificationAddress, identity),
  };
  const now = (): Date => new Date();
  const ports: Ports = {
    organizations: await mongoOrganizations(db),
    logos: mongoLogos(db),
    drafts: await mongoDrafts(db),
    invoices: mongoInvoices(invoices),
    payments: mongoPayments(payments, now, relay.wake),
    numbering: createNumbering(mongoSeriesStore(invoices, relay.wake), {
      onBroken: (series, count, last) =>
        log.error({ series, count, last }, 'series is broken: nothing is issued in it'),
    }),
    catalog: catalogClient(channels.catalog),
    mail: mailClient(channels.notification),
    documents: {
      renderPdf,
      renderUbl: () => '',
      eInvoiceViolations: () => [{ path: '', message: 'e-invoices are not made yet' }],
    },
    publicUrl: config.publicUrl,
    now,
    newToken: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    newId: randomUUID,
    onError: (error) => log.warn({ error }, 'the e-mail goes on in the background'),
  };

  // Subscriptions and mail credits add theirs to these lists.
  const services: BoundService[] = [organizationsService(ports), invoicesService(ports)];
  const workers: Running[] = [relay];

  const pages = await servePages({ host, port: config.httpPort, routers: [] });
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
      for (const channel of Object.values(channels)) channel.close();
      await connection.close();
    },
  };
}
