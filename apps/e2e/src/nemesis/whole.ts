import { waitFor } from '@invoicing/testing';
import { check, type Verdict } from './checker/check';
import { Recorder } from './client';
import type { Operation } from './history';
import { startCluster, type Cluster } from './cluster';
import { runNemesis, surfaceOf } from './nemesis';
import { startOutside, type Outside } from './outside';
import { handedOver, openStores } from './read-snapshot';
import { describeFault, scheduleOf, type Fault } from './schedule';
import { runTraffic } from './traffic';
import { createWorld, type World } from './world';

/** How long, by which seed, and who asks. */
export interface WholeOptions {
  readonly seed: number;
  readonly seconds: number;
  readonly clients: number;
  readonly say: (line: string) => void;
}

export interface WholeResult {
  readonly faults: readonly Fault[];
  readonly verdict: Verdict;
  readonly isClean: boolean;
}

// After the last fault everything that was begun must be over within it.
const QUIET_MS = 30_000;
// What was put off for longer than that (a receiver that was down) is looked at by clocks that are put forward.
const FORWARD_MS = [0, 12 * 60_000, 3 * 3_600_000];

/** The whole platform under traffic and faults, then a quiet time, then the checker over all that was seen. */
export async function runWhole({ seed, seconds, clients, say }: WholeOptions): Promise<WholeResult> {
  const outside = await startOutside();
  const env = {
    SMTP_URL: outside.smtpUrl,
    MAIL_FROM: 'invoices@example.nl',
    DEADLINE_SCALE: process.env['TIME_SCALE'] ?? '1',
  };
  const cluster = await startCluster({ env });
  let isClean = false;
  try {
    const world = await createWorld(cluster, outside.webhookUrl);
    const recorder = new Recorder(Infinity);
    const until = recorder.now() + seconds * 1_000;
    const faults = scheduleOf(seed, seconds * 1_000, surfaceOf(cluster));
    for (const fault of faults) say(`  ${describeFault(fault)}`);
    recorder.givesUpAt = until + QUIET_MS;
    const traffic = runTraffic(clients, seed, until, { url: cluster.url, world, recorder });
    await runNemesis(faults, cluster, outside);
    await traffic;
    say(`quiet after ${Math.round(recorder.now() / 1_000)} s: ${recorder.operations.length} operations`);
    await heal(cluster, outside);
    await recorder.askAgain(QUIET_MS);
    const verdict = await settle(cluster, world, recorder, outside);
    isClean = Object.values(verdict).every((each) => each.length === 0);
    for (const line of summary(recorder, verdict, outside, cluster)) say(line);
    return { faults, verdict, isClean };
  } finally {
    if (!isClean) say(`the logs are in ${cluster.dataDir}`);
    await cluster.close({ keepFolder: !isClean });
    await outside.close();
  }
}

/** Whole again: clocks right, nothing broken, every gateway reaches everything. */
async function heal(cluster: Cluster, outside: Outside): Promise<void> {
  outside.breakMail(false);
  outside.breakReceiver(false);
  for (const replica of cluster.replicas)
    if (cluster.setClock(replica, 0)) cluster.parts.get(replica)!.signal('SIGTERM');
  await cluster.ready();
}

/** Waits until nothing is wrong any more, or for as long as it may take; what is wrong then is wrong. */
export async function settle(cluster: Cluster, world: World, recorder: Recorder, outside: Outside): Promise<Verdict> {
  const stores = await openStores(cluster.mongoUri);
  let verdict: Verdict = {};
  const isRight = async (): Promise<boolean> => {
    const stored = await stores.read(world, cluster.url);
    verdict = check(recorder, stored, { ...outside.received, eInvoices: handedOver(cluster.dataDir) });
    return Object.values(verdict).every((faults) => faults.length === 0);
  };
  try {
    for (const forwardMs of FORWARD_MS) {
      for (const replica of cluster.replicas.filter((each) => /^(notification|checkout)/.test(each)))
        if (cluster.setClock(replica, forwardMs)) cluster.parts.get(replica)!.signal('SIGTERM');
      if (await waitFor(isRight, QUIET_MS, 1_000).catch(() => false)) break;
    }
    return verdict;
  } finally {
    await stores.close();
  }
}

function summary(
  { operations, reads }: Recorder,
  verdict: Verdict,
  { received }: Outside,
  { parts }: Cluster,
): string[] {
  const by = (outcome: string): number => operations.filter((each) => each.outcome === outcome).length;
  const ends = [...parts.values()].reduce((sum, each) => sum + each.ends, 0);
  return [
    `${operations.length} operations: ${by('acknowledged')} acknowledged, ${by('refused')} refused, ${by('unknown')} given up; ${reads.length} reads`,
    kinds(operations.filter(({ outcome }) => outcome === 'acknowledged')),
    `${received.webhooks.length} webhooks, ${received.mails.length} e-mails received; processes ended ${ends} times`,
    ...Object.entries(verdict).flatMap(([promise, faults]) => [
      `${faults.length === 0 ? 'kept  ' : 'BROKEN'}  ${promise}`,
      ...faults.slice(0, 10).map((fault) => `          ${fault}`),
      ...(faults.length > 10 ? [`          and ${faults.length - 10} more`] : []),
    ]),
  ];
}

function kinds(operations: readonly Operation[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of operations) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} ${count}`).join(', ');
}
