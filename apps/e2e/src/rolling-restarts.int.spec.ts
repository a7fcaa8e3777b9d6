import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventTypes } from '@invoicing/rules';
import { waitFor } from '@invoicing/testing';
import { check } from './nemesis/checker/check';
import { BUNDLES, SERVICES, startCluster, type Cluster } from './nemesis/cluster';
import { startOutside, type Outside } from './nemesis/outside';
import { handedOver, openStores } from './nemesis/read-snapshot';
import { Recorder } from './nemesis/client';
import { createWorld, type World } from './nemesis/world';
import { startSteadyLoad } from './rolling/steady-load';

// An upgrade is a restart of one replica after the other. Nobody who asks meanwhile is told of it: no request fails, not even once.
// ROLLING_RESTARTS: how often each service is restarted (50 for the note). OLD_BUNDLES: the dist folder of the version before, from which
// the first replica of each service then runs beside the present one (tools/old-bundles.mjs makes it).

const RESTARTS = Number(process.env['ROLLING_RESTARTS'] ?? 1);
const SCALE = Number(process.env['TIME_SCALE'] ?? 1);
const OLD = process.env['OLD_BUNDLES'];

jest.setTimeout((240_000 + RESTARTS * SERVICES.length * 20_000) * SCALE);

let outside: Outside;
let cluster: Cluster;
let world: World;

beforeAll(async () => {
  outside = await startOutside();
  const env = { SMTP_URL: outside.smtpUrl, MAIL_FROM: 'invoices@example.nl', DEADLINE_SCALE: String(SCALE) };
  // What the version before had not yet runs as it is now.
  const isOld = (replica: string): boolean => replica.endsWith('-1') && existsSync(join(OLD!, replica.split('-')[0]!));
  const bundlesOf = (replica: string): string => (OLD !== undefined && isOld(replica) ? OLD : BUNDLES);
  cluster = await startCluster({ env, bundlesOf });
  // A subscription to what the version before does not know would have to wait for the end of the upgrade.
  const events = OLD === undefined ? eventTypes : (['invoice.issued', 'invoice.paid'] as const);
  world = await createWorld(cluster, outside.webhookUrl, events);
});
afterAll(async () => {
  await cluster?.close();
  await outside?.close();
});

test(`${RESTARTS} restarts of every service under load: no request fails, and nothing is lost`, async () => {
  const load = startSteadyLoad(cluster.url, world.key);
  await waitFor(() => load.answered() > 10, 30_000);
  let restarts = 0;
  for (let round = 0; round < RESTARTS; round++)
    for (const service of SERVICES) {
      const part = cluster.parts.get(`${service}-${1 + (round % 2)}`)!;
      const ends = part.ends;
      part.signal('SIGTERM');
      await waitFor(() => part.ends > ends, 30_000);
      // As an orchestrator does: the next one only when this one serves again.
      await cluster.ready();
      await sleep(300);
      restarts++;
    }
  const { requests, failures, created } = await load.stop();
  process.stdout.write(`${restarts} restarts, ${requests} requests, ${failures.length} failed\n`);
  expect(failures).toEqual([]);
  expect(requests).toBeGreaterThan(restarts);

  const stores = await openStores(cluster.mongoUri);
  try {
    const stored = await waitFor(async () => {
      const snapshot = await stores.read(world, cluster.url);
      const received = { ...outside.received, eInvoices: handedOver(cluster.dataDir) };
      const verdict = check(new Recorder(0), snapshot, received);
      const left = { ...verdict, 'every acknowledged write is there once': [] };
      return Object.values(left).every((faults) => faults.length === 0) && snapshot;
    }, 60_000);
    expect(stored.invoices.map(({ _id }) => _id).sort()).toEqual([...created].sort());
  } finally {
    await stores.close();
  }
});
