import { type Running } from '@invoicing/service';
import { connectMongo, openHistory, startPurge } from '@invoicing/mongo';
import { serveRpc } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { type CatalogConfig } from './config';
import { catalogMigrations } from './catalog-migrations';
import { customerErasure, openPersonalData } from './customers/customer-erasure-store';
import { personalDataService } from './personal-data-rpc';
import { customerStore, openCustomers } from './customers/customer-store';
import { vatChecksService } from './customers/vat-check-rpc';
import { viesClient } from './customers/vies-client';
import { catalogServices } from './catalog-rpc';
import { openProducts, productStore } from './products/product-store';

/** Customers and products over gRPC, on one MongoDB database. Listens once the store answers. */
export async function startCatalog(config: CatalogConfig, log: Logger): Promise<Running & { port: number }> {
  const { host, port, mongoUri, identity, viesUrl } = config;
  const connection = await connectMongo({
    uri: mongoUri,
    database: 'catalog',
    migrations: catalogMigrations,
    onWaiting: (message) => log.warn(message),
    onMigration: (message) => log.info(message),
  });
  const customers = await openCustomers(connection);
  const products = await openProducts(connection);
  const history = await openHistory(connection, [customers, products]);
  const customerRecords = customerStore(customers, history);
  const purge = startPurge({ history: history.purge }, log);
  const server = await serveRpc({
    host,
    port,
    identity,
    log,
    services: [
      ...catalogServices({
        customers: customerRecords,
        erasure: customerErasure(customers, history),
        products: productStore(products, history),
        history,
      }),
      vatChecksService(customerRecords, viesClient(viesUrl)),
      personalDataService(await openPersonalData(connection, customers)),
    ],
    // Mongoose follows the driver's own monitoring of the servers.
    isHealthy: () => connection.readyState === 1,
  });
  log.info({ port: server.port }, 'catalog listens');
  return {
    port: server.port,
    close: async () => {
      await server.close();
      await purge.close();
      await connection.close();
    },
  };
}
