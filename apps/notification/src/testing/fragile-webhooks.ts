import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { runProcess } from '@invoicing/service';
import { freePort, startNatsServer, type NatsServer } from '@invoicing/events';
import { startEmbeddedMongo, tempFolder } from '@invoicing/testing';
import { startWebhookWorker } from './webhook-worker';

const HOST = '127.0.0.1';
const MIN_PAUSE_MS = 300;
const MAX_PAUSE_MS = 1_500;

/** Times of the workers: short ones where parts die, so that what they had taken is soon free again. */
export interface WorkerTimes {
  readonly timeLimitMs: number;
  readonly leaseMs: number;
}

export type FragileWebhooks = Awaited<ReturnType<typeof startFragileWebhooks>>;

/** When this process was forked as one of the parts it becomes it, and the answer is true. */
export async function becomePart(): Promise<boolean> {
  const { CHAOS_PART: part, CHAOS_OPTIONS: text = '{}' } = process.env;
  const options = JSON.parse(text);
  if (part === 'store') runProcess('store', () => startEmbeddedMongo({ ...options, host: HOST }));
  if (part === 'worker') runProcess('notification', () => startWebhookWorker(options));
  return part !== undefined;
}

/** Store, broker and workers as children that can be killed and come back where they were. */
export async function startFragileWebhooks(workers: number, times: WorkerTimes) {
  const folder = tempFolder();
  const natsFolder = join(folder.path, 'nats');
  const [storePort, natsPort] = [await freePort(), await freePort()];
  const mongoUri = `mongodb://${HOST}:${storePort}/?replicaSet=embedded`;
  const startStore = () => part('store', { port: storePort, folder: join(folder.path, 'store') });
  const startBroker = () => startNatsServer({ folder: natsFolder, port: natsPort });
  let store = await startStore();
  let broker = await startBroker();
  const startWorker = () => part('worker', { mongoUri, natsUrl: broker.url, ...times });
  const running = await Promise.all(Array.from({ length: workers }, startWorker));

  const strikes = {
    worker: async () => {
      const victim = Math.floor(Math.random() * workers);
      await kill(running[victim]!);
      running[victim] = await startWorker();
    },
    store: async () => {
      await kill(store);
      store = await startStore();
    },
    broker: async () => {
      await stopHard(broker);
      broker = await startBroker();
    },
    folder: async () => {
      await stopHard(broker);
      rmSync(natsFolder, { recursive: true, force: true });
      broker = await startBroker();
    },
  };

  return {
    mongoUri,
    natsUrl: broker.url,
    /** Kills one part after the other, without warning, while `goOn` says so; the broker's folder is deleted once, as the second. */
    killAtRandom: async (goOn: () => boolean): Promise<Record<keyof typeof strikes, number>> => {
      const count = { worker: 0, store: 0, broker: 0, folder: 0 };
      const kinds = ['worker', 'worker', 'worker', 'store', 'broker'] as const;
      for (let strike = 0; goOn(); strike++) {
        const pauseMs = MIN_PAUSE_MS + Math.random() * (MAX_PAUSE_MS - MIN_PAUSE_MS);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        const kind = strike === 1 ? 'folder' : kinds[Math.floor(Math.random() * kinds.length)]!;
        await strikes[kind]();
        count[kind]++;
      }
      return count;
    },
    close: async () => {
      await Promise.all(running.map(kill));
      await stopHard(broker);
      await kill(store);
      folder.remove();
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function stopHard(broker: NatsServer): Promise<void> {
  broker.process.kill('SIGKILL');
  await broker.close();
}

async function part(name: string, options: object): Promise<ChildProcess> {
  const child = fork(process.argv[1]!, {
    // As the platform runs them: with source maps the first error of a part would cost it 150 ms.
    execArgv: [],
    env: { ...process.env, CHAOS_PART: name, CHAOS_OPTIONS: JSON.stringify(options) },
  });
  await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${name} did not start`))),
  ]);
  return child;
}
