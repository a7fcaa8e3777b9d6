import { randomUUID } from 'node:crypto';
import { nativeCollection, openHistory, type Connection, type History } from '@invoicing/mongo';
import { startTestStore } from '@invoicing/testing';
import { openEntries } from '../account/account-store';
import { mongoBooks } from '../exports/books-store';
import { exportBooks, type ExportSummary } from '../exports/export-books';
import { madeUpBooks, SELLER } from '../exports/testing/made-up-books';
import { openDrafts } from '../invoices/draft-store';
import type { Call } from '../invoices/invoice-ports';
import { openInvoices } from '../invoices/invoice-store';
import { issuePolicyOf } from '../organizations/organization';
import { createOrganization } from '../organizations/manage-organizations';
import { mongoOrganizations, openOrganizations } from '../organizations/organization-store';
import { closePeriod, type PeriodPorts } from './close-period';
import { mongoClosedPeriods, openClosedPeriods } from './closed-period-store';

// Whoever closes or exports dies before or after any of his calls to the store, as by kill -9; somebody begins again. The period is closed
// once, and its file is the same in every byte.

const DAYS = { from: '2026-01-01', to: '2026-06-30' };
const DOCUMENTS = 12;
const CALL: Call = { deadline: Infinity, by: { kind: 'operator', id: 'root' } };

let store: Awaited<ReturnType<typeof startTestStore>>;
let connection: Connection;
let ports: PeriodPorts;
let history: History;

beforeAll(async () => {
  store = await startTestStore();
  connection = await store.connect('books');
  const organizations = await openOrganizations(connection);
  const periods = await openClosedPeriods(connection);
  history = await openHistory(connection, [organizations, periods]);
  ports = {
    organizations: mongoOrganizations(organizations, history),
    closedPeriods: mongoClosedPeriods(periods, history),
    books: mongoBooks(await openInvoices(connection), await openEntries(connection), await openDrafts(connection)),
    now: () => new Date('2026-11-01T12:00:00Z'),
    newId: randomUUID,
  } as unknown as PeriodPorts;
});
afterAll(() => store?.close());

class Died extends Error {}

/** The same ports in a process that is gone `before` or `after` its n-th call; every document that is read is one, too. */
function dying(n: number, when: 'before' | 'after'): { ports: PeriodPorts; calls: () => number } {
  let calls = 0;
  const die = (at: 'before' | 'after'): void => {
    if (calls >= n && at === when) throw new Died();
  };
  const act = async (work: () => unknown): Promise<unknown> => {
    calls += 1;
    die('before');
    const answer = await work();
    die('after');
    return answer;
  };
  const each = async function* (all: AsyncIterable<unknown>): AsyncIterable<unknown> {
    for await (const one of all) {
      calls += 1;
      die('before');
      yield one;
      die('after');
    }
  };
  const around = <T extends object>(target: T): T =>
    new Proxy(target, {
      get:
        (_, name) =>
        (...args: unknown[]) => {
          const method = (target as Record<string | symbol, (...args: unknown[]) => unknown>)[name]!;
          return name === 'documents' || name === 'entries'
            ? each(method(...args) as AsyncIterable<unknown>)
            : act(() => method(...args));
        },
    });
  const { organizations, closedPeriods, books } = ports;
  const own = { organizations: around(organizations), closedPeriods: around(closedPeriods), books: around(books) };
  return { ports: { ...ports, ...own }, calls: () => calls };
}

async function organisationWithBooks(): Promise<string> {
  const input = { details: { name: SELLER.name, btwId: SELLER.btwId }, plan: 'standard', mode: 'live' } as const;
  const { _id: organizationId } = await createOrganization(ports, input, { ...CALL, operationId: randomUUID() });
  const all = [...madeUpBooks({ organizationId, documents: DOCUMENTS })];
  // Of each organisation its own.
  const own = <T extends { _id: string }>(each: T): T => ({ ...each, _id: `${organizationId} ${each._id}` });
  const invoices = nativeCollection(await openInvoices(connection));
  const entries = nativeCollection(await openEntries(connection));
  await invoices.insertMany(
    all.map(({ document }) => ({ ...own(document), publicToken: `${organizationId} ${document.publicToken}` })),
  );
  const moved = all.flatMap((each) =>
    each.entries.map((entry) => ({ ...own(entry), invoiceId: own({ _id: entry.invoiceId })._id })),
  );
  await entries.insertMany(moved as never);
  return organizationId;
}

async function exported(organizationId: string, by = ports): Promise<{ file: Buffer; summary: ExportSummary }> {
  const parts: Uint8Array[] = [];
  let summary: ExportSummary | undefined;
  for await (const part of exportBooks(by, organizationId, DAYS, { kind: 'xaf', version: '4.0' })) {
    if ('content' in part) parts.push(part.content);
    else summary = part.summary;
  }
  return { file: Buffer.concat(parts), summary: summary! };
}

const closings = async (organizationId: string): Promise<number> =>
  (await history.page(organizationId, { limit: 100 })).entries.filter(({ action }) => action === 'period.closed')
    .length;

test.each(['before', 'after'] as const)(
  'whoever closes dies %s any of his calls: closed once, by whoever begins again',
  async (when) => {
    let deaths = 0;
    for (let n = 1; ; n++) {
      const organizationId = await organisationWithBooks();
      const mortal = dying(n, when);
      const died = await closePeriod(mortal.ports, organizationId, DAYS, CALL).then(
        () => false,
        (error: unknown) => {
          if (!(error instanceof Died)) throw error;
          return true;
        },
      );
      // Nobody is told a checksum before nothing can change it any more.
      const [kept] = await ports.closedPeriods.list(organizationId);
      const locked = issuePolicyOf((await ports.organizations.find(organizationId))!).closedUntil === DAYS.to;
      if (kept) expect(locked).toBe(true);
      const { period } = await closePeriod(ports, organizationId, DAYS, CALL);
      expect(await ports.closedPeriods.list(organizationId)).toEqual([period]);
      expect((await exported(organizationId)).summary).toMatchObject({
        sha256: period.sha256,
        closed: true,
        asClosed: true,
      });
      expect(await closings(organizationId)).toBe(1);
      if (!died) break;
      deaths += 1;
    }
    expect(deaths).toBeGreaterThan(DOCUMENTS);
  },
);

test('an export that dies anywhere is begun again: the same bytes', async () => {
  const organizationId = await organisationWithBooks();
  await closePeriod(ports, organizationId, DAYS, CALL);
  const whole = await exported(organizationId);
  for (let n = 1, died = true; died; n++) {
    const mortal = dying(n, 'before');
    died = await exported(organizationId, mortal.ports).then(
      () => false,
      () => true,
    );
    const again = await exported(organizationId);
    expect(again.summary).toEqual(whole.summary);
    expect(again.file.equals(whole.file)).toBe(true);
  }
});
