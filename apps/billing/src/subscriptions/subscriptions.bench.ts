import { single, type BenchFigure } from '@invoicing/testing';
import { becomeReplica, peakMemoryMb, startFleet } from '../testing/subscription-fleet';

const DUE = Number(process.env['DUE'] ?? 100_000);
// All of them take minutes; the rate and the memory are the same.
const INVOICES = Number(process.env['INVOICES'] ?? 20_000);
const MEMORY_LIMIT_MB = 150;
// What is live is far below it at any time: were it to grow with what is due, the process would not survive.
const HEAP_LIMIT_MB = 64;
const LIMIT_MS = 900_000;

export async function run(): Promise<readonly BenchFigure[]> {
  if (becomeReplica()) return new Promise<never>(() => undefined);
  const fleet = await startFleet();
  try {
    await fleet.subscribe(DUE);
    const replica = await fleet.startReplica([`--max-old-space-size=${HEAP_LIMIT_MB}`]);
    const startedAt = performance.now();
    const invoices = fleet.db.collection('invoices');
    let made = 0;
    while (made < INVOICES) {
      if (performance.now() - startedAt > LIMIT_MS)
        throw new Error(`only ${made} of ${INVOICES} after ${LIMIT_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 250));
      made = await invoices.estimatedDocumentCount();
    }
    const seconds = (performance.now() - startedAt) / 1_000;
    const memoryMb = peakMemoryMb(replica.pid!);
    return [
      { name: `catch-up of ${DUE} due subscriptions`, unit: 'invoices/s', ours: single(made / seconds) },
      {
        name: 'peak memory meanwhile',
        unit: 'MB',
        ours: single(memoryMb),
        aim: { of: 'value', atMost: MEMORY_LIMIT_MB },
      },
    ];
  } finally {
    await fleet.close();
  }
}
