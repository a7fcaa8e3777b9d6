import { isTo, openBooks } from './testing/fragile-books';
import { payOnce } from './testing/fragile-payer';
import { startFragilePlatform } from './testing/fragile-platform';

const ROUNDS = Number(process.env['CHAOS_ROUNDS'] ?? 5);
const PAYMENTS = 3;
const GIVE_UP_MS = 180_000;
/** Allowed after the process is there again; starting takes it about a second on a busy machine, which is added. */
const RECOVERY_MS = 5_000;
const START_MS = 2_500;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/**
 * One process at a time is killed in the middle of what follows a payment; measured is how long it takes until invoice, e-mail
 * and event are there all the same.
 */
export async function run(): Promise<void> {
  const platform = await startFragilePlatform();
  let failed = true;
  const slow: string[] = [];
  try {
    const books = await openBooks(platform);
    let index = 0;
    for (const name of platform.names) {
      const took: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const paying = Promise.all(
          Array.from({ length: PAYMENTS }, () => payOnce(platform, books.organizationId, index++)),
        );
        const orders = await paying;
        // Somewhere between customer, invoice, e-mail, paid mark and webhook.
        await pause(Math.random() * 150);
        platform.kill(name);
        const killedAt = Date.now();
        const isDone = (): boolean =>
          orders.every(
            ({ checkoutId, email }) =>
              [...books.events.values()].some((event) => event.checkoutId === checkoutId) &&
              books.mails().some((mail) => isTo(mail, email)),
          );
        while (!isDone() && Date.now() - killedAt < GIVE_UP_MS) await pause(50);
        took.push(Date.now() - killedAt);
      }
      const worst = Math.max(...took);
      if (worst > RECOVERY_MS + START_MS) slow.push(name);
      say(
        `${name.padEnd(12)} ${took.map((ms) => (ms / 1_000).toFixed(1)).join(' ')} s, worst ${(worst / 1_000).toFixed(1)} s`,
      );
    }
    books.close();
    failed = slow.length > 0;
    if (failed) throw new Error(`too slow after the death of ${slow.join(', ')}`);
  } finally {
    await platform.close(failed);
    if (failed) say(`logs are in ${platform.folder}`);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
