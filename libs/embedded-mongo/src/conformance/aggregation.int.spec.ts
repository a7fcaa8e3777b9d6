import { Decimal128, Double, Long, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

const sales: Document[] = [
  { _id: 1, item: 'pen', n: 2, cents: 150, at: new Date('2026-01-15T10:00:00Z'), tags: ['blue', 'cheap'] },
  { _id: 2, item: 'ink', n: 1, cents: 900, at: new Date('2026-01-31T23:30:00Z'), tags: [] },
  { _id: 3, item: 'pen', n: 5, cents: 140, at: new Date('2026-02-01T09:00:00Z') },
  { _id: 4, item: 'pad', n: 3, cents: 300, at: new Date('2026-03-01T00:00:00Z'), tags: ['blue'] },
];

describe('stages', () => {
  it.each<[string, Document[], Document[]]>([
    [
      '$match, $group, $sort',
      [
        { $match: { cents: { $lt: 500 } } },
        { $group: { _id: '$item', n: { $sum: '$n' }, most: { $max: '$cents' }, all: { $push: '$_id' } } },
        { $sort: { _id: 1 } },
      ],
      [
        { _id: 'pad', n: 3, most: 300, all: [4] },
        { _id: 'pen', n: 7, most: 150, all: [1, 3] },
      ],
    ],
    [
      '$group over all',
      [
        {
          $group: {
            _id: null,
            count: { $sum: 1 },
            avg: { $avg: '$n' },
            first: { $first: '$item' },
            items: { $addToSet: '$none' },
          },
        },
      ],
      [{ _id: null, count: 4, avg: 2.75, first: 'pen', items: [] }],
    ],
    [
      '$project',
      [{ $match: { _id: 1 } }, { $project: { _id: 0, item: 1, total: { $multiply: ['$n', '$cents'] } } }],
      [{ item: 'pen', total: 300 }],
    ],
    [
      '$addFields and $unset',
      [{ $match: { _id: 2 } }, { $addFields: { 'a.b': '$n', at: '$$REMOVE' } }, { $unset: ['tags', 'cents'] }],
      [{ _id: 2, item: 'ink', n: 1, a: { b: 1 } }],
    ],
    [
      '$unwind',
      [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
      [
        { _id: 1, tags: 'blue' },
        { _id: 1, tags: 'cheap' },
        { _id: 4, tags: 'blue' },
      ],
    ],
    [
      '$unwind, keeping the empty',
      [
        { $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } },
        { $project: { tags: 1, i: 1 } },
      ],
      [
        { _id: 1, tags: 'blue', i: 0 },
        { _id: 1, tags: 'cheap', i: 1 },
        { _id: 2, i: null },
        { _id: 3, i: null },
        { _id: 4, tags: 'blue', i: 0 },
      ],
    ],
    [
      '$skip and $limit',
      [{ $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 2 }, { $project: { _id: 1 } }],
      [{ _id: 3 }, { _id: 2 }],
    ],
    ['$count', [{ $match: { item: 'pen' } }, { $count: 'pens' }], [{ pens: 2 }]],
    ['$count of nothing', [{ $match: { item: 'no' } }, { $count: 'none' }], []],
    ['$sortByCount', [{ $sortByCount: '$item' }, { $limit: 1 }], [{ _id: 'pen', count: 2 }]],
    ['$replaceRoot', [{ $match: { _id: 4 } }, { $replaceRoot: { newRoot: { x: '$item' } } }], [{ x: 'pad' }]],
    [
      '$facet',
      [
        {
          $facet: {
            many: [{ $match: { n: { $gt: 2 } } }, { $count: 'n' }],
            least: [{ $sort: { cents: 1 } }, { $limit: 1 }, { $project: { item: 1 } }],
          },
        },
      ],
      [{ many: [{ n: 2 }], least: [{ _id: 3, item: 'pen' }] }],
    ],
    [
      '$bucket',
      [{ $bucket: { groupBy: '$cents', boundaries: [0, 200, 500], default: 'more', output: { n: { $sum: 1 } } } }],
      [
        { _id: 0, n: 2 },
        { _id: 200, n: 1 },
        { _id: 'more', n: 1 },
      ],
    ],
    [
      '$setWindowFields',
      [
        {
          $setWindowFields: {
            sortBy: { _id: 1 },
            output: { running: { $sum: '$n', window: { documents: ['unbounded', 'current'] } } },
          },
        },
        { $project: { running: 1 } },
      ],
      [
        { _id: 1, running: 2 },
        { _id: 2, running: 3 },
        { _id: 3, running: 8 },
        { _id: 4, running: 11 },
      ],
    ],
  ])('%s', async (_what, pipeline, expected) => {
    const collection = await database.filled(sales);
    expect(await collection.aggregate(pipeline).toArray()).toEqual(expected);
  });

  it('$lookup by field, through arrays, and by pipeline', async () => {
    const items = await database.filled([
      { _id: 'pen', kind: 'tool' },
      { _id: 'ink', kind: 'fluid' },
    ] as never[]);
    const collection = await database.filled([
      { _id: 1, item: 'pen' },
      { _id: 2, item: ['pen', 'ink'] },
      { _id: 3 },
    ] as never[]);
    const from = items.collectionName;
    const byField = await collection
      .aggregate([{ $lookup: { from, localField: 'item', foreignField: '_id', as: 'found' } }, { $sort: { _id: 1 } }])
      .toArray();
    expect(byField.map(({ found }) => (found as Document[]).map(({ _id }) => _id as unknown).sort())).toEqual([
      ['pen'],
      ['ink', 'pen'],
      [],
    ]);
    const byPipeline = await collection
      .aggregate([
        { $match: { _id: 1 } },
        {
          $lookup: {
            from,
            let: { item: '$item' },
            pipeline: [{ $match: { $expr: { $eq: ['$_id', '$$item'] } } }, { $project: { _id: 0 } }],
            as: 'found',
          },
        },
      ])
      .toArray();
    expect(byPipeline[0]!.found).toEqual([{ kind: 'tool' }]);
  });

  it('$graphLookup follows references', async () => {
    const collection = await database.filled([
      { _id: 1, to: 2 },
      { _id: 2, to: 3 },
      { _id: 3, to: 1 },
    ] as never[]);
    const [doc] = await collection
      .aggregate([
        { $match: { _id: 1 } },
        {
          $graphLookup: {
            from: collection.collectionName,
            startWith: '$to',
            connectFromField: 'to',
            connectToField: '_id',
            as: 'way',
            depthField: 'steps',
          },
        },
      ])
      .toArray();
    const way = (doc!.way as Document[]).map(({ _id, steps }) => [_id, steps] as unknown[]);
    expect(way.sort()).toEqual([
      [1, 2],
      [2, 0],
      [3, 1],
    ]);
  });

  it('$unionWith, $out and $merge', async () => {
    const one = await database.filled([{ _id: 1 as never, n: 1 }]);
    const two = await database.filled([
      { _id: 1 as never, n: 10, kept: true },
      { _id: 2 as never, n: 20 },
    ]);
    const union = await one
      .aggregate([{ $unionWith: two.collectionName }, { $group: { _id: null, n: { $sum: '$n' } } }])
      .toArray();
    expect(union).toEqual([{ _id: null, n: 31 }]);
    await one.aggregate([{ $merge: { into: two.collectionName } }]).toArray();
    expect(await two.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, n: 1, kept: true },
      { _id: 2, n: 20 },
    ]);
    await one.aggregate([{ $set: { n: 5 } }, { $out: two.collectionName }]).toArray();
    expect(await two.find().toArray()).toEqual([{ _id: 1, n: 5 }]);
  });

  it('comes in batches', async () => {
    const collection = await database.filled(Array.from({ length: 300 }, (_unused, i) => ({ i })));
    const found = await collection
      .aggregate([{ $match: { i: { $gte: 50 } } }, { $sort: { i: 1 } }], { batchSize: 40 })
      .toArray();
    expect(found).toHaveLength(250);
    expect(found[0]!.i).toBe(50);
  });
});

const date = new Date('2026-03-29T01:30:15.250Z');
const doc = {
  _id: 1,
  i: 7,
  j: 2,
  l: Long.fromNumber(3),
  d: 2.5,
  m: Decimal128.fromString('1.10'),
  t: 'Hello World',
  list: [3, 1, 2],
  at: date,
  o: { x: 1, y: 2 },
  none: null,
};

describe('expressions', () => {
  it.each<[unknown, unknown]>([
    [{ $add: ['$i', '$j', 1] }, 10],
    [{ $add: ['$i', '$none'] }, null],
    [{ $add: ['$at', 1000] }, new Date(+date + 1000)],
    [{ $subtract: ['$at', new Date(+date - 5)] }, 5],
    [{ $divide: ['$i', '$j'] }, 3.5],
    [{ $mod: ['$i', '$j'] }, 1],
    [{ $round: [2.5, 0] }, 2],
    [{ $round: [3.15, 1] }, 3.2],
    [{ $floor: -1.5 }, -2],
    [{ $trunc: ['$d'] }, 2],
    [{ $abs: -3 }, 3],
    [{ $pow: [2, 10] }, 1024],
    [{ $toString: { $add: ['$m', Decimal128.fromString('2.20')] } }, '3.30'],
    [{ $concat: ['$t', '!'] }, 'Hello World!'],
    [{ $concat: ['$t', '$missing'] }, null],
    [{ $toUpper: '$t' }, 'HELLO WORLD'],
    [{ $substrCP: ['$t', 6, 5] }, 'World'],
    [{ $split: ['$t', ' '] }, ['Hello', 'World']],
    [{ $trim: { input: '  x ' } }, 'x'],
    [{ $indexOfCP: ['$t', 'o'] }, 4],
    [{ $strLenCP: '$t' }, 11],
    [{ $regexMatch: { input: '$t', regex: '^hello', options: 'i' } }, true],
    [{ $replaceAll: { input: '$t', find: 'o', replacement: '0' } }, 'Hell0 W0rld'],
    [{ $cond: [{ $gt: ['$i', 5] }, 'big', 'small'] }, 'big'],
    [{ $cond: { if: '$none', then: 1, else: 2 } }, 2],
    [{ $ifNull: ['$none', '$missing', 'default'] }, 'default'],
    [{ $switch: { branches: [{ case: { $eq: ['$i', 7] }, then: 'seven' }], default: 'other' } }, 'seven'],
    [{ $and: [1, 'x', []] }, true],
    [{ $or: [0, null, false] }, false],
    [{ $not: ['$none'] }, true],
    [{ $cmp: ['$i', '$t'] }, -1],
    [{ $eq: ['$l', 3] }, true],
    [{ $in: [2, '$list'] }, true],
    [{ $size: '$list' }, 3],
    [{ $arrayElemAt: ['$list', -1] }, 2],
    [{ $slice: ['$list', 1, 2] }, [1, 2]],
    [{ $filter: { input: '$list', as: 'x', cond: { $gt: ['$$x', 1] } } }, [3, 2]],
    [{ $map: { input: '$list', in: { $multiply: ['$$this', 2] } } }, [6, 2, 4]],
    [{ $reduce: { input: '$list', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
    [{ $sortArray: { input: '$list', sortBy: 1 } }, [1, 2, 3]],
    [{ $concatArrays: ['$list', [9]] }, [3, 1, 2, 9]],
    [{ $reverseArray: '$list' }, [2, 1, 3]],
    [{ $range: [0, 6, 2] }, [0, 2, 4]],
    [
      { $zip: { inputs: ['$list', ['a', 'b']] } },
      [
        [3, 'a'],
        [1, 'b'],
      ],
    ],
    [{ $setUnion: ['$list', [3, 4]] }, [1, 2, 3, 4]],
    [{ $setIntersection: ['$list', [3, 4, 1]] }, [1, 3]],
    [{ $setIsSubset: [[1], '$list'] }, true],
    [{ $sum: '$list' }, 6],
    [{ $max: ['$i', '$j'] }, 7],
    [{ $avg: '$list' }, 2],
    [
      { $objectToArray: '$o' },
      [
        { k: 'x', v: 1 },
        { k: 'y', v: 2 },
      ],
    ],
    [{ $arrayToObject: [[['a', 1]]] }, { a: 1 }],
    [{ $mergeObjects: ['$o', { y: 3 }] }, { x: 1, y: 3 }],
    [{ $getField: { field: 'x', input: '$o' } }, 1],
    [{ $let: { vars: { a: '$i' }, in: { $add: ['$$a', 1] } } }, 8],
    [{ $literal: '$i' }, '$i'],
    [{ $type: '$l' }, 'long'],
    [{ $type: '$missing' }, 'missing'],
    [{ $toInt: '12' }, 12],
    [{ $toString: '$at' }, '2026-03-29T01:30:15.250Z'],
    [{ $convert: { input: 'x', to: 'int', onError: -1 } }, -1],
    [{ $toBool: 'false' }, true],
    [{ $year: '$at' }, 2026],
    [{ $dayOfWeek: '$at' }, 1],
    [{ $dateToString: { date: '$at', format: '%Y-%m-%d %H:%M', timezone: 'Europe/Amsterdam' } }, '2026-03-29 03:30'],
    [{ $dateTrunc: { date: '$at', unit: 'month' } }, new Date('2026-03-01T00:00:00Z')],
    [{ $dateAdd: { startDate: '$at', unit: 'day', amount: 3 } }, new Date('2026-04-01T01:30:15.250Z')],
    [{ $dateDiff: { startDate: '$at', endDate: new Date('2026-05-01T00:00:00Z'), unit: 'month' } }, 2],
    [{ $dateFromString: { dateString: '2026-01-02T03:04:05Z' } }, new Date('2026-01-02T03:04:05Z')],
    ['$list.x', []],
    ['$o.x', 1],
    [
      { a: '$i', b: ['$j', '$missing'] },
      { a: 7, b: [2, null] },
    ],
  ])('%j', async (expression, expected) => {
    const collection = await database.filled([doc as never]);
    const [result] = await collection.aggregate([{ $project: { _id: 0, value: expression } }]).toArray();
    expect(result!.value).toEqual(expected);
  });

  it('leaves out what is missing', async () => {
    const collection = await database.filled([doc as never]);
    expect(await collection.aggregate([{ $project: { _id: 0, value: '$missing' } }]).toArray()).toEqual([{}]);
  });

  it.each<[Document, string]>([
    [{ $add: ['$i', '$j'] }, 'int'],
    [{ $add: ['$i', '$l'] }, 'long'],
    [{ $add: ['$i', new Double(1)] }, 'double'],
    [{ $multiply: ['$l', '$m'] }, 'decimal'],
    [{ $add: [2147483647, 1] }, 'long'],
    [{ $divide: [4, 2] }, 'double'],
    [{ $subtract: ['$at', '$at'] }, 'long'],
    [{ $sum: ['$i', '$l'] }, 'long'],
    [{ $avg: [1, 1] }, 'double'],
    [{ $size: '$list' }, 'int'],
  ])('%j is of the width MongoDB gives it', async (expression, type) => {
    const collection = await database.filled([doc as never]);
    const [result] = await collection.aggregate([{ $project: { type: { $type: expression } } }]).toArray();
    expect(result!.type).toBe(type);
  });
});

describe('what is not a pipeline', () => {
  it.each<[Document[], number]>([
    [[{ $foo: {} }], 40324],
    [[{ $match: {}, $limit: 1 }], 40323],
    [[{ $limit: 0 }], 15958],
    [[{ $group: { n: { $sum: 1 } } }], 15955],
    [[{ $group: { _id: null, n: { $foo: 1 } } }], 15952],
    [[{ $project: {} }], 51272],
    [[{ $unwind: 'tags' }], 28818],
    [[{ $count: '' }], 40156],
    [[{ $project: { a: { $divide: [1, 0] } } }], 2],
    [[{ $project: { a: '$$nothing' } }], 17276],
    [[{ $replaceRoot: { newRoot: '$item' } }], 40228],
  ])('%j is refused', async (pipeline, code) => {
    const collection = await database.filled(sales);
    expect(await failure(collection.aggregate(pipeline).toArray())).toMatchObject({ code });
  });
});
