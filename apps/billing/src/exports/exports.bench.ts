import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connectMongo, nativeCollection } from '@invoicing/mongo';
import { single, startTestStore, type BenchFigure } from '@invoicing/testing';
import { openEntries } from '../account/account-store';
import { openDrafts } from '../invoices/draft-store';
import { openInvoices } from '../invoices/invoice-store';
import { EMPTY_DETAILS, type Organization } from '../organizations/organization';
import { peakMemoryMb } from '../testing/subscription-fleet';
import { mongoBooks } from './books-store';
import { exportBooks, type ExportAs } from './export-books';
import type { ExportPorts } from './export-ports';
import { madeUpBooks, SELLER } from './testing/made-up-books';

const DOCUMENTS = Number(process.env['DOCUMENTS'] ?? 100_000);
const BATCH = 1_000;
// What is live is far below it at any time: were it to grow with the documents, the process would not survive.
const HEAP_LIMIT_MB = 64;
const MEMORY_LIMIT_MB = 220;
const YEAR = { from: '2026-01-01', to: '2026-12-31' };
const FILES: readonly ExportAs[] = [{ kind: 'xaf', version: '4.0' }, { kind: 'csv' }, { kind: 'vat' }];
const ORGANIZATION: Organization = {
  ...{ _id: 'bench', plan: 'standard', billingStatus: 'active', mode: 'live', profiles: [] },
  details: { ...EMPTY_DETAILS, name: SELLER.name, btwId: SELLER.btwId },
  createdAt: new Date(0),
};

/** A year of many documents as files, read by a process with a small heap: seconds, length and peak memory. */
export async function run(): Promise<readonly BenchFigure[]> {
  const { BENCH_URI: uri, BENCH_DATABASE: database } = process.env;
  if (uri && database) return exportAll(uri, database);
  const store = await startTestStore();
  try {
    const connection = await store.connect('exports');
    const invoices = nativeCollection(await openInvoices(connection));
    const entries = nativeCollection(await openEntries(connection));
    let batch: ReturnType<typeof nextBatch>;
    const all = madeUpBooks({ organizationId: ORGANIZATION._id, documents: DOCUMENTS });
    while ((batch = nextBatch(all)).length > 0) {
      await invoices.insertMany(batch.map(({ document }) => document));
      const moved = batch.flatMap((each) => each.entries);
      if (moved.length > 0) await entries.insertMany(moved);
    }
    const reader = fork(process.argv[1]!, {
      env: { ...process.env, BENCH_URI: store.uri, BENCH_DATABASE: connection.db!.databaseName },
      execArgv: [`--max-old-space-size=${HEAP_LIMIT_MB}`],
    });
    const exited = once(reader, 'exit') as Promise<[number]>;
    const told = once(reader, 'message') as Promise<[readonly BenchFigure[]]>;
    const [code] = await Promise.race([exited, told.then(() => exited)]);
    if (code !== 0) throw new Error(`the reader ended with ${code}`);
    return (await told)[0];
  } finally {
    await store.close();
  }
}

function nextBatch(all: ReturnType<typeof madeUpBooks>) {
  const batch = [];
  for (let next = all.next(); !next.done; next = all.next()) {
    batch.push(next.value);
    if (batch.length === BATCH) break;
  }
  return batch;
}

/** The reader's side: it tells its figures to the process that started it. */
async function exportAll(uri: string, database: string): Promise<readonly BenchFigure[]> {
  const figures: BenchFigure[] = [];
  const connection = await connectMongo({ uri, database });
  const books = mongoBooks(await openInvoices(connection), await openEntries(connection), await openDrafts(connection));
  const ports = {
    books,
    organizations: { find: async () => ORGANIZATION },
    closedPeriods: { covering: async () => null },
    now: () => new Date('2027-12-31T00:00:00Z'),
  } as unknown as ExportPorts;
  for (const as of FILES) {
    const startedAt = performance.now();
    for await (const part of exportBooks(ports, ORGANIZATION._id, YEAR, as)) {
      if (!('summary' in part)) continue;
      const { count, bytes } = part.summary;
      const seconds = (performance.now() - startedAt) / 1_000;
      figures.push({
        name: `${as.kind}, ${count} rows, ${(bytes / 1e6).toFixed(0)} MB`,
        unit: 's',
        ours: single(seconds),
      });
    }
  }
  await connection.close();
  const peak = peakMemoryMb(process.pid);
  figures.push({
    name: `peak memory of the reader, heap of at most ${HEAP_LIMIT_MB} MB`,
    unit: 'MB',
    ours: single(peak),
    aim: { of: 'value', atMost: MEMORY_LIMIT_MB },
  });
  process.send!(figures);
  return figures;
}
