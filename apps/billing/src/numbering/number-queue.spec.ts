import { createNumbering, type InsertOutcome, type Numbered, type SeriesStore } from './number-series';

interface Doc extends Numbered {
  readonly previousHash: string;
}

const seal =
  (_id: string) =>
  ({ seq, previousHash }: { seq: number; previousHash: string }): Doc => ({
    _id,
    series: 's',
    seq,
    hash: `${previousHash}${seq}`,
    previousHash,
  });

/** An orderly store in memory that tells what it was asked. */
function memoryStore(documents: Doc[] = []) {
  const batches: number[] = [];
  let refuse: ((document: Doc) => Error | undefined) | undefined;
  const store: SeriesStore<Doc> = {
    tail: async () => documents.at(-1) ?? { seq: 0, hash: '' },
    countUpTo: async (_, seq) => documents.filter((each) => each.seq <= seq).length,
    find: async (id) => documents.find(({ _id }) => _id === id) ?? null,
    insert: async (batch): Promise<InsertOutcome> => {
      batches.push(batch.length);
      for (const [inserted, document] of batch.entries()) {
        const error = refuse?.(document);
        if (error) return { inserted, refused: 'other', error };
        if (documents.some(({ _id }) => _id === document._id)) return { inserted, refused: 'id' };
        if (documents.some(({ seq }) => seq === document.seq)) return { inserted, refused: 'number' };
        documents.push(document);
      }
      return { inserted: batch.length };
    },
  };
  return { store, documents, batches, refuseWhen: (rule: typeof refuse) => (refuse = rule) };
}

test('what waits goes together, 64 at a time', async () => {
  const { store, batches } = memoryStore();
  const numbering = createNumbering(store);
  const issued = await Promise.all(
    Array.from({ length: 150 }, (_, index) => numbering.issue('s', `${index}`, seal(`${index}`))),
  );
  expect(batches).toEqual([64, 64, 22]);
  expect(issued.map(({ seq }) => seq)).toEqual(Array.from({ length: 150 }, (_, index) => index + 1));
});

test('a repeat joins the one that waits, or meets the one that is there', async () => {
  const { store, documents } = memoryStore();
  const numbering = createNumbering(store);
  const answers = await Promise.all(['a', 'b', 'a', 'a'].map((id) => numbering.issue('s', id, seal(id))));
  expect(answers.map(({ seq }) => seq)).toEqual([1, 2, 1, 1]);
  expect(await numbering.issue('s', 'b', seal('b'))).toMatchObject({ seq: 2 });
  expect(await numbering.issue('s', 'c', seal('c'))).toMatchObject({ seq: 3 });
  expect(documents.map(({ hash }) => hash)).toEqual(['1', '12', '123']);
});

test('a rival that was first moves the rest up', async () => {
  const { store, documents } = memoryStore();
  const [one, other] = [createNumbering(store), createNumbering(store)];
  await one.issue('s', 'a', seal('a'));
  await other.issue('s', 'b', seal('b'));
  // `one` still believes that 2 is next.
  expect(await one.issue('s', 'c', seal('c'))).toMatchObject({ seq: 3, previousHash: '12' });
  expect(documents.map(({ _id }) => _id)).toEqual(['a', 'b', 'c']);
});

test('one that another index refuses fails alone; the rest moves up', async () => {
  const { store, refuseWhen } = memoryStore();
  refuseWhen(({ _id }) => (_id === 'b' ? new Error('credited meanwhile') : undefined));
  const numbering = createNumbering(store);
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((id) => numbering.issue('s', id, seal(id))));
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: { seq: 1 } },
    { status: 'rejected', reason: { message: 'credited meanwhile' } },
    { status: 'fulfilled', value: { seq: 2 } },
  ]);
});

test('an unknown outcome is told to all of the batch, and nothing is believed any more', async () => {
  const { store, documents } = memoryStore();
  let fails = true;
  const insert: typeof store.insert = async (batch) => {
    if (!fails) return store.insert(batch);
    fails = false;
    // The first was carried out all the same.
    await store.insert(batch.slice(0, 1));
    throw new Error('connection lost');
  };
  const numbering = createNumbering({ ...store, insert });
  const outcomes = await Promise.allSettled(['a', 'b'].map((id) => numbering.issue('s', id, seal(id))));
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = await Promise.all(['b', 'a'].map((id) => numbering.issue('s', id, seal(id))));
  expect(again.map(({ seq }) => seq)).toEqual([2, 1]);
  expect(documents).toHaveLength(2);
});

test('a series with a hole is not continued, and it is said', async () => {
  const said: unknown[] = [];
  const { store, documents } = memoryStore([
    seal('a')({ seq: 1, previousHash: '' }),
    seal('c')({ seq: 3, previousHash: '' }),
  ]);
  const numbering = createNumbering(store, { onBroken: (...what) => said.push(what) });
  const attempt = () => numbering.issue('s', 'd', seal('d'));
  await expect(attempt()).rejects.toMatchObject({ code: 'series_broken' });
  await expect(attempt()).rejects.toMatchObject({ code: 'series_broken' });
  expect(said).toEqual([['s', 2, 3]]);
  expect(documents).toHaveLength(2);
});
