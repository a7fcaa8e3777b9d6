import fc from 'fast-check';
import type { HistoryEntry } from '@invoicing/contracts/invoicing/history/v1/history';
import type { Services } from '../platform';
import { mergedHistory } from './history';

/** A service's list as its method answers it: newest first, a cursor names the entry before. */
function listOf(service: string, times: readonly number[]): Pick<Services['histories']['catalog'], 'listHistory'> {
  const entries = [...times]
    .sort((a, b) => b - a)
    .map((time, at): HistoryEntry => ({
      at: new Date(time),
      by: { kind: 'user', id: 'u-1', label: undefined },
      action: 'shelf.renamed',
      subject: { kind: 'shelf', id: `${service}-${at}`, label: 'top' },
      fields: [],
      revision: 1,
      cursor: String(at),
    }));
  return {
    listHistory: async ({ limit, cursor }) => {
      const from = cursor === undefined ? 0 : Number(cursor) + 1;
      const page = entries.slice(from, from + limit);
      return { entries: page, cursor: from + limit < entries.length ? page.at(-1)?.cursor : undefined };
    },
  };
}

test('page after page has every entry of every service once, newest first', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(times, times, times, fc.integer({ min: 1, max: 7 }), async (a, b, c, limit) => {
      const lists = { billing: listOf('billing', a), catalog: listOf('catalog', b), checkout: listOf('checkout', c) };
      const histories = lists as unknown as Services['histories'];
      const seen: HistoryEntry[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await mergedHistory(histories, { org: 'o', limit, ...(cursor && { cursor }) });
        expect(page.entries.length).toBeLessThanOrEqual(limit);
        if (page.cursor) expect(page.entries).toHaveLength(limit);
        seen.push(...page.entries);
        ({ cursor } = page);
      } while (cursor);
      expect(seen.map(({ at }) => at!.getTime())).toEqual([...a, ...b, ...c].sort((x, y) => y - x));
      expect(new Set(seen.map(({ subject }) => subject!.id)).size).toBe(seen.length);
    }),
  );
});

test('what is no cursor is refused in words', async () => {
  const histories = { catalog: listOf('catalog', [1]) } as unknown as Services['histories'];
  await expect(mergedHistory(histories, { org: 'o', limit: 5, cursor: '%%' })).rejects.toThrow('--cursor');
});
