import { InvoicesService } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { connectMongo } from '@invoicing/mongo';
import { newCallContext } from '@invoicing/rpc';
import { isTo, openBooks } from './testing/fragile-books';
import { retryUntilAnswered, payOnce, type PaidOrder } from './testing/fragile-payer';
import { startFragilePlatform, type FragilePlatform } from './testing/fragile-platform';

const PAYMENTS = Number(process.env['CHAOS_PAYMENTS'] ?? 200);
const PAYERS = 6;
const MIN_PAUSE_MS = 400;
const MAX_PAUSE_MS = 2_000;
const SETTLE_MS = 300_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
type Books = Awaited<ReturnType<typeof openBooks>>;

/**
 * Payers pay while every process (store and broker too) is killed at random. Afterwards each payment must have made exactly one
 * invoice over the right sum, one e-mail and one event at the webhook, in a series of numbers without gap.
 */
export async function run(): Promise<void> {
  const platform = await startFragilePlatform();
  let books: Books | undefined;
  let failed = true;
  try {
    books = await openBooks(platform);
    const storm = startStorm(platform);
    const startedAt = Date.now();
    const orders = await payAll(platform, books.organizationId);
    const kills = await storm.stop();
    say(`${orders.length} payments in ${seconds(startedAt)}, kills: ${kills}`);
    await settle(platform, books, orders);
    await check(platform, books, orders);
    failed = false;
  } finally {
    books?.close();
    await platform.close(failed);
    if (failed) say(`logs are in ${platform.folder}`);
  }
}

async function payAll(platform: FragilePlatform, organizationId: string): Promise<PaidOrder[]> {
  const orders: PaidOrder[] = [];
  let next = 0;
  const payer = async (): Promise<void> => {
    while (next < PAYMENTS) orders.push(await payOnce(platform, organizationId, next++));
  };
  await Promise.all(Array.from({ length: PAYERS }, payer));
  return orders;
}

function startStorm(platform: FragilePlatform): { stop: () => Promise<string> } {
  const kills = new Map<string, number>();
  let over = false;
  const killing = (async () => {
    while (!over) {
      await pause(MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS));
      const name = platform.names[Math.floor(Math.random() * platform.names.length)]!;
      if (!over && platform.kill(name)) kills.set(name, (kills.get(name) ?? 0) + 1);
    }
  })();
  return {
    stop: async () => {
      over = true;
      await killing;
      return [...kills].map(([name, times]) => `${name} ${times}`).join(', ');
    },
  };
}

/** Waits until everything is there, and says how long each kind of thing took. */
async function settle(platform: FragilePlatform, books: Books, orders: readonly PaidOrder[]): Promise<void> {
  const startedAt = Date.now();
  const connection = await connectMongo({ uri: platform.mongoUri, database: 'billing' });
  const invoices = connection.getClient().db('billing').collection('invoices');
  const took: string[] = [];
  const until = async (what: string, count: () => Promise<number> | number): Promise<void> => {
    while ((await count()) < orders.length) {
      if (Date.now() - startedAt > SETTLE_MS) throw new Error(`only ${await count()} of ${orders.length} ${what}`);
      await pause(100);
    }
    took.push(`${what} ${seconds(startedAt)}`);
  };
  await until('invoices', () => invoices.countDocuments({ organizationId: books.organizationId }));
  await until('events', () => books.events.size);
  await until('e-mails', () => books.mails().length);
  await connection.close();
  say(`settled after the last kill: ${took.join(', ')}`);
  // What comes twice comes soon after.
  await pause(3_000);
}

async function check(platform: FragilePlatform, books: Books, orders: readonly PaidOrder[]): Promise<void> {
  const { organizationId, events } = books;
  const invoices = platform.channel('billing', 'admin').client(InvoicesService);
  const call = () => newCallContext(10_000);
  const { series } = await retryUntilAnswered('verify', () => invoices.verifyNumbers({ organizationId }, call()));
  const mails = books.mails();
  const faults: string[] = [];
  const expectEqual = (what: string, seen: unknown, wanted: unknown): void => {
    if (seen !== wanted) faults.push(`${what}: ${String(seen)} instead of ${String(wanted)}`);
  };
  expectEqual('e-mails', mails.length, orders.length);
  expectEqual('events', events.size, orders.length);
  expectEqual('series', series.length, 1);
  for (const { gapless, chainValid, count } of series) {
    expectEqual('gapless', gapless && chainValid, true);
    expectEqual('invoices', count, orders.length);
  }
  for (const { checkoutId, email, amountCents } of orders) {
    const mine = [...events.values()].filter((event) => event.checkoutId === checkoutId);
    expectEqual(`events of ${checkoutId}`, mine.length, 1);
    expectEqual(`sum of ${checkoutId}`, mine[0]?.totalIncl, amountCents);
    expectEqual(`e-mails to ${email}`, mails.filter((mail) => isTo(mail, email)).length, 1);
  }
  say(`${series[0]?.count} invoices, ${mails.length} e-mails, ${events.size} events, numbers 1…${series[0]?.last}`);
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'));
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`;
