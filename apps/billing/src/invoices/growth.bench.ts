import { startEmbeddedMongo, type EmbeddedMongo } from '@invoicing/embedded-mongo';
import { connectMongo, nativeCollection, openHistory, type Connection } from '@invoicing/mongo';
import { quantile, single, spreadOf, tempFolder, type BenchFigure } from '@invoicing/testing';
import { readAccount } from '../account/account';
import { createNumbering } from '../numbering/number-series';
import { verifyNumbers } from '../numbering/verify-numbers';
import { createOrganization } from '../organizations/manage-organizations';
import { openPurges } from '../purge-store';
import type { SubscriptionPorts } from '../subscriptions/subscription-ports';
import { benchInvoice } from '../testing/numbering-methods';
import { newWorld, realPorts } from '../testing/real-ports';
import { mongoSeriesStores, openInvoices, type InvoiceDocument } from './invoice-store';
import { invoiceSealer, type IssuedInvoice } from './issued-invoice';
import { listInvoices } from './list-invoices';

/** Invoices that are there, in turn; 1,000,000 take some minutes to make. */
const SIZES = (process.env['GROWTH'] ?? '1000,100000').split(',').map(Number);
const OTHERS = 10_000;
const BIG = 'big';
const BATCH = 64;
const TIMES = Number(process.env['BENCH_ROUNDS'] ?? 3) * 10;
const FLAT = 1.5;
const LONG_AGO = new Date('2000-01-01');

type Times = ReadonlyMap<string, number>;

/**
 * What is asked most, as the books grow: half of the invoices are one organisation's, in one series with a real chain, the others'
 * are spread over 10,000. Each figure stands beside the same at the smallest size.
 */
export async function run(): Promise<readonly BenchFigure[]> {
  const folder = tempFolder();
  let store = await startEmbeddedMongo({ folder: folder.path });
  let connection = await connectMongo({ uri: store.uri, database: 'growth' });
  const figures: BenchFigure[] = [];
  try {
    const fill = filler();
    let smallest: Times | undefined;
    for (const size of SIZES) {
      await fill(connection, size);
      // What was just written is not in anybody's memory any more.
      const opened = await reopen(folder.path, store, connection);
      ({ store, connection } = opened);
      // A disk goes on writing what it was given: a second for each ten thousand, two minutes at most.
      await new Promise((resolve) => setTimeout(resolve, Math.min(size / 10, 120_000)));
      const times = await measure(connection);
      figures.push(...figuresOf(size, times, smallest), ...(await sizesOf(connection, size)), {
        name: `store opened, ${size.toLocaleString('en')} invoices`,
        unit: 'ms',
        ours: single(opened.ms),
        aim: { of: 'value', atMost: 2_000 },
      });
      smallest ??= times;
    }
    return figures;
  } finally {
    await connection.close();
    await store.close();
    folder.remove();
  }
}

async function reopen(folder: string, store: EmbeddedMongo, connection: Connection) {
  await connection.close();
  await store.close();
  const before = performance.now();
  const opened = await startEmbeddedMongo({ folder });
  const ms = performance.now() - before;
  return { ms, store: opened, connection: await connectMongo({ uri: opened.uri, database: 'growth' }) };
}

const numberOf = (seq: number): string => `2026-${String(seq).padStart(7, '0')}`;

/** Makes invoices until there are as many; goes on where it stopped. */
function filler() {
  const tails = new Map<string, Pick<IssuedInvoice, 'seq' | 'hash'>>();
  let made = 0;
  const next = (): InvoiceDocument => {
    const organizationId = made % 2 === 0 ? BIG : `org-${((made - 1) / 2) % OTHERS}`;
    const series = `${organizationId}/invoice/2026`;
    const { seq, hash } = tails.get(organizationId) ?? { seq: 0, hash: '' };
    const day = `2026-${String(1 + (made % 12)).padStart(2, '0')}-02`;
    const at = new Date(Date.parse('2026-01-01') + made * 1_000);
    const invoice = { ...benchInvoice(), organizationId, issueDate: day, issuedAt: at, createdAt: at };
    const sealed = invoiceSealer(invoice, series, numberOf)({ seq: seq + 1, previousHash: hash });
    tails.set(organizationId, sealed);
    made++;
    return { ...sealed, outbox: [] };
  };
  return async (connection: Connection, size: number): Promise<void> => {
    const invoices = nativeCollection(await openInvoices(connection));
    // What was issued while it was measured.
    const last = await invoices.findOne({ organizationId: BIG }, { sort: { seq: -1 } });
    if (last) tails.set(BIG, last);
    while (made < size) {
      const count = Math.min(BATCH, size - made);
      await invoices.insertMany(Array.from({ length: count }, next));
    }
  };
}

async function measure(connection: Connection): Promise<Times> {
  const ports = await realPorts(connection, newWorld('2026-12-31T12:00:00Z'));
  const of = { details: { name: BIG }, plan: 'standard', mode: 'test' } as const;
  await createOrganization(ports, of, { deadline: Infinity, operationId: BIG });
  const model = await openInvoices(connection);
  const history = await openHistory(connection, []);
  const purges = Object.values(await openPurges(connection, history));
  const some = await nativeCollection(model).find({ organizationId: BIG }, { limit: TIMES }).toArray();
  let nth = 0;
  const numbering = createNumbering(mongoSeriesStores(model, () => undefined)(BIG));
  const issue = (): Promise<unknown> => {
    const invoice = { ...benchInvoice(), organizationId: BIG };
    const series = `${BIG}/invoice/2026`;
    return numbering.issue(series, invoice._id, invoiceSealer(invoice, series, numberOf));
  };
  const call = { deadline: Infinity };
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    'list of 50': () => listInvoices(ports, BIG, { limit: 50 }, call),
    'list of 50, of a month': () =>
      listInvoices(ports, BIG, { limit: 50, period: { from: '2026-03-01', to: '2026-03-31' } }, call),
    'account of an invoice': () => readAccount(ports, some[nth++ % some.length]!),
    'due work that is not there': () => dueWork(ports),
    'purge of what is not there': async () => {
      for (const purge of purges) await purge(LONG_AGO, BATCH);
    },
    issue,
  };
  const times = new Map<string, number>();
  for (const [name, ask] of Object.entries(asked)) {
    await ask();
    const each: number[] = [];
    for (let time = 0; time < TIMES; time++) each.push(await msOf(ask));
    times.set(name, quantile(each, 0.5));
  }
  const before = performance.now();
  const [verified] = await verifyNumbers(ports, BIG);
  if (!verified?.gapless || !verified.chainValid) throw new Error('the books of the bench are not whole');
  times.set('verify, a document', (performance.now() - before) / verified.count);
  return times;
}

async function dueWork({ invoices, accounts }: SubscriptionPorts): Promise<void> {
  await invoices.claimDue(LONG_AGO, LONG_AGO);
  await accounts.claimDue(LONG_AGO, LONG_AGO);
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

const figuresOf = (size: number, times: Times, smallest: Times | undefined): BenchFigure[] =>
  [...times].map(([name, ms]) => ({
    name: `${name}, ${size.toLocaleString('en')} invoices`,
    unit: 'ms',
    ours: spreadOf([ms]),
    ...(smallest && {
      beside: { name: `at ${SIZES[0]!.toLocaleString('en')}`, value: single(smallest.get(name)!) },
      aim: { of: 'ratio', atMost: FLAT },
    }),
  }));

async function sizesOf(connection: Connection, size: number): Promise<BenchFigure[]> {
  const of = `${size.toLocaleString('en')} invoices`;
  const { storageSize, totalIndexSize } = await connection.db!.command({ collStats: 'invoices' });
  return [
    { name: `documents on disk, an invoice, ${of}`, unit: 'B', ours: single(Number(storageSize) / size) },
    { name: `indexes on disk, an invoice, ${of}`, unit: 'B', ours: single(Number(totalIndexSize) / size) },
  ];
}
