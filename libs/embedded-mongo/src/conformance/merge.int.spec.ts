import { type Collection, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

/** Two collections; what the first has is merged into the second. */
async function pair(source: Document[], target: Document[]): Promise<[Collection<Document>, Collection<Document>]> {
  return [await database.filled(source), await database.filled(target)];
}

const merged = (source: Collection<Document>, target: Collection<Document>, options: Document): Promise<Document[]> =>
  source
    .aggregate([{ $merge: { into: target.collectionName, ...options } }])
    .toArray()
    .then(() => target.find().sort({ _id: 1 }).toArray());

describe('$merge', () => {
  it.each<[Document, Document[]]>([
    [{}, [{ _id: 1, n: 1, kept: true }, { _id: 2, n: 2 }]],
    [{ whenMatched: 'replace' }, [{ _id: 1, n: 1 }, { _id: 2, n: 2 }]],
    [{ whenMatched: 'keepExisting' }, [{ _id: 1, n: 10, kept: true }, { _id: 2, n: 2 }]],
    [{ whenNotMatched: 'discard' }, [{ _id: 1, n: 1, kept: true }]],
    [{ whenMatched: [{ $set: { n: { $add: ['$n', '$$new.n'] } } }] }, [{ _id: 1, n: 11, kept: true }, { _id: 2, n: 2 }]],
    [{ let: { by: '$n' }, whenMatched: [{ $project: { m: '$$by', was: '$n', now: '$$new.n' } }] }, [{ _id: 1, m: 1, was: 10, now: 1 }, { _id: 2, n: 2 }]],
  ])('with %j', async (options, expected) => {
    const [source, target] = await pair([{ _id: 1, n: 1 }, { _id: 2, n: 2 }], [{ _id: 1, n: 10, kept: true }]);
    expect(await merged(source, target, options)).toEqual(expected);
  }); // prettier-ignore

  it.each(['merge', 'replace'])('never gives a document another _id (%s)', async (whenMatched) => {
    const [source, target] = await pair([{ _id: 1, name: 'Ant' }], [{ _id: 10, name: 'Ant' }]);
    await target.createIndex({ name: 1 }, { unique: true });
    expect(await failure(merged(source, target, { on: 'name', whenMatched }))).toMatchObject({
      code: 66,
      codeName: 'ImmutableField',
      message: expect.stringMatching(
        /\$merge failed to update the matching document, did you attempt to modify the _id/,
      ),
    });
    expect(await target.find().toArray()).toEqual([{ _id: 10, name: 'Ant' }]);
    const without = [{ $project: { _id: 0 } }, { $merge: { into: target.collectionName, on: 'name', whenMatched } }];
    await source.aggregate(without).toArray();
    expect(await target.find().toArray()).toEqual([{ _id: 10, name: 'Ant' }]);
  });

  it('nor by a pipeline', async () => {
    const [source, target] = await pair([{ _id: 1 }], [{ _id: 1 }]);
    const whenMatched = [{ $set: { _id: 2 } }];
    expect(await failure(merged(source, target, { whenMatched }))).toMatchObject({ code: 66 });
    expect(await target.find().toArray()).toEqual([{ _id: 1 }]);
  });

  it('joins by fields of a unique index, and by no others', async () => {
    const [source, target] = await pair([{ _id: 1, a: { b: 7 }, c: 1, n: 1 }], [{ _id: 9, a: { b: 7 }, c: 1 }]);
    const on = ['c', 'a.b'];
    const refused = { code: 51183, message: expect.stringMatching(/^Cannot find index to verify that join fields/) };
    expect(await failure(merged(source, target, { on }))).toMatchObject(refused);
    await target.createIndex({ 'a.b': 1, c: 1 });
    expect(await failure(merged(source, target, { on }))).toMatchObject(refused);
    await target.dropIndexes();
    await target.createIndex({ 'a.b': 1, c: 1 }, { unique: true, partialFilterExpression: { c: { $gt: 0 } } });
    expect(await failure(merged(source, target, { on }))).toMatchObject(refused);
    await target.dropIndexes();
    await target.createIndex({ 'a.b': 1, c: 1 }, { unique: true });
    await source.aggregate([{ $unset: '_id' }, { $merge: { into: target.collectionName, on } }]).toArray();
    expect(await target.find().toArray()).toEqual([{ _id: 9, a: { b: 7 }, c: 1, n: 1 }]);
    expect(await failure(merged(source, await database.filled([]), { on: 'c' }))).toMatchObject(refused);
  });

  it.each<[Document, number]>([
    [{}, 51132],
    [{ name: null }, 51132],
    [{ name: [1] }, 51185],
  ])('cannot join by the value of %j', async (fields, code) => {
    const [source, target] = await pair([{ _id: 1, ...fields }], []);
    await target.createIndex({ name: 1 }, { unique: true });
    expect(await failure(merged(source, target, { on: 'name' }))).toMatchObject({ code });
  });

  it('fails when told to', async () => {
    const [source, target] = await pair([{ _id: 1 }], [{ _id: 1 }]);
    expect(await failure(merged(source, target, { whenMatched: 'fail' }))).toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
    });
    await target.deleteMany({});
    expect(await failure(merged(source, target, { whenNotMatched: 'fail' }))).toMatchObject({
      code: 13113,
      codeName: 'MergeStageNoMatchingDocument',
    });
  });

  it.each<[unknown, number, string]>([
    [1, 14, '$merge requires a string or object argument, but found int'],
    [{ otherParam: 1 }, 40415, "BSON field '$merge.otherParam' is an unknown field."],
    [{ into: { coll: 'abc', other: 1 } }, 40415, "BSON field 'into.other' is an unknown field."],
    [{ into: 'abc', on: 1 }, 51186, "$merge 'on' field  must be either a string or an array of strings, but found int"],
    [{ into: 'abc', on: [1, 2] }, 51134, "$merge 'on' array elements must be strings, but found int"],
    [{ into: 'abc', on: ['a', 'b', 'a'] }, 31465, "Found a duplicate field 'a'"],
    [{ into: 'abc', on: [] }, 51187, "If explicitly specifying $merge 'on', must include at least one field"],
    [{ into: 'abc', let: 1 }, 14, "BSON field '$merge.let' is the wrong type 'int', expected type 'object'"],
    [{ into: 'abc', let: {} }, 51199, "Cannot use 'let' variables with 'whenMatched: merge' mode"],
    [{ into: 'abc', let: { new: 1 }, whenMatched: [] }, 51273, "'let' may not define a value for the reserved 'new' variable other than '$$ROOT'"],
    [{ into: 'abc', whenMatched: 1 }, 51191, "$merge 'whenMatched' field  must be either a string or an array, but found int"],
    [{ into: 'abc', whenMatched: 'other' }, 2, "Enumeration value 'other' for field 'whenMatched' is not a valid value."],
    [{ into: 'abc', whenMatched: ['a'] }, 14, "Each element of the 'pipeline' array must be an object"],
    [{ into: 'abc', whenMatched: [{ $sort: { a: 1 } }] }, 72, '$sort is not allowed to be used within an update'],
    [{ into: 'abc', whenNotMatched: 1 }, 14, "BSON field '$merge.whenNotMatched' is the wrong type 'int', expected type 'string'"],
    [{ into: 'abc', whenNotMatched: 'other' }, 2, "Enumeration value 'other' for field '$merge.whenNotMatched' is not a valid value."],
    [{ into: 'abc', whenMatched: 'fail', whenNotMatched: 'discard' }, 51181, "Combination of $merge modes 'whenMatched: fail' and 'whenNotMatched: discard' is not supported"],
  ])('refuses %j', async (stage, code, message) => {
    const source = await database.filled([{ _id: 1 as never }]);
    expect(await failure(source.aggregate([{ $merge: stage }]).toArray())).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  }); // prettier-ignore
});
