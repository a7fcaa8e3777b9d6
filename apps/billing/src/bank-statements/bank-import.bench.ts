import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connectMongo, nativeCollection } from '@invoicing/mongo';
import { seededRandom, single, startTestStore, type BenchFigure } from '@invoicing/testing';
import { openEntries } from '../account/account-store';
import { madeUpBooks } from '../exports/testing/made-up-books';
import { openInvoices } from '../invoices/invoice-store';
import { addOrganization, newWorld, realPorts } from '../testing/real-ports';
import { peakMemoryMb } from '../testing/subscription-fleet';
import type { BankPorts } from './bank-ports';
import { mongoBankStatements, openBankStore } from './bank-store';
import { importStatement } from './import-statement';

const LINES = Number(process.env['LINES'] ?? 50_000);
const INVOICES = Math.min(20_000, Math.ceil(LINES / 10));
const BATCH = 1_000;
// What is live is far below it: were the file held, or what it became, the process would not survive.
const HEAP_LIMIT_MB = 96;
const NOW = '2027-01-31T09:00:00Z';

/** One long statement, made as it is read, against many open invoices, by a process with a small heap: lines a second and peak memory. */
export async function run(): Promise<readonly BenchFigure[]> {
  const { BENCH_URI: uri, BENCH_DATABASE: database, BENCH_ORGANIZATION: organizationId } = process.env;
  if (uri && database && organizationId) return importAll(uri, database, organizationId);
  const store = await startTestStore();
  try {
    const connection = await store.connect('statements');
    const organization = await addOrganization(await realPorts(connection, newWorld(NOW)));
    const invoices = nativeCollection(await openInvoices(connection));
    const all = [...madeUpBooks({ organizationId: organization._id, documents: INVOICES })].map(
      ({ document }) => document,
    );
    for (let at = 0; at < all.length; at += BATCH) await invoices.insertMany(all.slice(at, at + BATCH));
    const reader = fork(process.argv[1]!, {
      env: {
        ...process.env,
        BENCH_URI: store.uri,
        BENCH_DATABASE: connection.db!.databaseName,
        BENCH_ORGANIZATION: organization._id,
      },
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

/** A statement in the format of a Dutch bank: some lines name an invoice that somebody made up, most name nothing. */
async function* statement(): AsyncIterable<Uint8Array> {
  const random = seededRandom(53);
  yield Buffer.from('Date;Interest Date;Amount;Account;Counterparty;Name;Description\n');
  for (let line = 0; line < LINES; line += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, LINES - line) }, (_, at) => {
      const cents = 100 + Math.floor(random() * 500_000);
      const day = `2026-${String(1 + ((line + at) % 12)).padStart(2, '0')}-15`;
      const number = `2026-${String(1 + Math.floor(random() * INVOICES)).padStart(4, '0')}`;
      const said = random() < 0.3 ? `factuur ${number}` : `betaling ${line + at}`;
      const payer = String(Math.floor(random() * 2_000)).padStart(10, '0');
      return `${day};${day};"${(cents / 100).toFixed(2).replace('.', ',')}";NL91ABNA0417164300;NL00FAKE${payer};Klant ${payer};${said}\n`;
    });
    yield Buffer.from(rows.join(''));
  }
}

/** The reader's side: it tells its figures to the process that started it. */
async function importAll(uri: string, database: string, organizationId: string): Promise<readonly BenchFigure[]> {
  const connection = await connectMongo({ uri, database });
  await openEntries(connection);
  const bankLines = await openBankStore(connection);
  const bankStatements = await mongoBankStatements(connection);
  const ports: BankPorts = { ...(await realPorts(connection, newWorld(NOW))), bankLines, bankStatements };
  const startedAt = performance.now();
  const operation = { id: 'bench', by: { kind: 'operator', id: 'bench' } } as const;
  const { lines, questions, booked } = await importStatement(ports, organizationId, statement(), operation);
  const seconds = (performance.now() - startedAt) / 1_000;
  await connection.close();
  const figures: BenchFigure[] = [
    {
      name: `${lines} lines against ${INVOICES} documents: ${booked} booked, ${questions} asked`,
      unit: 'lines/s',
      ours: single(lines / seconds),
    },
    {
      name: `peak memory of the reader, heap of at most ${HEAP_LIMIT_MB} MB`,
      unit: 'MB',
      ours: single(peakMemoryMb(process.pid)),
    },
  ];
  process.send!(figures);
  return figures;
}
