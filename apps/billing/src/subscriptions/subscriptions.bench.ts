import { becomeReplica, peakMemoryMb, startFleet } from '../testing/subscription-fleet';

const DUE = Number(process.env['DUE'] ?? 100_000);
// All of them take minutes; the rate and the memory are the same.
const INVOICES = Number(process.env['INVOICES'] ?? 20_000);
const MEMORY_LIMIT_MB = 150;
// What is live is far below it at any time: were it to grow with what is due, the process would not survive.
const HEAP_LIMIT_MB = 64;
const LIMIT_MS = 900_000;

export async function run(): Promise<void> {
  if (becomeReplica()) return new Promise(() => undefined);
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
    console.log(`due              ${DUE}`);
    console.log(`catch-up         ${made} invoices in ${seconds.toFixed(1)} s`);
    console.log(`invoices/s       ${Math.round(made / seconds)}`);
    console.log(`peak memory      ${memoryMb} MB of the billing process, with a heap of at most ${HEAP_LIMIT_MB} MB`);
    if (memoryMb > MEMORY_LIMIT_MB) throw new Error(`memory ${memoryMb} MB is over ${MEMORY_LIMIT_MB} MB`);
  } finally {
    await fleet.close();
  }
}
