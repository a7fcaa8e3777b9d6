import { seededRandom } from '@invoicing/testing';
import { Recorder } from './nemesis/client';
import { startCluster, type Cluster } from './nemesis/cluster';
import { startOutside, type Outside } from './nemesis/outside';
import { settle } from './nemesis/whole';
import { createWorld, type World } from './nemesis/world';
import { FailingStore, WIRE_FAULTS } from './wire/failing-store';
import { walkJourney } from './wire/journey';

// What only a replica set shows, on the wire between services and store: at every place that writes, the first write fails in one of these
// ways, in the next round in the next. Whatever it was, a client that asks again has one answer, and what is stored is what it was told.
// WIRE_ROUNDS=9: every place meets every fault.

const ROUNDS = Number(process.env['WIRE_ROUNDS'] ?? 2);
const SCALE = Number(process.env['TIME_SCALE'] ?? 1);
const WALK_MS = 120_000 * SCALE;

jest.setTimeout((120_000 + ROUNDS * 120_000) * SCALE);

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
];

let cluster: Cluster;
let outside: Outside;
let door: FailingStore;
let world: World;

beforeAll(async () => {
  outside = await startOutside();
  const env = { SMTP_URL: outside.smtpUrl, MAIL_FROM: 'invoices@example.nl', DEADLINE_SCALE: String(SCALE) };
  const storeDoor = async (socketPath: string): Promise<number> => (door = await FailingStore.open(socketPath)).port;
  cluster = await startCluster({ replicas: 1, env, storeDoor });
  world = await createWorld(cluster, outside.webhookUrl);
});
afterAll(async () => {
  await cluster?.close();
  door?.close();
  await outside?.close();
});

test('one truthful outcome of every write', async () => {
  const recorder = new Recorder(Infinity);
  for (let round = 0; round < ROUNDS; round++) {
    recorder.givesUpAt = recorder.now() + WALK_MS;
    // Clients ask until they are answered: whoever gives up is no measure of what he would have been told.
    const random = seededRandom(round);
    door.failOnce(round);
    await walkJourney(cluster, { url: cluster.url, world, recorder, random: () => 0.2 + 0.8 * random() });
  }
  door.failOnce(undefined);
  const verdict = await settle(cluster, world, recorder, outside);
  expect(Object.fromEntries(Object.entries(verdict).filter(([, faults]) => faults.length > 0))).toEqual({});

  const met = [...door.sites].filter(([, faults]) => faults.size > 0);
  const collections = new Set(met.map(([site]) => site.split(' ')[0]));
  expect(WALKED.filter((each) => !collections.has(each))).toEqual([]);
  expect(new Set(met.flatMap(([, faults]) => [...faults])).size).toBe(WIRE_FAULTS.length);
  const faults = met.reduce((sum, [, of]) => sum + of.size, 0);
  process.stdout.write(`${met.length} places, ${faults} faults met\n`);
});
