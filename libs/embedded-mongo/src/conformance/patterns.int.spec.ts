import { Long, type Collection, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

/** What the platform's correctness rests on, as it asks for it: every write by a majority, every read of what a majority has. */
describe('patterns that the platform depends on', () => {
  const database = useDatabase();
  const majority = { writeConcern: { w: 'majority' as const, journal: true } };

  async function numbered(): Promise<Collection> {
    const collection = await database.filled([]);
    await collection.createIndex(
      { series: 1, seq: 1 },
      { unique: true, partialFilterExpression: { seq: { $exists: true } } },
    );
    return database.db.collection(collection.collectionName, { ...majority, readConcern: { level: 'majority' } });
  }

  it.each<[string, Document, Document]>([
    ['_id', { _id: 'taken', series: 'F', seq: 11 }, { _id: 1 }],
    ['number', { _id: 'free', series: 'F', seq: 2 }, { series: 1, seq: 1 }],
  ])(
    'an ordered insert stops at a refusal by %s, and says which document and which index',
    async (_by, second, keyPattern) => {
      const invoices = await numbered();
      await invoices.insertOne({ _id: 'taken' as never, series: 'F', seq: 2 });
      const documents = [{ _id: 'first', series: 'F', seq: 10 }, second, { _id: 'third', series: 'F', seq: 12 }];
      const error = await failure(invoices.insertMany(documents as never[], { ordered: true }));
      expect(error).toMatchObject({ code: 11000, writeErrors: [{ index: 1, code: 11000 }] });
      expect((await invoices.find().sort({ seq: 1 }).toArray()).map(({ _id }) => String(_id))).toEqual([
        'taken',
        'first',
      ]);
      // The driver drops what the server says of the index, so it is asked without the driver's words.
      const again = await database.db.command({ insert: invoices.collectionName, documents: [second] });
      expect(again.writeErrors[0]).toMatchObject({ index: 0, code: 11000, keyPattern });
    },
  );

  it('of many that compare and set one document exactly one wins', async () => {
    const collection = await numbered();
    await collection.insertOne({ _id: 'd' as never, version: 1 });
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        collection.updateOne({ _id: 'd' as never, version: 1 }, { $set: { winner: n }, $inc: { version: 1 } }),
      ),
    );
    expect(results.filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(1);
    expect(await collection.findOne({ _id: 'd' as never })).toMatchObject({ version: 2 });
  });

  it('of many that claim the same work each gets its own', async () => {
    const collection = await numbered();
    await collection.insertMany(Array.from({ length: 20 }, (_, n) => ({ due: n, claimedBy: null })));
    const claim = (by: number): Promise<Document | null> =>
      collection.findOneAndUpdate(
        { claimedBy: null },
        { $set: { claimedBy: by } },
        { sort: { due: 1 }, returnDocument: 'after' },
      );
    const claimed = await Promise.all(Array.from({ length: 25 }, (_, by) => claim(by)));
    const got = claimed.filter((each) => each !== null).map(({ due }) => due as number);
    expect(got.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  });

  it('a partial unique index binds only what it holds', async () => {
    const drafts = await numbered();
    await drafts.insertMany([{ series: 'F' }, { series: 'F' }]);
    await drafts.insertOne({ series: 'F', seq: 1 });
    expect(await failure(drafts.insertOne({ series: 'F', seq: 1 }))).toMatchObject({ code: 11000 });
    expect(await drafts.countDocuments()).toBe(3);
  });

  it('a pipeline update computes from what is stored, and applies once where two race', async () => {
    const collection = await numbered();
    await collection.insertOne({ _id: 'i' as never, total: 100, paid: 0, status: 'open' });
    const pay = (amount: number): Promise<unknown> =>
      collection.updateOne({ _id: 'i' as never }, [
        { $set: { paid: { $add: ['$paid', amount] } } },
        { $set: { status: { $cond: [{ $gte: ['$paid', '$total'] }, 'paid', 'open'] } } },
      ]);
    await Promise.all([pay(60), pay(40)]);
    expect(await collection.findOne({ _id: 'i' as never })).toMatchObject({ paid: 100, status: 'paid' });
  });

  it('a TTL index is kept with its time, and takes documents without a date', async () => {
    const collection = await numbered();
    await collection.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    await collection.insertMany([{ expiresAt: new Date(Date.now() + 3_600_000) }, { never: true }]);
    const indexes = await collection.indexes();
    expect(indexes.find(({ key }) => 'expiresAt' in key)).toMatchObject({ expireAfterSeconds: 0 });
    expect(await collection.countDocuments()).toBe(2);
  });

  it('what a majority has acknowledged a majority read sees at once', async () => {
    const collection = await numbered();
    for (let n = 0; n < 20; n++) {
      await collection.insertOne({ n });
      expect(await collection.countDocuments({ n })).toBe(1);
    }
  });

  it('a write with a transaction number that is sent twice is applied once', async () => {
    const collection = await numbered();
    await collection.insertOne({ _id: 'f' as never, seq: 0 });
    const session = database.client.startSession();
    const command = {
      findAndModify: collection.collectionName,
      query: { _id: 'f' },
      update: { $inc: { seq: 1 } },
      new: true,
    };
    // Far beyond what the session has used; it is not ended, so that nobody uses it again.
    const twice = { ...command, txnNumber: Long.fromNumber(1_000_000) };
    await database.db.command(twice, { session });
    expect(await database.db.command(twice, { session })).toMatchObject({ value: { seq: 1 } });
  });
});
