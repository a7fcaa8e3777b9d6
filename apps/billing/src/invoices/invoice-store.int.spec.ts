import { startTestStore, type TestStore } from '@invoicing/testing';
import { nativeCollection, NEWEST_FIRST, type Connection, type Model } from '@invoicing/mongo';
import type { Draft } from './draft';
import { invoiceSealer, type IssuedInvoice, type SeriesPlace, type UnnumberedInvoice } from './issued-invoice';
import { benchInvoice } from '../testing/numbering-methods';
import type { ListNarrowed } from './invoice-ports';
import { listInvoices } from './list-invoices';
import type { ListPosition } from './list-position';
import { BY_DAY, partsOf, positionFields } from './newest-store';
import { recorded } from './update-draft';
import { mongoInvoices, mongoSeriesStores, openInvoices, type InvoiceDocument } from './invoice-store';
import { testDrafts, testOrganizations } from '../testing/real-ports';
import { mongoAccounts, openEntries } from '../account/account-store';

let store: TestStore;
let connection: Connection;
let invoices: Model<InvoiceDocument>;
let woken = 0;

beforeAll(async () => {
  store = await startTestStore();
});
beforeEach(async () => {
  connection = await store.connect('billing');
  await connection.dropDatabase();
  invoices = await openInvoices(connection);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => store?.close());

const SERIES = 'p/invoice/2026';
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
const seal = (place: SeriesPlace, more: Partial<UnnumberedInvoice> = {}): IssuedInvoice =>
  invoiceSealer({ ...benchInvoice(), ...more }, SERIES, String)(place);
const chain = (from: number, count: number): IssuedInvoice[] =>
  Array.from({ length: count }, (_, index) => seal({ seq: from + index, previousHash: '' }));
const seriesStore = () => mongoSeriesStores(invoices, () => woken++)('bench');

describe('the store of a series', () => {
  test('an empty series has no tail, a filled one its highest', async () => {
    expect(await seriesStore().tail(SERIES)).toMatchObject({ seq: 0, hash: '' });
    const documents = chain(1, 3);
    expect(await seriesStore().insert(documents)).toEqual({ inserted: 3 });
    expect(await seriesStore().tail(SERIES)).toMatchObject({ seq: 3, hash: documents[2]!.hash });
    expect(await seriesStore().countUpTo(SERIES, 2)).toBe(2);
    expect(await seriesStore().find(documents[1]!._id)).toEqual(documents[1]);
  });

  test('each index says what it refused, after what came before it', async () => {
    const [first, second] = chain(1, 2) as [IssuedInvoice, IssuedInvoice];
    await seriesStore().insert([first]);
    const before = woken;
    const sameNumber = await seriesStore().insert([second, seal({ seq: 1, previousHash: '' }), ...chain(3, 1)]);
    expect(sameNumber).toEqual({ inserted: 1, refused: 'number' });
    expect(await seriesStore().insert([{ ...first, seq: 3 }])).toEqual({ inserted: 0, refused: 'id' });
    const credited = { credited: { invoiceId: first._id, number: '1', issueDate: '2026-01-01' }, creditOrdinal: 1 };
    expect(await seriesStore().insert([seal({ seq: 3, previousHash: '' }, credited)])).toEqual({ inserted: 1 });
    expect(await seriesStore().insert([seal({ seq: 4, previousHash: '' }, credited)])).toMatchObject({
      inserted: 0,
      refused: 'other',
      error: { kind: 'conflict' },
    });
    expect(await seriesStore().tail(SERIES)).toMatchObject({ seq: 3 });
    // The relay is woken for what was inserted before a refusal too.
    expect(woken).toBeGreaterThan(before + 1);
  });
});

describe('a refusal in other words', () => {
  interface Told {
    err: { errmsg: string; keyPattern?: object };
  }
  const patterns: Record<string, object> = {
    _id_: { _id: 1 },
    organization_series_seq: { organizationId: 1, series: 1, seq: 1 },
    'organizationId_1_credited.invoiceId_1_creditOrdinal_1': { 'credited.invoiceId': 1 },
  };
  const otherWords = 'E11000 duplicate key';

  /** The real collection refuses, but what it says is told otherwise than MongoDB tells it today. */
  function retell(how: (told: Told) => void): void {
    // Each call gives a collection object of its own: they share their methods.
    type Native = ReturnType<typeof nativeCollection<InvoiceDocument>>;
    const methods = Object.getPrototypeOf(nativeCollection(invoices)) as Native;
    const { insertMany } = methods;
    jest.spyOn(methods, 'insertMany').mockImplementation(async function (this: Native, ...given) {
      try {
        return await insertMany.apply(this, given);
      } catch (error) {
        for (const refusal of [(error as { writeErrors: Told | Told[] }).writeErrors].flat()) how(refusal);
        throw error;
      }
    });
  }

  test.each<[string, (told: Told) => void]>([
    [
      'is understood by the fields of the index',
      ({ err }) => {
        err.keyPattern = patterns[/index: (\S+)/.exec(err.errmsg)![1]!]!;
        err.errmsg = otherWords;
      },
    ],
    ['is understood by what is there already', ({ err }) => void (err.errmsg = otherWords)],
    ['is not taken for another by a name that nobody knows', ({ err }) => void (err.errmsg = `${otherWords} index: x`)],
  ])('%s', async (_how, how) => {
    const [first, second] = chain(1, 2) as [IssuedInvoice, IssuedInvoice];
    const credited = { credited: { invoiceId: first._id, number: '1', issueDate: '2026-01-01' }, creditOrdinal: 1 };
    await seriesStore().insert([first, seal({ seq: 2, previousHash: '' }, credited)]);
    retell(how);
    const sameNumber = [{ ...second, seq: 3 }, seal({ seq: 1, previousHash: '' })];
    expect(await seriesStore().insert(sameNumber)).toEqual({ inserted: 1, refused: 'number' });
    expect(await seriesStore().insert([{ ...first, seq: 4 }])).toEqual({ inserted: 0, refused: 'id' });
    expect(await seriesStore().insert([seal({ seq: 4, previousHash: '' }, credited)])).toMatchObject({
      inserted: 0,
      refused: 'other',
    });
  });
});

describe('lists', () => {
  const draft = (second: number, more: Partial<Draft> = {}): Draft => {
    const { _id, organizationId, profileId, customerId, lines, totals, publicToken } = benchInvoice();
    return {
      ...{ _id, organizationId, profileId, customerId, lines, totals, publicToken },
      ...{ issueDate: null, dueDate: null, post: false, checkoutId: null, requireEInvoice: false },
      ...{ createdAt: at(second), state: 'draft', revision: 0, open: true },
      ...more,
    };
  };

  test('whatever a list is narrowed to, it is read off an index that begins with the organisation', async () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      seal(
        { seq: index + 1, previousHash: '' },
        {
          ...{ createdAt: at(index), profileId: index % 10 ? 'bench' : 'other', customerId: `customer-${index % 30}` },
          issueDate: `2026-${String(1 + Math.floor(index / 30)).padStart(2, '0')}-15`,
        },
      ),
    );
    await seriesStore().insert(many);
    const native = nativeCollection(invoices);
    const looked = async (narrowed: ListNarrowed, after?: ListPosition) => {
      const [part] = partsOf({ equal: { organizationId: 'bench' } }, narrowed, after);
      const found = native.find(part!.filter).sort(narrowed.period ? BY_DAY : NEWEST_FIRST);
      const { executionStats } = await found.hint(part!.hint).limit(50).explain('executionStats');
      return executionStats as { nReturned: number; totalDocsExamined: number; totalKeysExamined: number };
    };
    const exactly = (count: number) => ({ nReturned: count, totalDocsExamined: count, totalKeysExamined: count });
    expect(await looked({})).toMatchObject(exactly(50));
    expect(await looked({}, { createdAt: at(20), _id: '~' })).toMatchObject(exactly(21));
    expect(await looked({ profileId: 'other' })).toMatchObject(exactly(30));
    expect(await looked({ customerId: 'customer-3' })).toMatchObject(exactly(10));
    const february = { from: '2026-02-01', to: '2026-02-28', timezone: 'Europe/Amsterdam' };
    expect(await looked({ period: february })).toMatchObject(exactly(30));
    // Where documents stand is in the index itself.
    for (const narrowed of [{}, { profileId: 'other' }, { customerId: 'customer-3' }]) {
      const { filter, hint } = partsOf({ equal: { organizationId: 'bench' } }, narrowed, undefined)[0]!;
      const projection = positionFields(undefined);
      const stands = native.find(filter, { projection }).sort(NEWEST_FIRST).hint(hint).limit(50);
      const { executionStats } = (await stands.explain('executionStats')) as { executionStats: object };
      expect(executionStats).toMatchObject({ totalDocsExamined: 0 });
    }
    const found = { ids: [many[0]!._id], customerIds: ['customer-3', 'customer-4'] };
    expect(await looked({ text: found })).toMatchObject(exactly(1));
  });

  test('a draft whose issuer ended before closing it is listed once, and closed', async () => {
    const drafts = await testDrafts(connection);
    const ports = {
      drafts,
      invoices: mongoInvoices(invoices),
      accounts: mongoAccounts(await openEntries(connection), () => undefined),
      organizations: await testOrganizations(connection),
      catalog: { resolve: () => Promise.reject(new Error('asks nobody')), findCustomers: async () => [] },
      now: () => new Date(),
    };
    const older = draft(1);
    const interrupted = draft(2, { state: 'issuing' });
    for (const each of [older, interrupted]) await drafts.insert(each, recorded(each, 'created', { deadline: 0 }));
    await seriesStore().insert([seal({ seq: 1, previousHash: '' }, { _id: interrupted._id, createdAt: at(2) })]);
    const { invoices: listed } = await listInvoices(ports, 'bench', { limit: 2 }, { deadline: Infinity });
    expect(listed.map(({ id, status }) => [id, status])).toEqual([
      [interrupted._id, 'sent'],
      [older._id, 'draft'],
    ]);
    expect(await drafts.findAny('bench', interrupted._id)).toMatchObject({ state: 'issued', open: false });
  });
});
