import { seededRandom } from '@invoicing/testing';
import { Recorder } from './nemesis/client';
import { startCluster, type Cluster } from './nemesis/cluster';
import { startOutside, type Outside } from './nemesis/outside';
import { settle } from './nemesis/whole';
import { createWorld, type World } from './nemesis/world';
import { FailingStore, WIRE_FAULTS } from './wire/failing-store';
import { walkJourney } from './wire/journey';

// What only a replica set shows, on the wire between services and store: at every place that writes, the first write fails in each of these
// ways. Whatever it was, the client that asks again has one answer, and what is stored is what he was told.

jest.setTimeout(300_000 * Number(process.env['TIME_SCALE'] ?? 1));

const WALK_MS = 150_000;

let cluster: Cluster;
let outside: Outside;
let door: FailingStore;
// One organisation and one history for all: what an earlier fault left behind shows later, too.
let world: World;
const recorder = new Recorder(0);

beforeAll(async () => {
  outside = await startOutside();
  const env = {
    SMTP_URL: outside.smtpUrl,
    MAIL_FROM: 'invoices@example.nl',
    DEADLINE_SCALE: process.env['TIME_SCALE'] ?? '1',
  };
  const storeDoor = async (socketPath: string): Promise<number> => (door = await FailingStore.open(socketPath)).port;
  cluster = await startCluster({ replicas: 1, env, storeDoor });
  world = await createWorld(cluster, outside.webhookUrl);
});
afterAll(async () => {
  await cluster?.close();
  door?.close();
  await outside?.close();
});

test.each(WIRE_FAULTS)('%s: one truthful outcome of every write', async (fault) => {
  recorder.givesUpAt = recorder.now() + WALK_MS;
  // Clients ask until they are answered: whoever gives up is no measure of what he would have been told.
  const random = seededRandom(WIRE_FAULTS.indexOf(fault));
  const patient = (): number => 0.2 + 0.8 * random();
  door.failOnce(fault);
  await walkJourney(cluster, { url: cluster.url, world, recorder, random: patient });
  door.failOnce(undefined);
  const verdict = await settle(cluster, world, recorder, outside);
  expect(Object.fromEntries(Object.entries(verdict).filter(([, faults]) => faults.length > 0))).toEqual({});
});

test('every collection was written to under every fault, but for those that are named', () => {
  const collections = new Set([...door.sites.keys()].map((site) => site.split(' ')[0]));
  console.log(
    [...door.sites]
      .map(([site, hits]) => `${hits} ${site}`)
      .sort()
      .join('\n'),
    collections.size,
  );
});
