import fc from 'fast-check';
import { HistoryEntry } from '@invoicing/contracts/invoicing/history/v1/history';
import { csvCell, csvRow } from './history-csv';
import { mergeHistory, type HistorySource } from './merge-history';

const sourceOf =
  (entries: readonly HistoryEntry[]): HistorySource =>
  ({ cursor, limit }) => {
    const from = cursor === undefined ? 0 : entries.findIndex((each) => each.cursor === cursor) + 1;
    const page = entries.slice(from, from + Math.min(limit, 3));
    const last = from + page.length >= entries.length;
    return Promise.resolve({ entries: page, ...(!last && { cursor: page.at(-1)!.cursor }) });
  };

const histories = fc.array(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }), {
  minLength: 1,
  maxLength: 4,
});

test('several histories are one: page by page nothing is met twice and nothing is left out', async () => {
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 9 }),
      async (times, limit, lookedAt) => {
        const all = times.map((each, source) =>
          [...each]
            .sort((a, b) => b - a)
            .map((at, index) =>
              HistoryEntry.fromPartial({
                at: new Date(at * 1_000),
                action: `${source}.${index}`,
                cursor: `s${source}i${index}`,
              }),
            ),
        );
        const fits = ({ action }: HistoryEntry): boolean => !action.endsWith('.1');
        const found: HistoryEntry[] = [];
        let cursor: string | undefined;
        for (let pages = 0; pages < 100; pages++) {
          const page = await mergeHistory(all.map(sourceOf), { organizationId: '', limit, lookedAt, cursor, fits });
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          found.push(...page.entries);
          cursor = page.cursor;
          if (cursor === undefined) break;
        }
        expect(cursor).toBeUndefined();
        const wanted = all.flat().filter(fits);
        expect(found.map(({ action }) => action).sort()).toEqual(wanted.map(({ action }) => action).sort());
        const order = found.map(({ at }) => at!.getTime());
        expect(order).toEqual([...order].sort((a, b) => b - a));
      },
    ),
  );
});

test('nothing older than asked for is looked at', async () => {
  const entries = [30, 20, 10].map((at) =>
    HistoryEntry.fromPartial({ at: new Date(at), action: String(at), cursor: String(at) }),
  );
  const wanted = { organizationId: '', limit: 10, lookedAt: 100, fits: () => true, since: new Date(20) };
  const page = await mergeHistory([sourceOf(entries)], wanted);
  expect(page.entries.map(({ action }) => action)).toEqual(['30', '20']);
  expect(page.cursor).toBeUndefined();
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n@x'])('%j is no formula', (text) => {
  expect(csvCell(text)).toBe(`"'${text}"`);
});

test('a cell is what it was, whatever it holds', () => {
  expect(csvRow(['a', 'b "c", d', ''])).toBe('"a","b ""c"", d",""\r\n');
  fc.assert(
    fc.property(fc.string(), (text) => {
      const read = csvCell(text).slice(1, -1).replaceAll('""', '"');
      expect([text, `'${text}`]).toContain(read);
      expect(read).not.toMatch(/^\s*[=+@-]/);
    }),
  );
});
