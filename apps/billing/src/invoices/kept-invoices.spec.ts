import type { InvoiceSummary } from './invoice-ports';
import type { IssuedInvoice } from './issued-invoice';
import { issuedByToken, issuedSummaries } from './kept-invoices';

type Stored = InvoiceSummary & { organizationId: string };

const at = (day: number): Date => new Date(Date.UTC(2026, 0, day));
const summary = (_id: string, organizationId = 'a', createdAt = at(1)): Stored =>
  ({ _id, organizationId, createdAt, number: `${organizationId}-${_id}-${createdAt.getUTCDate()}` }) as Stored;

/** What is stored, and the ids that were read of it. */
function storeOf(...stored: Stored[]) {
  const reads: string[][] = [];
  const summaries = issuedSummaries(async (organizationId, ids) => {
    reads.push([...ids]);
    return stored.filter((each) => each.organizationId === organizationId && ids.includes(each._id)).reverse();
  });
  const numbers = async (organizationId: string, ...listed: [string, Date][]) =>
    (
      await summaries(
        organizationId,
        listed.map(([_id, createdAt]) => ({ _id, createdAt })),
      )
    ).map(({ number }) => number);
  return { stored, reads, numbers };
}

test('each is read once, and they are answered in the order of the list', async () => {
  const { reads, numbers } = storeOf(summary('1'), summary('2'), summary('3'));
  expect(await numbers('a', ['2', at(1)], ['1', at(1)])).toEqual(['a-2-1', 'a-1-1']);
  expect(await numbers('a', ['3', at(1)], ['2', at(1)], ['1', at(1)])).toEqual(['a-3-1', 'a-2-1', 'a-1-1']);
  expect(await numbers('a', ['1', at(1)], ['3', at(1)])).toEqual(['a-1-1', 'a-3-1']);
  expect(reads).toEqual([['2', '1'], ['3']]);
});

test('an id of another organisation, or of another time, is another document', async () => {
  const { stored, reads, numbers } = storeOf(summary('1'));
  expect(await numbers('a', ['1', at(1)])).toEqual(['a-1-1']);
  expect(await numbers('b', ['1', at(1)])).toEqual([]);
  stored[0] = summary('1', 'a', at(2));
  expect(await numbers('a', ['1', at(2)])).toEqual(['a-1-2']);
  expect(reads).toHaveLength(3);
});

test('what is not there any more when it is read is not shown', async () => {
  const { numbers } = storeOf(summary('1'));
  expect(await numbers('a', ['2', at(1)], ['1', at(1)])).toEqual(['a-1-1']);
});

test('a document is read once by its token; a token of nobody may become one', async () => {
  const stored = new Map<string, IssuedInvoice>();
  const reads: string[] = [];
  const find = issuedByToken(async (token) => {
    reads.push(token);
    return stored.get(token) ?? null;
  });
  expect(await find('a')).toBeNull();
  stored.set('a', { _id: '1', lines: [] as IssuedInvoice['lines'] } as IssuedInvoice);
  expect(await find('a')).toBe(stored.get('a'));
  expect(await find('a')).toBe(stored.get('a'));
  expect(reads).toEqual(['a', 'a']);
});
