import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectMongo, type Connection } from '@invoicing/mongo';
import { callContext } from './client';
import type { Snapshot } from './snapshot';
import type { World } from './world';

const DATABASES = ['billing', 'catalog', 'checkout', 'notification'] as const;

/** Everything that is stored of the one organisation, read past the services, and what they say of it. */
export async function openStores(mongoUri: string) {
  const opened = await Promise.all(
    DATABASES.map(async (database) => [database, await connectMongo({ uri: mongoUri, database })] as const),
  );
  const connections = Object.fromEntries(opened) as Record<(typeof DATABASES)[number], Connection>;
  const all = async (database: (typeof DATABASES)[number], collection: string, filter = {}): Promise<never[]> =>
    (await connections[database].db!.collection(collection).find(filter).toArray()) as never[];
  return {
    read: async (world: World, url: string): Promise<Snapshot> => ({
      customers: (await all('catalog', 'customers')).map(detailed),
      products: (await all('catalog', 'products')).map(detailed),
      drafts: await all('billing', 'drafts'),
      invoices: await all('billing', 'invoices'),
      entries: await all('billing', 'account_entries'),
      credits: await all('billing', 'credit_ledger'),
      subscriptions: await all('billing', 'subscriptions'),
      sessions: await all('checkout', 'sessions'),
      providerPayments: await all('checkout', 'sandbox_payments'),
      mails: await all('notification', 'mails'),
      eInvoices: await all('notification', 'peppol_deliveries'),
      deliveries: await all('notification', 'deliveries'),
      leftovers: await leftovers(all),
      series: (await world.clients.invoices.verifyNumbers({ organizationId: world.organizationId }, callContext()))
        .series,
      told: await toldOpen(world, url),
    }),
    close: async (): Promise<void> => {
      for (const connection of Object.values(connections)) await connection.close();
    },
  };
}

/** What the sandbox's access point was handed: its files are what the network would deliver. */
export function handedOver(dataDir: string): string[] {
  const folder = join(dataDir, 'peppol');
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : [];
  return files.map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** What a customer or product says of itself stands in its details. */
const detailed = ({ _id, details }: { _id: string; details: object }) => ({ _id, ...details });

const pendingEvents = { 'outbox.0': { $exists: true } };

/** What waits: events that nobody settled, work that is due, messages and webhooks that are not out, refunds that are on their way. */
async function leftovers(
  all: (database: (typeof DATABASES)[number], collection: string, filter?: object) => Promise<{ _id: string }[]>,
): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10);
  const searches = [
    ...(['invoices', 'account_entries', 'subscriptions'] as const).map(
      (each) => ['billing', each, pendingEvents] as const,
    ),
    ['billing', 'subscriptions', { status: 'active', nextRunDate: { $lte: today } }] as const,
    ['checkout', 'sessions', pendingEvents] as const,
    ['checkout', 'sessions', { 'fulfilment.status': 'due' }] as const,
    ['notification', 'mails', { $or: [{ status: 'pending' }, pendingEvents] }] as const,
    [
      'notification',
      'peppol_deliveries',
      { $or: [{ status: { $in: ['pending', 'submitted'] } }, pendingEvents] },
    ] as const,
    ['notification', 'deliveries', { status: { $in: ['pending', 'held'] } }] as const,
  ];
  const found = await Promise.all(
    searches.map(async ([database, collection, filter]) =>
      (await all(database, collection, filter)).map(({ _id }) => `${collection} ${_id}`),
    ),
  );
  const entries = (await all('billing', 'account_entries')) as {
    _id: string;
    type: string;
    of?: string;
    done?: boolean;
  }[];
  const followed = new Set(
    entries.filter(({ type }) => type === 'settlement' || type === 'reversal').map(({ of }) => of),
  );
  const refunds = entries.filter(({ _id, type, done }) => type === 'refund' && done === false && !followed.has(_id));
  return [...found.flat(), ...refunds.map(({ _id }) => `refund ${_id}`)];
}

/** What the API says is open, of the invoices that it lists. */
async function toldOpen({ key }: World, url: string): Promise<Map<string, number>> {
  const response = await fetch(`${url}/api/v1/invoices`, {
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
  });
  const { data } = (await response.json()) as { data: { id: string; number: string; open_cents: number }[] };
  return new Map(data.map((each) => [each.id, each.open_cents]));
}
