import { Double, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

describe('a filter', () => {
  it.each<[Document, number, string]>([
    [{ ref: { $ref: 'c' } }, 2, 'unknown operator: $ref'],
    [{ ref: { $id: 1 } }, 2, 'unknown operator: $id'],
  ])('%j is refused', async (filter, code, message) => {
    const collection = await database.filled([{ a: 1 }]);
    expect(await failure(collection.find(filter).toArray())).toMatchObject({ code, message });
  });

  it('finds whole references', async () => {
    const reference = { $ref: 'c', $id: 1 };
    const collection = await database.filled([{ _id: 1 as never, ref: reference }, { _id: 2 as never, ref: [reference] }]); // prettier-ignore
    for (const filter of [
      { ref: reference },
      { ref: { $in: [reference] } },
      { ref: { $all: [reference] } },
      { 'ref.$id': 1 },
    ])
      expect(await collection.countDocuments(filter)).toBe(2);
  });

  it('may ask for a field whose name is empty', async () => {
    const collection = await database.filled([
      { _id: 1 as never, a: { '': 1 } },
      { _id: 2 as never, a: 1 },
    ]);
    expect(await collection.find({ 'a.': { $exists: true } }).toArray()).toEqual([{ _id: 1, a: { '': 1 } }]);
    expect(await collection.countDocuments({ 'a.': { $exists: false } })).toBe(1);
  });
});

describe('an update', () => {
  const immutable = (path: string): string =>
    `Performing an update on the path '${path}' would modify the immutable field '_id'`;
  it.each<[Document, number, string]>([
    [{ $unset: { _id: '' } }, 66, immutable('_id')],
    [{ $set: { _id: 2 } }, 66, immutable('_id')],
    [{ $inc: { _id: 1 } }, 66, immutable('_id')],
    [{ $set: { '_id.a': 1 } }, 28, "Cannot create field 'a' in element {_id: 1}"],
    [{ $rename: { _id: 'x' } }, 66, immutable('_id')],
    [{ $addToSet: { list: { $each: [1], $slice: 1 } } }, 2, 'Found unexpected fields after $each in $addToSet: { $each: [ 1 ], $slice: 1 }'],
  ])('%j is refused', async (update, code, message) => {
    const collection = await database.filled([{ _id: 1 as never, list: [] }]);
    expect(await failure(collection.updateOne({}, update))).toMatchObject({ code, message });
    expect(await collection.find().toArray()).toEqual([{ _id: 1, list: [] }]);
  }); // prettier-ignore

  it('may set _id to what it is', async () => {
    const collection = await database.filled([{ _id: 1 as never }]);
    await collection.updateOne({}, { $set: { _id: 1 as never, a: 1 } });
    expect(await collection.find().toArray()).toEqual([{ _id: 1, a: 1 }]);
  });
});

describe('a pipeline', () => {
  it.each<[Document, number, RegExp]>([
    [{ $lookup: { from: 'c', as: 'x', let: 'x', pipeline: [] } }, 9, /^\$lookup argument 'let: "x"' must be an object, is type string$/],
    [{ $lookup: { from: 'c', as: 1, pipeline: [] } }, 9, /^\$lookup argument 'as: 1' must be a string, is type int$/],
    [{ $lookup: { from: 'c', as: 'x', pipelin: [] } }, 9, /^unknown argument to \$lookup: pipelin$/],
    [{ $project: { x: { $rand: { a: 1 } } } }, 3040501, /\$rand does not currently accept arguments/],
    [{ $project: { x: '$$ROOT.a.' } }, 40353, /FieldPath must not end with a '\.'/],
    [{ $project: { x: '$a.' } }, 40353, /FieldPath must not end with a '\.'/],
    [{ $project: { x: '$a..b' } }, 15998, /FieldPath field names may not be empty strings/],
    [{ $project: { 'a.': 1 } }, 40353, /FieldPath must not end with a '\.'/],
    [{ $sample: { size: -1 } }, 28747, /size argument to \$sample must/],
    [{ $sample: { size: 'x' } }, 28746, /size argument to \$sample must be a number/],
    [{ $sample: {} }, 28749, /\$sample stage must specify a size/],
    [{ $project: { x: { $convert: { input: 1 } } } }, 9, /Missing 'to' parameter to \$convert/],
    [{ $project: { x: { $convert: { to: 'int' } } } }, 9, /Missing 'input' parameter to \$convert/],
    [{ $project: { x: { $convert: { input: 1, to: 'int', onEror: 1 } } } }, 9, /\$convert found an unknown argument: onEror/],
    [{ $project: { x: { $convert: 1 } } }, 9, /\$convert expects an object of named arguments but found: int/],
    [{ $project: { x: { $convert: { input: '$a', to: true } } } }, 9, /\$convert's 'to' argument must be a string or number, but is bool/],
    [{ $project: { x: { $convert: { input: '$a', to: 'nothing' } } } }, 2, /Unknown type name: nothing/],
    [{ $project: { x: { $convert: { input: '$a', to: 1.5 } } } }, 9, /In \$convert, numeric 'to' argument is not an integer/],
    [{ $project: { x: { $convert: { input: '$a', to: 100 } } } }, 9, /numeric value for 'to' does not correspond to a BSON type: 100/],
    [{ $project: { x: { $convert: { input: '$a', to: 'object' } } } }, 241, /Unsupported conversion from int to object/],
    [{ $project: { x: { $filter: { input: [] } } } }, 28650, /Missing 'cond' parameter to \$filter/],
    [{ $project: { x: { $filter: { input: [], cond: true, conds: 1 } } } }, 28647, /Unrecognized parameter to \$filter: conds/],
    [{ $project: { x: { $map: { in: 1 } } } }, 16880, /Missing 'input' parameter to \$map/],
    [{ $project: { x: { $reduce: { input: [], in: 1 } } } }, 40078, /Missing 'initialValue' parameter to \$reduce/],
    [{ $project: { x: { $cond: { if: 1, then: 2 } } } }, 17082, /Missing 'else' parameter to \$cond/],
    [{ $project: { x: { $let: { vars: { A: 1 }, in: 1 } } } }, 9, /'A' starts with an invalid character for a user variable name/],
    [{ $project: { x: { $switch: { branches: [{ case: 1 }] } } } }, 40065, /requires each branch have a 'then' expression/],
    [{ $project: { x: '$$nobody' } }, 17276, /Use of undefined variable: nobody/],
  ])('%j is refused', async (stage, code, message) => {
    const collection = await database.filled([{ a: 1 }]);
    const error = await failure(collection.aggregate([stage]).toArray());
    expect(error).toMatchObject({ code, message: expect.stringMatching(new RegExp(message.source.replace(/^\^|\$$/g, ''))) });
  }); // prettier-ignore

  it.each([[0, 0], [2.5, 2], [new Double(3), 3], [9, 5]])('takes a sample of %p', async (size, found) => {
    const collection = await database.filled([{}, {}, {}, {}, {}]);
    expect(await collection.aggregate([{ $sample: { size } }]).toArray()).toHaveLength(found);
  }); // prettier-ignore
});

describe('names of the system', () => {
  it.each<[string, Document]>([
    ['insert', { insert: 'system.x', documents: [{ a: 1 }] }],
    ['update', { update: 'system.x', updates: [{ q: {}, u: { $set: { a: 1 } }, upsert: true }] }],
    ['delete', { delete: 'system.x', deletes: [{ q: {}, limit: 1 }] }],
    ['findAndModify', { findAndModify: 'system.x', update: { $set: { a: 1 } }, upsert: true }],
    ['create', { create: 'system.x' }],
    ['createIndexes', { createIndexes: 'system.x', indexes: [{ key: { a: 1 }, name: 'a' }] }],
  ])('cannot be written to: %s', async (_name, command) => {
    expect(await failure(database.db.command(command))).toMatchObject({ code: 73, codeName: 'InvalidNamespace' });
  });
});
