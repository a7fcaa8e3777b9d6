import { Binary, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

/** Documents by `_id`, and which of them each filter finds. */
function finds(what: string, documents: Document[], cases: [Document, unknown[]][]): void {
  describe(what, () => {
    it.each(cases)('%j', async (filter, expected) => {
      const collection = await database.filled(documents.map((doc, _id) => ({ _id, ...doc })));
      const found = await collection.find(filter).sort({ _id: 1 }).toArray();
      expect(found.map(({ _id }) => _id as unknown)).toEqual(expected);
    });
  });
}

finds('null and missing', [{ a: null }, {}, { a: 1 }, { a: [] }, { a: [null] }, { a: { b: null } }, { a: [{ b: 1 }, {}] }], [
  [{ a: null }, [0, 1, 4]],
  [{ a: { $ne: null } }, [2, 3, 5, 6]],
  [{ a: { $exists: false } }, [1]],
  [{ a: { $exists: true } }, [0, 2, 3, 4, 5, 6]],
  [{ a: { $type: 'null' } }, [0, 4]],
  [{ 'a.b': null }, [0, 1, 2, 5, 6]],
  [{ 'a.b': { $exists: true } }, [5, 6]],
  [{ a: { $in: [null] } }, [0, 1, 4]],
  [{ a: { $gte: null } }, [0, 1, 4]],
  [{ a: { $not: { $gt: 0 } } }, [0, 1, 3, 4, 5, 6]],
]); // prettier-ignore

finds('numbers of all widths', [{ a: 1 }, { a: Long.fromNumber(1) }, { a: new Double(1) }, { a: Decimal128.fromString('1.0') }, { a: 1.5 }, { a: NaN }, { a: '1' }, { a: Long.fromString('9007199254740993') }], [
  [{ a: 1 }, [0, 1, 2, 3]],
  [{ a: Decimal128.fromString('1') }, [0, 1, 2, 3]],
  [{ a: { $gt: 1 } }, [4, 7]],
  [{ a: { $lte: 1 } }, [0, 1, 2, 3]],
  [{ a: NaN }, [5]],
  [{ a: { $lt: Infinity } }, [0, 1, 2, 3, 4, 7]],
  [{ a: { $in: [1.5, '1'] } }, [4, 6]],
  [{ a: new Double(9007199254740992) }, []],
  [{ a: { $gt: new Double(9007199254740992) } }, [7]],
  [{ a: { $type: 'number' } }, [0, 1, 2, 3, 4, 5, 7]],
  [{ a: { $type: 'long' } }, [1, 7]],
  [{ a: { $type: ['int', 'string'] } }, [0, 6]],
  [{ a: { $mod: [2, 1] } }, [0, 1, 2, 3, 4, 7]],
]); // prettier-ignore

finds('arrays', [{ a: [1, 2, 3] }, { a: [3] }, { a: 3 }, { a: [[1, 2], 3] }, { a: [{ b: 1, c: 2 }, { b: 3, c: 4 }] }, { a: [] }], [
  [{ a: 3 }, [0, 1, 2, 3]],
  [{ a: [1, 2] }, [3]],
  [{ a: [1, 2, 3] }, [0]],
  [{ a: { $size: 1 } }, [1]],
  [{ a: { $all: [2, 3] } }, [0]],
  [{ a: { $all: [[1, 2]] } }, [3]],
  [{ a: { $gt: 1, $lt: 2 } }, [0]],
  [{ a: { $elemMatch: { $gt: 1, $lt: 3 } } }, [0]],
  [{ a: { $elemMatch: { b: 1, c: 4 } } }, []],
  [{ 'a.b': 1, 'a.c': 4 }, [4]],
  [{ a: { $elemMatch: { b: { $gte: 3 }, c: 4 } } }, [4]],
  [{ 'a.0': 1 }, [0]],
  [{ 'a.0': [1, 2] }, [3]],
  [{ 'a.0': { $gt: 0 } }, [0, 1]],
  [{ 'a.0.1': 2 }, [3]],
  [{ 'a.1': 4 }, []],
  [{ 'a.0': { $exists: true } }, [0, 1, 3, 4]],
  [{ 'a.0.b': null }, [2, 4]],
  [{ 'a.0': { $size: 2 } }, [3]],
  [{ 'a.1.b': 3 }, [4]],
  [{ 'a.b': { $exists: true } }, [4]],
  [{ a: { $in: [[1, 2], 2] } }, [0, 3]],
  [{ a: { $nin: [3] } }, [4, 5]],
  [{ a: { $ne: 3 } }, [4, 5]],
  [{ a: [] }, [5]],
  [{ a: { $type: 'array' } }, [0, 1, 3, 4, 5]],
  [{ a: { $not: { $size: 0 } } }, [0, 1, 2, 3, 4]],
]); // prettier-ignore

finds('documents, text and the rest', [{ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } }, { a: 'Hello' }, { a: 'hello world' }, { a: new Date(5) }, { a: true }, { a: new ObjectId('000000000000000000000007') }, { a: new Binary(Buffer.from([1, 2]), 0) }], [
  [{ a: { x: 1, y: 2 } }, [0]],
  [{ 'a.x': 1 }, [0, 1]],
  [{ a: /^hello/i }, [2, 3]],
  [{ a: { $regex: '^hello' } }, [3]],
  [{ a: { $regex: 'WORLD$', $options: 'i' } }, [3]],
  [{ a: { $in: [/^H/] } }, [2]],
  [{ a: { $not: /^h/i, $type: 'string' } }, []],
  [{ a: { $gt: 'a' } }, [3]],
  [{ a: { $lt: new Date(6) } }, [4]],
  [{ a: { $gt: false } }, [5]],
  [{ a: { $gte: new ObjectId('000000000000000000000001') } }, [6]],
  [{ a: new Binary(Buffer.from([1, 2]), 0) }, [7]],
  [{ $or: [{ a: true }, { a: 'Hello' }] }, [2, 5]],
  [{ $nor: [{ a: { $type: 'string' } }, { 'a.x': 1 }] }, [4, 5, 6, 7]],
  [{ $and: [{ 'a.x': 1 }, { 'a.y': { $gt: 1 } }], a: { $ne: { x: 1, y: 2 } } }, [1]],
  [{ $expr: { $eq: ['$a.x', 1] } }, [0, 1]],
  [{ $expr: { $gt: ['$a', { $literal: 'b' }] } }, [0, 1, 3, 4, 5, 6, 7]],
]); // prettier-ignore

finds('bits', [{ a: 5 }, { a: Long.fromNumber(6) }, { a: 0 }, { a: 1.5 }], [
  [{ a: { $bitsAllSet: 5 } }, [0]],
  [{ a: { $bitsAnySet: [1] } }, [1]],
  [{ a: { $bitsAllClear: 3 } }, [2]],
  [{ a: { $bitsAnyClear: [0] } }, [1, 2]],
]); // prettier-ignore

describe('the order of types', () => {
  const ordered: unknown[] = [
    new MinKey(), null, NaN, -Infinity, Long.MIN_VALUE, -1, new Double(-0.5), 0, Decimal128.fromString('0.1'), 0.5, new Int32(1), Long.MAX_VALUE, Infinity,
    '', 'A', 'a', 'aa', 'é', '\uffff', '\u{10000}', {}, { a: 1 }, { a: 1, b: 1 }, { b: 0 }, { a: 'x' },
    new Binary(Buffer.from([9]), 0), new Binary(Buffer.from([1, 1]), 0), new ObjectId('000000000000000000000001'), new ObjectId('000000000000000000000002'),
    false, true, new Date(-1), new Date(1), new Timestamp({ t: 1, i: 1 }), /a/, new MaxKey(),
  ]; // prettier-ignore

  it.each([
    ['in memory', false],
    ['by index', true],
  ])('sorts %s', async (_how, indexed) => {
    const shuffled = ordered
      .map((a, i) => ({ _id: i as never, a }))
      .sort((x, y) => ((x._id * 7) % 37) - ((y._id * 7) % 37));
    const collection = await database.filled(shuffled);
    if (indexed) await collection.createIndex({ a: 1 });
    const place = (docs: Document[]): unknown[] => docs.map(({ _id }) => _id as unknown);
    expect(place(await collection.find().sort({ a: 1 }).toArray())).toEqual(ordered.map((_value, i) => i));
    expect(place(await collection.find().sort({ a: -1 }).toArray())).toEqual(
      ordered.map((_value, i) => ordered.length - 1 - i),
    );
  });

  it('takes the least item of an array, or the greatest when descending', async () => {
    const collection = await database.filled([
      { _id: 1 as never, a: [5, 1] },
      { _id: 2 as never, a: 2 },
      { _id: 3 as never, a: [] },
      { _id: 4 as never },
    ]);
    const order = async (direction: 1 | -1): Promise<unknown[]> =>
      (await collection.find().sort({ a: direction, _id: 1 }).toArray()).map(({ _id }) => _id);
    expect(await order(1)).toEqual([3, 4, 1, 2]);
    expect(await order(-1)).toEqual([1, 2, 4, 3]);
  });
});

describe('what is not a query', () => {
  it.each([
    [{ a: { $foo: 1 } }, 2],
    [{ $foo: 1 }, 2],
    [{ $or: [] }, 2],
    [{ a: { $in: 1 } }, 2],
    [{ a: { $regex: '(' } }, 51091],
    [{ a: { $type: 'nothing' } }, 2],
    [{ a: { $mod: [0, 1] } }, 2],
  ])('%j is refused', async (filter, code) => {
    const collection = await database.filled([{ a: 1 }]);
    expect(await failure(collection.find(filter as never).toArray())).toMatchObject({ code });
  });
});

describe('projection', () => {
  const doc = {
    _id: 1,
    a: 1,
    b: { c: 2, d: 3 },
    list: [{ x: 1, y: 2 }, { x: 3, y: 4 }, 5],
    tags: ['p', 'q', 'r', 's'],
  };
  it.each<[Document, Document]>([
    [{ a: 1 }, { _id: 1, a: 1 }],
    [{ a: 1, _id: 0 }, { a: 1 }],
    [{ 'b.c': 1, _id: 0 }, { b: { c: 2 } }],
    [{ b: { d: 1 }, _id: 0 }, { b: { d: 3 } }],
    [
      { list: 0, tags: 0 },
      { _id: 1, a: 1, b: { c: 2, d: 3 } },
    ],
    [
      { 'b.c': 0, list: 0, tags: 0 },
      { _id: 1, a: 1, b: { d: 3 } },
    ],
    [{ 'list.x': 1, _id: 0 }, { list: [{ x: 1 }, { x: 3 }] }],
    [
      { 'list.x': 0, a: 0, b: 0, tags: 0 },
      { _id: 1, list: [{ y: 2 }, { y: 4 }, 5] },
    ],
    [
      { tags: { $slice: 2 }, a: 1, _id: 0 },
      { a: 1, tags: ['p', 'q'] },
    ],
    [
      { tags: { $slice: [-3, 2] }, _id: 0, a: 1 },
      { a: 1, tags: ['q', 'r'] },
    ],
    [{ list: { $elemMatch: { x: 3 } }, _id: 0 }, { list: [{ x: 3, y: 4 }] }],
    [{ missing: 1, _id: 0 }, {}],
    [
      { a: 1, sum: { $add: ['$a', '$b.c'] }, _id: 0 },
      { a: 1, sum: 3 },
    ],
    [{ renamed: '$b.d', _id: 0 }, { renamed: 3 }],
  ])('%j', async (projection, expected) => {
    const collection = await database.filled([doc as never]);
    expect(await collection.findOne({}, { projection })).toEqual(expected);
  });

  it('gives the item that matched for `.$`', async () => {
    const collection = await database.filled([doc as never]);
    expect(await collection.findOne({ 'list.x': 3 }, { projection: { 'list.$': 1, _id: 0 } })).toEqual({
      list: [{ x: 3, y: 4 }],
    });
  });

  it.each([
    [{ a: 1, b: 0 }, 31254],
    [{ a: 0, b: 1 }, 31253],
    [{ a: 1, 'a.b': 1 }, 31249],
  ])('%j is refused', async (projection, code) => {
    const collection = await database.filled([doc as never]);
    expect(await failure(collection.findOne({}, { projection }))).toMatchObject({ code });
  });
});

describe('keys of an index', () => {
  const documents = [1, 2, 3, 4].map((n) => ({ _id: n, a: n, b: 10 - n }));
  const ids = async (command: Document): Promise<unknown[]> => {
    const { cursor } = await database.db.command(command);
    return (cursor.firstBatch as Document[]).map(({ _id }) => _id as unknown);
  };

  it('bound what is found', async () => {
    const collection = await database.filled(documents);
    await collection.createIndex({ a: 1, b: -1 });
    const find = { find: collection.collectionName, hint: { a: 1, b: -1 } };
    expect(await ids({ ...find, min: { a: 2, b: 8 }, max: { a: 4, b: 6 } })).toEqual([2, 3]);
    expect(await ids({ ...find, min: { a: 2, b: 7 } })).toEqual([3, 4]);
    expect(await ids({ ...find, max: { a: 2, b: 8 } })).toEqual([1]);
    expect(await ids({ ...find, min: { a: 2, b: 8 }, filter: { a: { $ne: 3 } }, sort: { a: -1 } })).toEqual([4, 2]);
  });

  it.each<[Document, number]>([
    [{ min: { a: 1, b: 1 } }, 51173],
    [{ min: { a: 1 }, hint: { a: 1, b: -1 } }, 51174],
    [{ min: { a: 3, b: 1 }, max: { a: 2, b: 1 }, hint: { a: 1, b: -1 } }, 51175],
    [{ min: { a: 1, b: 1 }, max: { b: 1, a: 2 }, hint: { a: 1, b: -1 } }, 51176],
  ])('are refused in %j', async (options, code) => {
    const collection = await database.filled(documents);
    await collection.createIndex({ a: 1, b: -1 });
    expect(await failure(database.db.command({ find: collection.collectionName, ...options }))).toMatchObject({ code });
  });

  it('are all that returnKey gives', async () => {
    const collection = await database.filled([{ a: 1, b: 'x', c: true }, { a: [2, 5], b: 'y' }]); // prettier-ignore
    await collection.createIndex({ a: 1, b: 1 });
    const find = (filter: Document): Promise<Document[]> => collection.find(filter).returnKey(true).toArray();
    expect(await find({ a: 1 })).toEqual([{ a: 1, b: 'x' }]);
    expect(await find({ a: { $gt: 3 } })).toEqual([{ a: 5, b: 'y' }]);
    expect(await find({ c: true })).toEqual([{}]);
  });
});
