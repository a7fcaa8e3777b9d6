import { randomUUID } from 'node:crypto';
import {
  ReferencesService,
  type Customer,
  type CustomerDetails,
  type Product,
  type ProductDetails,
} from '@invoicing/contracts/invoicing/catalog/v1/catalog';
import {
  CheckoutsService,
  RefundsService,
  type RefundProviderPaymentRequest,
  type RefundProviderPaymentResponse,
} from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { LettersService, MailService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { PeppolDelivery, PeppolService } from '@invoicing/contracts/invoicing/notification/v1/peppol';
import type { VatCheck } from '@invoicing/contracts/invoicing/vies/v1/vat_check';
import { serveRpc, type Principal } from '@invoicing/rpc';
import { type Logger } from '@invoicing/telemetry';
import { openService, testIdentity } from '@invoicing/testing';

/** What the peers of billing answer; a spec changes it as it goes. */
export interface Peers {
  addCustomer: (organizationId: string, details: Partial<CustomerDetails>, vatCheck?: VatCheck) => string;
  addProduct: (organizationId: string, details: Partial<ProductDetails>) => string;
  /** What SendInvoice answers, or throws. */
  sendInvoice: (invoiceId: string) => Promise<{ emailed: boolean; emailError: string }>;
  /** Invoices that were asked to be e-mailed, in order. */
  readonly mailed: string[];
  /** What SendReminder answers; reminders that were asked for, in order. */
  sendReminder: (reminderId: string) => Promise<{ emailed: boolean; emailError: string }>;
  /** What PostReminder answers. */
  postReminder: (reminderId: string) => Promise<{ status: string; error?: string }>;
  readonly reminded: string[];
  /** Invoices that somebody is paying now. */
  readonly beingPaid: Set<string>;
  /** What becomes of a delivery over Peppol in its first moment. */
  peppol: Partial<PeppolDelivery>;
  /** Documents that were to go over Peppol, in order. */
  readonly sentOverPeppol: string[];
  /** Invoices that were asked to be posted, in order. */
  readonly posted: string[];
  /** For whom references were asked, in order. */
  readonly principals: Principal[];
  /** Customers and products that were merged → those that stay. */
  readonly merged: Map<string, string>;
  /** What checkout does when it is asked to give money back. */
  refund: (request: RefundProviderPaymentRequest) => Promise<RefundProviderPaymentResponse>;
  /** Refunds that checkout was asked for, in order. */
  readonly refunds: RefundProviderPaymentRequest[];
}

/** Serves the peers on a free port. */
export async function servePeers(log: Logger) {
  const customers = new Map<string, Customer>();
  const products = new Map<string, Product>();
  const at = new Date();
  const peers: Peers = {
    addCustomer: (organizationId, details, vatCheck) => {
      const id = randomUUID();
      const full = { name: 'Klant', email: 'klant@example.com', countryCode: 'NL', ...details };
      customers.set(id, { id, organizationId, details: full, createdAt: at, updatedAt: at, warnings: [], vatCheck });
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
    sendReminder: async () => ({ emailed: true, emailError: '' }),
    postReminder: async () => ({ status: 'sent' }),
    reminded: [],
    beingPaid: new Set(),
    peppol: { status: 'submitted' },
    sentOverPeppol: [],
    posted: [],
    principals: [],
    merged: new Map(),
    refund: async ({ entryId }) => ({ refundId: `re_${entryId}`, refused: '' }),
    refunds: [],
  };
  const of = <T extends { organizationId: string }>(all: Map<string, T>, ids: string[], organizationId: string): T[] =>
    ids.flatMap((id) => all.get(id) ?? []).filter((each) => each.organizationId === organizationId);
  const server = await serveRpc({
    host: '127.0.0.1',
    port: 0,
    identity: testIdentity('catalog'),
    log,
    isHealthy: () => true,
    services: [
      openService(ReferencesService, {
        resolveReferences: async ({ organizationId, customerIds, productIds }, { principal }) => {
          peers.principals.push(principal);
          return {
            customers: of(
              customers,
              customerIds.map((id) => peers.merged.get(id) ?? id),
              organizationId,
            ),
            products: of(
              products,
              productIds.map((id) => peers.merged.get(id) ?? id),
              organizationId,
            ),
            mergedCustomers: Object.fromEntries([...peers.merged].filter(([id]) => customerIds.includes(id))),
            mergedProducts: Object.fromEntries([...peers.merged].filter(([id]) => productIds.includes(id))),
          };
        },
        findCustomers: async ({ organizationId, text }) => {
          const all = of(customers, [...customers.keys()], organizationId);
          return { customerIds: all.flatMap(({ id, details }) => (details?.name.startsWith(text) ? [id] : [])) };
        },
      }),
      openService(CheckoutsService, {
        getInvoicePaymentProgress: async ({ invoiceId }) => ({ inProcess: peers.beingPaid.has(invoiceId) }),
      }),
      openService(RefundsService, {
        refundPayment: async (request) => {
          peers.refunds.push(request);
          return peers.refund(request);
        },
      }),
      openService(LettersService, {
        postInvoice: async ({ invoiceId }, { operationId }) => {
          peers.posted.push(invoiceId);
          return { id: operationId!, invoiceId, status: 'pending', error: '', at };
        },
        postReminder: async ({ invoiceId, reminderId }) => {
          peers.reminded.push(reminderId);
          return { id: reminderId, invoiceId, reminderId, error: '', at, ...(await peers.postReminder(reminderId)) };
        },
      }),
      openService(PeppolService, {
        requestDelivery: async ({ invoiceId }) => {
          peers.sentOverPeppol.push(invoiceId);
          return PeppolDelivery.fromPartial(peers.peppol);
        },
      }),
      openService(MailService, {
        sendInvoice: async ({ invoiceId }) => {
          peers.mailed.push(invoiceId);
          return peers.sendInvoice(invoiceId);
        },
        resendInvoice: async ({ invoiceId, to }) => {
          peers.mailed.push(`${invoiceId} to ${to}`);
          return peers.sendInvoice(invoiceId);
        },
        sendReminder: async ({ reminderId }) => {
          peers.reminded.push(reminderId);
          return peers.sendReminder(reminderId);
        },
        listMail: async () => ({ messages: [] }),
      }),
    ],
  });
  return { peers, port: server.port, close: () => server.close() };
}
