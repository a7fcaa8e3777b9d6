import type { SeriesPlace } from '../invoices/issued-invoice';
import { createNumbering, type Numbering, type SeriesStore } from '../numbering/number-series';
import { seededRandom } from '@invoicing/testing';
import { CrashingStore, UnknownOutcome, type SimulatedDocument } from './crashing-store';

/** How a process of the simulation numbers; the real one, or one that must fail. */
export type NumberingVariant = (
  store: CrashingStore,
  process: SimulatedProcess,
) => Pick<Numbering<SimulatedDocument>, 'issue'>;

export interface SimulatedProcess {
  /** What the process asks of the store; once it is killed, no answer reaches it any more. */
  reach: <T>(answer: Promise<T>) => Promise<T>;
  readonly pause: () => Promise<void>;
  readonly random: () => number;
}

const PROCESSES = 3;
const JOBS = 14;
const ATTEMPTS = 8;
const MAX_STEPS = 4_000;
const SERIES = ['2026', '2027'];

/** The code that runs in production, on the store that can crash. */
export const realNumbering: NumberingVariant = (store, process) =>
  createNumbering(portOf(store, process), { batchSize: 4, pause: process.pause });

export const portOf = (store: CrashingStore, { reach }: SimulatedProcess): SeriesStore<SimulatedDocument> => ({
  tail: (series) => reach(store.tail(series)),
  countUpTo: (series, seq) => reach(store.countUpTo(series, seq)),
  find: (id) => reach(store.find(id)),
  insert: (documents) => reach(store.insert(documents)),
});

/** Runs one seed to its end; answers what it left behind, and what is wrong with it. */
export async function simulateNumbering(
  seed: number,
  variant: NumberingVariant,
): Promise<{ issued: number; acknowledged: number; faults: string[] }> {
  const random = seededRandom(seed);
  const store = new CrashingStore(random);
  const acknowledged = new Map<string, SimulatedDocument>();
  const open = new Map(Array.from({ length: JOBS }, (_, index) => [`job-${index}`, ATTEMPTS]));
  let processes = Array.from({ length: PROCESSES }, () => startProcess(store, random, variant));
  let failures = 0;

  for (let step = 0; step < MAX_STEPS && (open.size > 0 || store.busy); step++) {
    const dice = random();
    if (dice < 0.12) attempt();
    else if (dice < 0.13) killOne();
    else if (dice < 0.14) store.crash();
    else if (store.busy) store.advance();
    // Whatever the step set free runs to its next await on the store.
    await new Promise(setImmediate);
  }
  store.crash();
  const faults = faultsOf(store.durable, acknowledged);
  if (failures > 0) faults.push(`${failures} unexpected failures`);
  return { issued: store.durable.length, acknowledged: acknowledged.size, faults };

  /** Somebody asks for one of the open jobs at one of the processes; perhaps while an earlier attempt still runs. */
  function attempt(): void {
    const jobs = [...open.keys()];
    const job = jobs[Math.floor(random() * jobs.length)];
    if (job === undefined) return;
    const left = open.get(job)! - 1;
    if (left > 0) open.set(job, left);
    else open.delete(job);
    // A repeat may come in another year than the first attempt.
    const series = SERIES[random() < 0.9 ? 0 : 1]!;
    const { numbering } = processes[Math.floor(random() * PROCESSES)]!;
    const seal = ({ seq, previousHash }: SeriesPlace): SimulatedDocument => ({
      _id: job,
      job,
      series,
      seq,
      previousHash,
      hash: `${series}/${seq}/${job}/${previousHash.length}`,
    });
    numbering.issue(series, job, seal).then(
      (document) => {
        acknowledged.set(job, document);
        open.delete(job);
      },
      (error: unknown) => {
        if (!(error instanceof UnknownOutcome) && (error as { kind?: string }).kind !== 'unavailable') failures++;
      },
    );
  }

  function killOne(): void {
    const victim = Math.floor(random() * PROCESSES);
    processes[victim]!.kill();
    processes = processes.map((each, index) => (index === victim ? startProcess(store, random, variant) : each));
  }
}

function startProcess(store: CrashingStore, random: () => number, variant: NumberingVariant) {
  let alive = true;
  const reach = <T>(answer: Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      answer.then(
        (value) => {
          if (alive) resolve(value);
        },
        (error: unknown) => {
          if (alive) reject(error);
        },
      );
    });
  const pause = (): Promise<void> => reach(new Promise<void>((resolve) => setImmediate(resolve)));
  return { numbering: variant(store, { reach, pause, random }), kill: () => (alive = false) };
}

/** Gaps, repeats, broken chains, and acknowledged numbers that are not there. */
function faultsOf(
  durable: readonly SimulatedDocument[],
  acknowledged: ReadonlyMap<string, SimulatedDocument>,
): string[] {
  const faults: string[] = [];
  for (const series of SERIES) {
    const documents = durable.filter((each) => each.series === series).sort((a, b) => a.seq - b.seq);
    documents.forEach((document, index) => {
      if (document.seq !== index + 1) faults.push(`${series}: ${document.seq} is at place ${index + 1}`);
      const previous = index === 0 ? '' : documents[index - 1]!.hash;
      if (document.previousHash !== previous) faults.push(`${series}: the chain breaks at ${document.seq}`);
    });
  }
  const jobs = durable.map(({ job }) => job);
  if (new Set(jobs).size !== jobs.length) faults.push('a job has two numbers');
  for (const [job, { series, seq }] of acknowledged) {
    const stored = durable.find((each) => each.job === job);
    if (stored?.series !== series || stored.seq !== seq)
      faults.push(`${job}: acknowledged ${series}/${seq} is not there`);
  }
  return faults;
}
