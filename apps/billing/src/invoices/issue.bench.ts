import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connectMongo } from '@invoicing/mongo';
import { quantile, single, spreadOf, startTestStore, type BenchFigure, type Spread } from '@invoicing/testing';
import { priceLines } from './price-lines';
import { benchInvoice, methods } from '../testing/numbering-methods';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 3);
// In turn, so that what else the machine does meets all of them; the median counts.
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const PROCESSES = 2;
const ISSUERS = 64;
const WARM_UP_MS = 500;

interface Measured {
  readonly count: number;
  readonly latenciesMs: number[];
}

/** 64 issuers × 2 processes on one series, ours beside two that are often seen; then the price of 500 lines. */
export async function run(): Promise<readonly BenchFigure[] | undefined> {
  const { BENCH_METHOD: method, BENCH_URI: uri, BENCH_DATABASE: database } = process.env;
  if (method && uri && database) {
    await issueForAWhile(method, uri, database);
    return undefined;
  }

  const store = await startTestStore();
  console.log(`${ISSUERS} issuers × ${PROCESSES} processes, one series, ${ROUNDS} rounds of ${SECONDS} s each\n`);
  const names = Object.keys(methods);
  const rates = new Map(names.map((name) => [name, [] as number[]]));
  const latencies = new Map(names.map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of names) {
      // Each round begins with an empty series.
      const database = `bench_${names.indexOf(name)}_${round}`;
      const results = await Promise.all(Array.from({ length: PROCESSES }, () => inProcess(name, store.uri, database)));
      rates.get(name)!.push(results.reduce((sum, { count }) => sum + count, 0) / SECONDS);
      latencies.get(name)!.push(...results.flatMap(({ latenciesMs }) => latenciesMs));
    }
  }
  for (const name of names) {
    const all = rates.get(name)!.map((rate) => rate.toFixed(0));
    const at = (share: number): string => quantile(latencies.get(name)!, share).toFixed(1);
    console.log(`${name.padEnd(30)} ${all.join(', ').padStart(18)} /s   p50 ${at(0.5)} ms   p99 ${at(0.99)} ms`);
  }
  await store.close();
  const [ours = '', lock = '', counter = ''] = names;
  const perSecond = (name: string): Spread => spreadOf(rates.get(name)!);
  const beside = (name: string, atLeast: number): BenchFigure => ({
    name: 'numbered documents, one series',
    unit: '/s',
    ours: perSecond(ours),
    beside: { name, value: perSecond(name) },
    aim: { of: 'ratio', atLeast },
  });
  return [
    beside(lock, 10),
    beside(counter, 1.5),
    { name: 'pricing 500 lines', unit: 'ms', ours: single(linesMs()), aim: { of: 'value', atMost: 5 } },
  ];
}

async function inProcess(method: string, uri: string, database: string): Promise<Measured> {
  const child = fork(process.argv[1]!, {
    env: { ...process.env, BENCH_METHOD: method, BENCH_URI: uri, BENCH_DATABASE: database },
    serialization: 'advanced',
  });
  const [measured] = (await once(child, 'message')) as [Measured];
  if (child.exitCode === null) await once(child, 'exit');
  return measured;
}

async function issueForAWhile(method: string, uri: string, database: string): Promise<void> {
  const connection = await connectMongo({ uri, database });
  const issue = await methods[method]!(connection);
  const startedAt = performance.now() + WARM_UP_MS;
  const endsAt = startedAt + SECONDS * 1_000;
  const latenciesMs: number[] = [];
  await Promise.all(
    Array.from({ length: ISSUERS }, async () => {
      while (performance.now() < endsAt) {
        const before = performance.now();
        await issue(benchInvoice());
        const after = performance.now();
        if (before >= startedAt && after <= endsAt) latenciesMs.push(after - before);
      }
    }),
  );
  await connection.close();
  const measured: Measured = { count: latenciesMs.length, latenciesMs };
  await new Promise((resolve) => process.send!(measured, resolve));
}

/** Median of pricing 500 lines. */
function linesMs(): number {
  const inputs = Array.from({ length: 500 }, (_, index) => ({ unitPriceCents: 1_234 + index, quantity: '1.25' }));
  const times = Array.from({ length: 101 }, () => {
    const before = performance.now();
    priceLines(inputs, new Map());
    return performance.now() - before;
  });
  return quantile(times, 0.5);
}
