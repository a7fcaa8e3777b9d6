import { createNumbering, type Numbered } from './number-series';

test('in a series that lacks a number nothing is issued, and somebody is told', async () => {
  const told: unknown[] = [];
  let inserts = 0;
  const store = {
    tail: async () => ({ seq: 3, hash: 'h' }),
    countUpTo: async () => 2,
    find: async () => null,
    insert: async (documents: readonly unknown[]) => ({ inserted: (inserts += documents.length) }),
  };
  const numbering = createNumbering<Numbered>(store, { onBroken: (...what) => void told.push(what) });
  const seal = ({ seq }: { seq: number }) => ({ _id: 'a', series: 's', seq, hash: 'x' });
  await expect(numbering.issue('s', 'a', seal)).rejects.toMatchObject({ code: 'series_broken' });
  expect([inserts, told]).toEqual([0, [['s', 2, 3]]]);
});
