import { Circuit } from '@invoicing/rpc';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import express from 'express';
import { InvoiceKind, InvoiceStatus, type InvoiceSummary } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { Plan, type Organization } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { connectMongo } from '@invoicing/mongo';
import { createLogger } from '@invoicing/telemetry';
import { createApp } from '../edge/app';
import { authenticator } from '../edge/authenticate';
import { createExpressServer } from '../edge/server';
import { openHeartbeats } from '../idempotency/heartbeat-store';
import { openIdempotencyRecords } from '../idempotency/idempotency-store';
import { KeyLookup } from '../keys/key-lookup';
import { openKeyStore } from '../keys/key-store';
import { AddressLimiter } from '../rate/address-limiter';
import { RateLimiter } from '../rate/rate-limiter';
import { openRateWindows } from '../rate/rate-window-store';
import { routeTable } from '../routes/route-table';
import { type Services } from '../service-clients';
import { SITE } from './test-gateway';

export const BENCH_PATH = '/api/v1/invoices';
export const BENCH_LIMIT = 1_000_000_000;
const BENCH_ITEMS = 50;

/** What a service answers to the list that is measured. */
export const benchInvoices: InvoiceSummary[] = Array.from({ length: BENCH_ITEMS }, (_, at) => ({
  id: randomUUID(),
  number: `2026-${String(at + 1).padStart(4, '0')}`,
  kind: InvoiceKind.INVOICE,
  status: InvoiceStatus.SENT,
  totalInclCents: 12_100 + at,
  openCents: 12_100 + at,
  issueDate: '2026-03-01',
  dueDate: '2026-03-15',
  customerId: randomUUID(),
  customerName: 'Koper',
  publicToken: 'kT3sYw0nQ1mB8vXcZ5rJ2g',
}));

/** The same as the API shows it. */
const items = benchInvoices.map((each) => ({
  id: each.id,
  number: each.number,
  kind: 'invoice',
  status: 'sent',
  total_incl: each.totalInclCents,
  open_cents: each.openCents,
  issue_date: each.issueDate,
  customer_id: each.customerId,
  public_token: each.publicToken,
}));

type StartServer = (mongoUri: string) => Promise<Server>;

/** The servers that are compared; each gives the same 50 items, made into JSON for every request. */
export const benchServers: Record<string, StartServer> = {
  'bare node:http': async () =>
    createServer((_request, response) => {
      const body = JSON.stringify({ data: items });
      response
        .writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
        })
        .end(body);
    }),
  'Express, as it comes': async () => createServer(listApp()),
  'Express, own prototypes': async () => createExpressServer(listApp()),
  'gateway up to the call': async (mongoUri) => {
    const connection = await connectMongo({ uri: mongoUri, database: 'gateway' });
    const organization = { plan: Plan.STANDARD } as Organization;
    const services = { invoices: { listInvoices: async () => ({ invoices: benchInvoices }) } } as unknown as Services;
    const { app } = createApp({
      routes: routeTable,
      operations: {
        isInMaintenance: () => false,
        authenticate: authenticator(new KeyLookup(await openKeyStore(connection)), new AddressLimiter(BENCH_LIMIT)),
        onKeyUsed: () => undefined,
        rate: new RateLimiter(await openRateWindows(connection, BENCH_LIMIT), BENCH_LIMIT),
        deadlineScale: 1,
        store: new Circuit(async () => true),
        organization: () => organization,
        services,
        records: await openIdempotencyRecords(
          connection,
          'bench',
          await openHeartbeats(connection, 'bench', (error) => {
            throw error;
          }),
        ),
      },
      streams: { testEvents: services.testEvents, requests: { page: async () => ({ items: [] }) } },
      open: { document: () => '', health: async () => ({ status: 200, data: {} }) },
      pages: {
        billing: 'http://127.0.0.1:1',
        checkout: 'http://127.0.0.1:1',
        notification: 'http://127.0.0.1:1',
        application: 'http://127.0.0.1:1',
      },
      pageRateLimitPerMinute: BENCH_LIMIT,
      trustedProxies: [],
      site: { folder: SITE, publicUrl: 'http://127.0.0.1' },
      log: createLogger('gateway'),
    });
    return createExpressServer(app);
  },
};

export async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function listApp(): express.Express {
  const app = express();
  app.get(BENCH_PATH, (_request, response) => void response.json({ data: items }));
  return app;
}
