import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster';
import { FAIR, type Link } from './link';
import type { Outside } from './outside';
import type { Fault, FaultKind, Surface } from './schedule';

/** What of a cluster can be broken. */
export const surfaceOf = ({ replicas, links }: Cluster): Surface => ({
  replicas,
  links: [...links.keys()].filter((name) => !name.startsWith('callers')),
});

/** Does what the schedule says, each fault for its time, and heals everything at the end. Resolves when the last is over. */
export async function runNemesis(faults: readonly Fault[], cluster: Cluster, outside: Outside): Promise<void> {
  const startedAt = performance.now();
  await Promise.all(
    faults.map(async (fault) => {
      await sleep(Math.max(0, fault.atMs - (performance.now() - startedAt)));
      const heal = await DO[fault.kind](fault, cluster, outside);
      if (fault.forMs > 0) await sleep(fault.forMs);
      await heal?.();
    }),
  );
}

type Heal = (() => void | Promise<void>) | void;
type Do = (fault: Fault, cluster: Cluster, outside: Outside) => Heal | Promise<Heal>;

const DO: Record<FaultKind, Do> = {
  kill: ({ target }, { parts }) => void parts.get(target)!.signal('SIGKILL'),
  terminate: ({ target }, { parts }) => void parts.get(target)!.signal('SIGTERM'),
  pause: ({ target }, { parts }) => {
    const { pid } = parts.get(target)!;
    if (pid === undefined) return;
    signalPid(pid, 'SIGSTOP');
    return () => signalPid(pid, 'SIGCONT');
  },
  'broker lost': (_, cluster) => cluster.loseBroker(),
  'mail down': (_fault, _cluster, outside) => {
    outside.breakMail(true);
    return () => outside.breakMail(false);
  },
  'receiver down': (_fault, _cluster, outside) => {
    outside.breakReceiver(true);
    return () => outside.breakReceiver(false);
  },
  latency: ({ target, amount }, { links }) => weather(links.get(target)!, { ...FAIR, latencyMs: amount }),
  loss: ({ target, amount }, { links }) => weather(links.get(target)!, { ...FAIR, loss: amount }),
  partition: ({ target, amount }, { links }) => weather(links.get(target)!, { ...FAIR, isCut: true }, amount === 1),
  'disk full': (_, { parts, dataDir }) => {
    const { pid } = parts.get('store')!;
    if (pid === undefined) return;
    // No file of the store may grow beyond what it has: what the kernel then says is what a full disk makes of a write.
    limitFiles(pid, String(statSync(join(dataDir, 'store', 'store.mdb')).size));
    return () => limitFiles(pid, 'unlimited');
  },
  'clock skew': ({ target, amount }, cluster) => {
    cluster.setClock(target, amount);
    cluster.parts.get(target)!.signal('SIGKILL');
  },
};

function weather(link: Link, bad: typeof FAIR, reset = false): () => void {
  link.set(bad);
  return () => link.set(FAIR, { reset });
}

/** The process may have ended meanwhile, killed by another fault. */
function signalPid(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function limitFiles(pid: number, size: string): void {
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--fsize=${size}:unlimited`], { stdio: 'pipe' });
  } catch (error) {
    if (!/No such process/.test(String((error as { stderr?: Buffer }).stderr))) throw error;
  }
}
