import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { Mode, OrganizationsService, Plan } from '@invoicing/contracts/invoicing/billing/v1/organizations';
import { ProvidersService } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { WebhooksService } from '@invoicing/contracts/invoicing/notification/v1/notification';
import { connectMongo } from '@invoicing/mongo';
import { newCallContext } from '@invoicing/rpc';
import { insist, payOnce, type PaidOrder } from './testing/fragile-payer';
import { startFragilePlatform, type FragilePlatform } from './testing/fragile-platform';

const PAYMENTS = Number(process.env['CHAOS_PAYMENTS'] ?? 200);
const PAYERS = 6;
const MIN_PAUSE_MS = 400;
const MAX_PAUSE_MS = 2_000;
const SETTLE_MS = 90_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const call = () => newCallContext(5_000);

/**
 * Payers pay while every process (store and broker too) is killed at random. Afterwards each payment must have made exactly one
 * invoice over the right sum, one e-mail and one event at the webhook, in a series of numbers without gap.
 */
export async function run(): Promise<void> {
  const platform = await startFragilePlatform();
  const events = new Map<string, { invoiceId: string; checkoutId: string; totalIncl: number }>();
  const webhook = await listen(events);
  let failed = true;
  try {
    const organizationId = await prepare(platform, webhook.url);
    const kills = new Map<string, number>();
    let over = false;
    const killing = (async () => {
      while (!over) {
        await new Promise((resolve) =>
          setTimeout(resolve, MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS)),
        );
        const name = platform.names[Math.floor(Math.random() * platform.names.length)]!;
        if (!over && platform.kill(name)) kills.set(name, (kills.get(name) ?? 0) + 1);
      }
    })();
    const startedAt = Date.now();
    let next = 0;
    const orders: PaidOrder[] = [];
    await Promise.all(
      Array.from({ length: PAYERS }, async () => {
        while (next < PAYMENTS) orders.push(await payOnce(platform, organizationId, next++));
      }),
    );
    over = true;
    await killing;
    say(
      `${orders.length} payments in ${seconds(startedAt)}, kills: ${[...kills].map(([name, times]) => `${name} ${times}`).join(', ')}`,
    );
    await settle(platform, organizationId, orders, events);
    failed = false;
  } finally {
    webhook.close();
    await platform.close(failed);
    if (failed) say(`logs are in ${platform.folder}`);
  }
}

async function prepare(platform: FragilePlatform, webhookUrl: string): Promise<string> {
  const organization = await insist('organisation', () =>
    platform
      .channel('billing', 'admin')
      .client(OrganizationsService)
      .createOrganization({ details: { name: 'Chaos B.V.' }, plan: Plan.STANDARD, mode: Mode.TEST }, call()),
  );
  const organizationId = organization.id;
  await insist('provider', () =>
    platform
      .channel('checkout', 'admin')
      .client(ProvidersService)
      .connectProvider({ organizationId, provider: 'sandbox' }, call()),
  );
  await insist('webhook', () =>
    platform
      .channel('notification', 'admin')
      .client(WebhooksService)
      .createEndpoint({ organizationId, url: webhookUrl, events: ['invoice.paid'] }, call()),
  );
  return organizationId;
}

/** Waits until everything is there, says how long it took, and then that nothing is there twice. */
async function settle(
  platform: FragilePlatform,
  organizationId: string,
  orders: readonly PaidOrder[],
  events: ReadonlyMap<string, { invoiceId: string; checkoutId: string; totalIncl: number }>,
): Promise<void> {
  const startedAt = Date.now();
  const connection = await connectMongo({ uri: platform.mongoUri, database: 'billing' });
  const invoices = connection.getClient().db('billing').collection('invoices');
  const paidAfter: Record<string, string> = {};
  const until = async (what: string, count: () => Promise<number> | number): Promise<void> => {
    while ((await count()) < orders.length) {
      if (Date.now() - startedAt > SETTLE_MS) throw new Error(`only ${await count()} of ${orders.length} ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    paidAfter[what] = seconds(startedAt);
  };
  await until('invoices', () => invoices.countDocuments({ organizationId }));
  await until('e-mails', () => mails(platform.folder).length);
  await until('events', () => events.size);
  say(`settled after the last kill: ${JSON.stringify(paidAfter)}`);
  // Whatever comes twice comes within a resend.
  await new Promise((resolve) => setTimeout(resolve, 3_000));

  const { series } = await insist('verify', () =>
    platform.channel('billing', 'admin').client(InvoicesService).verifyNumbers({ organizationId }, call()),
  );
  const stored = await invoices.find({ organizationId }).toArray();
  await connection.close();
  const sent = mails(platform.folder);
  say(`${stored.length} invoices, ${sent.length} e-mails, ${events.size} events; series ${JSON.stringify(series)}`);

  const faults: string[] = [];
  const expectEqual = (what: string, seen: unknown, wanted: unknown): void => {
    if (seen !== wanted) faults.push(`${what}: ${String(seen)} instead of ${String(wanted)}`);
  };
  expectEqual('invoices', stored.length, orders.length);
  expectEqual('e-mails', sent.length, orders.length);
  expectEqual('events', events.size, orders.length);
  for (const order of orders) {
    const mine = [...events.values()].filter(({ checkoutId }) => checkoutId === order.checkoutId);
    expectEqual(`events of ${order.checkoutId}`, mine.length, 1);
    expectEqual(`sum of ${order.checkoutId}`, mine[0]?.totalIncl, order.amountCents);
    const addressed = sent.filter(
      (message) =>
        message.includes(order.email + '\r') ||
        message.includes(`${order.email}>`) ||
        message.includes(order.email + '\n'),
    );
    expectEqual(`e-mails to ${order.email}`, addressed.length, 1);
  }
  for (const { gapless, chainValid, count } of series)
    expectEqual('numbers', gapless && chainValid && count === orders.length, true);
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'));
}

const mails = (folder: string): string[] => {
  const place = join(folder, 'mail');
  try {
    return readdirSync(place)
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(join(place, name), 'latin1').slice(0, 2_000));
  } catch {
    // Nothing was sent yet.
    return [];
  }
};

async function listen(events: Map<string, { invoiceId: string; checkoutId: string; totalIncl: number }>) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { data } = JSON.parse(Buffer.concat(chunks).toString()) as {
      data: { invoiceId: string; checkoutId: string; totalIncl: number };
    };
    // The same id again is the same event.
    events.set(String(request.headers['webhook-id']), data);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`;
