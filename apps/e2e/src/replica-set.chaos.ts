import { seededRandom } from '@invoicing/testing';
import { Recorder } from './nemesis/client';
import { startCluster } from './nemesis/cluster';
import { startOutside } from './nemesis/outside';
import { settle } from './nemesis/whole';
import { createWorld } from './nemesis/world';
import { FailingStore, WIRE_FAULTS } from './wire/failing-store';
import { walkJourney } from './wire/journey';

// What only a replica set shows, on the wire between services and store: at every place that writes, the first write fails in one of these
// ways, in the next round in the next. Whatever it was, a client that asks again has one answer, and what is stored is what it was told.

const ROUNDS = Number(process.env['WIRE_ROUNDS'] ?? WIRE_FAULTS.length);
const SCALE = Number(process.env['TIME_SCALE'] ?? 1);
const WALK_MS = 300_000 * SCALE;

/** Collections that the journey writes to: whoever adds one adds what writes to it. */
const WALKED = [
  'application.teams',
  'application.users',
  'billing.account_entries',
  'billing.credit_ledger',
  'billing.drafts',
  'billing.history',
  'billing.invoices',
  'billing.organizations',
  'billing.subscriptions',
  'catalog.customers',
  'catalog.history',
  'catalog.products',
  'checkout.provider_accounts',
  'checkout.sandbox_payments',
  'checkout.sessions',
  'gateway.idempotency',
  'gateway.keys',
  'gateway.rate',
  'notification.deliveries',
  'notification.endpoints',
  'notification.letters',
  'notification.mails',
  'notification.peppol_deliveries',
];

/** `npm run chaos -- replica-set`: every place meets every fault; WIRE_ROUNDS=2 is shorter. */
export async function run(): Promise<void> {
  const outside = await startOutside();
  const env = { SMTP_URL: outside.smtpUrl, MAIL_FROM: 'invoices@example.nl', DEADLINE_SCALE: String(SCALE) };
  let door: FailingStore | undefined;
  const storeDoor = async (socketPath: string): Promise<number> => (door = await FailingStore.open(socketPath)).port;
  const cluster = await startCluster({ replicas: 1, env, storeDoor });
  try {
    const world = await createWorld(cluster, outside.webhookUrl);
    const recorder = new Recorder(Infinity);
    for (let round = 0; round < ROUNDS; round++) {
      recorder.givesUpAt = recorder.now() + WALK_MS;
      // Clients ask until they are answered: whoever gives up is no measure of what he would have been told.
      const random = seededRandom(round);
      door!.failOnce(round);
      await walkJourney(cluster, { url: cluster.url, world, recorder, random: () => 0.2 + 0.8 * random() });
      console.log(`round ${round + 1} of ${ROUNDS}: ${recorder.operations.length} operations by now`);
    }
    door!.failOnce(undefined);
    const verdict = await settle(cluster, world, recorder, outside);
    const met = [...door!.sites].filter(([, faults]) => faults.size > 0);
    console.log(`${met.length} places that write met ${met.reduce((sum, [, faults]) => sum + faults.size, 0)} faults`);
    const collections = new Set(met.map(([site]) => site.split(' ')[0]));
    const faults = [
      ...Object.entries(verdict).flatMap(([promise, found]) => found.map((each) => `${promise}: ${each}`)),
      ...WALKED.filter((each) => !collections.has(each)).map((each) => `${each} was not written to`),
    ];
    if (faults.length > 0) throw new Error(faults.join('\n'));
    console.log('one truthful outcome of every write');
  } finally {
    await cluster.close();
    door?.close();
    await outside.close();
  }
}
