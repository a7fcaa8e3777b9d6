import { randomUUID } from 'node:crypto';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { OrganizationsService } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import {
  ReferencesService,
  type Customer,
  type CustomerDetails,
  type Product,
  type ProductDetails,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import { MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { bindService, openChannel, serveRpc, type RpcClient } from '@invoicing/rpc';
import { createLogger } from '@invoicing/telemetry';
import { startTestStore, testIdentity } from '@invoicing/testing';
import { startBilling } from '../service';

/** What the peers of billing answer; a spec changes it as it goes. */
export interface Peers {
  addCustomer(organizationId: string, details: Partial<CustomerDetails>): string;
  addProduct(organizationId: string, details: Partial<ProductDetails>): string;
  /** What SendInvoice answers, or throws. */
  sendInvoice: (invoiceId: string) => Promise<{ emailed: boolean; emailError: string }>;
  /** Invoices that were asked to be e-mailed, in order. */
  readonly mailed: string[];
}

const NOBODY = '127.0.0.1:1';
const HOST = '127.0.0.1';

/** Billing in this process with its real parts and a real store; catalog and notification are imitated over gRPC. */
export async function startBillingHarness(options: { natsUrl?: string } = {}) {
  const log = createLogger('billing', process.env['LOG_LEVEL'] ?? 'silent');
  const store = await startTestStore();
  const { peers, port: peersPort, close: closePeers } = await servePeers();
  const address = `${HOST}:${peersPort}`;
  const start = () =>
    startBilling(
      {
        host: HOST,
        port: 0,
        httpPort: 0,
        mongoUri: store.uri,
        natsUrl: options.natsUrl ?? `nats://${NOBODY}`,
        publicUrl: 'https://pay.example',
        catalogAddress: address,
        checkoutAddress: NOBODY,
        notificationAddress: address,
        identity: testIdentity('billing'),
      },
      log,
    );
  const billing = await start();
  const channels: { close(): void }[] = [];
  const as = (caller: string, to: { port: number } = billing) => {
    const channel = openChannel(`${HOST}:${to.port}`, testIdentity(caller));
    channels.push(channel);
    return {
      invoices: channel.client(InvoicesService) as RpcClient<typeof InvoicesService>,
      organizations: channel.client(OrganizationsService) as RpcClient<typeof OrganizationsService>,
    };
  };
  return {
    store,
    peers,
    billing,
    /** Another process of the same service, as far as the store can tell. */
    startSecond: start,
    as,
    close: async () => {
      for (const channel of channels) channel.close();
      await billing.close();
      await closePeers();
      await store.close();
    },
  };

  async function servePeers() {
    const customers = new Map<string, Customer>();
    const products = new Map<string, Product>();
    const at = new Date();
    const peers: Peers = {
      addCustomer: (organizationId, details) => {
        const id = randomUUID();
        const full = { name: 'Klant', email: 'klant@example.com', countryCode: 'NL', ...details };
        customers.set(id, { id, organizationId, details: full, createdAt: at, updatedAt: at });
        return id;
      },
      addProduct: (organizationId, details) => {
        const id = randomUUID();
        const full = { name: 'Product', unitPriceCents: 100, ...details };
        products.set(id, { id, organizationId, details: full, createdAt: at, updatedAt: at });
        return id;
      },
      sendInvoice: async () => ({ emailed: true, emailError: '' }),
      mailed: [],
    };
    const of = <T extends { organizationId: string }>(
      all: Map<string, T>,
      ids: string[],
      organizationId: string,
    ): T[] => ids.flatMap((id) => all.get(id) ?? []).filter((each) => each.organizationId === organizationId);
    const server = await serveRpc({
      host: HOST,
      port: 0,
      identity: testIdentity('catalog'),
      log,
      isHealthy: () => true,
      services: [
        bindService(ReferencesService, {
          resolveReferences: async ({ organizationId, customerIds, productIds }) => ({
            customers: of(customers, customerIds, organizationId),
            products: of(products, productIds, organizationId),
          }),
        }),
        bindService(MailService, {
          sendInvoice: async ({ invoiceId }) => {
            peers.mailed.push(invoiceId);
            return peers.sendInvoice(invoiceId);
          },
          listMail: async () => ({ messages: [] }),
        }),
      ],
    });
    return { peers, port: server.port, close: () => server.close() };
  }
}

export type BillingHarness = Awaited<ReturnType<typeof startBillingHarness>>;
