import { Double, Long, type Document } from 'mongodb';
import { failure, useDatabase } from './database';

const database = useDatabase();

/** A misspelt field, or one of another type, is never taken for its absence. */
describe('commands', () => {
  it.each<[string, Document]>([
    ['insert.bogus', { insert: 'c', documents: [{ a: 1 }], bogus: 1 }],
    ['update.bogus', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } } }], bogus: 1 }],
    ['update.updates.upsrt', { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, upsrt: true }] }],
    ['delete.bogus', { delete: 'c', deletes: [{ q: {}, limit: 1 }], bogus: 1 }],
    ['delete.deletes.limt', { delete: 'c', deletes: [{ q: {}, limit: 1, limt: 1 }] }],
    ['find.limitt', { find: 'c', limitt: 1 }],
    ['findAndModify.retrunNew', { findAndModify: 'c', update: { $set: { a: 1 } }, retrunNew: true }],
    ['findAndModify.projection', { findAndModify: 'c', remove: true, projection: { a: 1 } }],
    ['aggregate.bogus', { aggregate: 'c', pipeline: [], cursor: {}, bogus: 1 }],
    ['count.bogus', { count: 'c', bogus: 1 }],
    ['distinct.bogus', { distinct: 'c', key: 'a', bogus: 1 }],
    ['getMore.bogus', { getMore: Long.fromNumber(1), collection: 'c', bogus: 1 }],
    ['killCursors.bogus', { killCursors: 'c', cursors: [], bogus: 1 }],
    ['create.bogus', { create: 'd', bogus: 1 }],
    ['drop.bogus', { drop: 'd', bogus: 1 }],
    ['collMod.bogus', { collMod: 'c', bogus: 1 }],
    ['createIndexes.bogus', { createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a' }], bogus: 1 }],
    ['dropIndexes.bogus', { dropIndexes: 'c', index: 'a', bogus: 1 }],
    ['listIndexes.bogus', { listIndexes: 'c', bogus: 1 }],
    ['listCollections.bogus', { listCollections: 1, bogus: 1 }],
    ['explain.bogus', { explain: { find: 'c' }, bogus: 1 }],
    ['find.limitt', { explain: { find: 'c', limitt: 1 } }],
  ])('refuse the unknown field %s', async (path, command) => {
    expect(await failure(database.db.command(command))).toMatchObject({
      code: 40415,
      codeName: expect.stringMatching(/^(Location40415|IDLUnknownField)$/),
      message: `BSON field '${path}' is an unknown field.`,
    });
  });

  it.each<[string, Document]>([
    ['insert.documents', { insert: 'c' }],
    ['update.updates', { update: 'c' }],
    ['update.updates.q', { update: 'c', updates: [{ u: {} }] }],
    ['update.updates.u', { update: 'c', updates: [{ q: {} }] }],
    ['delete.deletes.q', { delete: 'c', deletes: [{ limit: 1 }] }],
    ['delete.deletes.limit', { delete: 'c', deletes: [{ q: {} }] }],
    ['distinct.key', { distinct: 'c' }],
    ['getMore.collection', { getMore: Long.fromNumber(1) }],
    ['createIndexes.indexes', { createIndexes: 'c' }],
  ])('need %s', async (path, command) => {
    expect(await failure(database.db.command(command))).toMatchObject({
      code: 40414,
      message: `BSON field '${path}' is missing but a required field`,
    });
  });

  const numbers = "expected types '[long, int, decimal, double]'";
  const boolOrNumber = "expected types '[bool, long, int, decimal, double]'";
  it.each<[Document, string]>([
    [
      { insert: 'c', documents: 'x' },
      "BSON field 'insert.documents' is the wrong type 'string', expected type 'array'",
    ],
    [
      { insert: 'c', documents: [1] },
      "BSON field 'insert.documents.0' is the wrong type 'int', expected type 'object'",
    ],
    [
      { insert: 'c', documents: [{}], ordered: 1 },
      "BSON field 'insert.ordered' is the wrong type 'int', expected type 'bool'",
    ],
    [
      { update: 'c', updates: [{ q: 'x', u: {} }] },
      "BSON field 'update.updates.q' is the wrong type 'string', expected type 'object'",
    ],
    [
      { update: 'c', updates: [{ q: {}, u: {}, upsert: 1 }] },
      "BSON field 'update.updates.upsert' is the wrong type 'int', expected type 'bool'",
    ],
    [
      { update: 'c', updates: [{ q: {}, u: {}, multi: 'yes' }] },
      "BSON field 'update.updates.multi' is the wrong type 'string', expected type 'bool'",
    ],
    [
      { update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, arrayFilters: [1] }] },
      "BSON field 'update.updates.arrayFilters.0' is the wrong type 'int', expected type 'object'",
    ],
    [{ update: 'c', updates: [7] }, "BSON field 'update.updates.0' is the wrong type 'int', expected type 'object'"],
    [{ find: 'c', limit: 'x' }, `BSON field 'find.limit' is the wrong type 'string', ${numbers}`],
    [{ find: 'c', batchSize: true }, `BSON field 'find.batchSize' is the wrong type 'bool', ${numbers}`],
    [{ find: 'c', let: 1 }, "BSON field 'find.let' is the wrong type 'int', expected type 'object'"],
    [{ find: 'c', filter: 1 }, 'Expected field filterto be of type object'],
    [{ find: 'c', singleBatch: 'x' }, "Field 'singleBatch' should be a boolean value, but found: string"],
    [
      { findAndModify: 'c', remove: 'x' },
      `BSON field 'findAndModify.remove' is the wrong type 'string', ${boolOrNumber}`,
    ],
    [{ count: 'c', query: 1 }, "BSON field 'count.query' is the wrong type 'int', expected type 'object'"],
    [{ distinct: 'c', key: 1 }, "BSON field 'distinct.key' is the wrong type 'int', expected type 'string'"],
    [{ getMore: 1, collection: 'c' }, "BSON field 'getMore.getMore' is the wrong type 'int', expected type 'long'"],
    [
      { getMore: new Double(1), collection: 'c' },
      "BSON field 'getMore.getMore' is the wrong type 'double', expected type 'long'",
    ],
    [
      { killCursors: 'c', cursors: [1] },
      "BSON field 'killCursors.cursors.0' is the wrong type 'int', expected type 'long'",
    ],
    [{ create: 'd', capped: 'x' }, `BSON field 'create.capped' is the wrong type 'string', ${boolOrNumber}`],
    [
      { createIndexes: 'c', indexes: {} },
      "BSON field 'createIndexes.indexes' is the wrong type 'object', expected type 'array'",
    ],
  ])('refuse the type in %j', async (command, message) => {
    expect(await failure(database.db.command(command))).toMatchObject({ code: 14, codeName: 'TypeMismatch', message });
  });

  it.each<[Document, number, RegExp]>([
    [{ find: 'c', limit: -1 }, 51024, /'limit' value must be >= 0, actual value '-1'/],
    [{ find: 'c', skip: -1 }, 51024, /'skip' value must be >= 0, actual value '-1'/],
    [{ find: 'c', maxTimeMS: 'x' }, 2, /^maxTimeMS must be a number$/],
    [{ find: 'c', maxTimeMS: -1 }, 2, /^-1 value for maxTimeMS is out of range/],
    [{ find: 'c', hint: 1 }, 9, /^Hint must be a string or an object$/],
    [{ delete: 'c', deletes: [{ q: {}, limit: 2 }] }, 9, /^The limit field in delete objects must be 0 or 1. Got 2$/],
    [{ update: 'c', updates: [{ q: {}, u: 'x' }] }, 9, /^Update argument must be either an object or an array$/],
    [{ ping: 1, apiVersion: '2' }, 322, /^API version must be "1"$/],
  ])('refuse the value in %j', async (command, code, message) => {
    expect(await failure(database.db.command(command))).toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it('take null for an absent field', async () => {
    const reply = await database.db.command({ find: 'c', filter: null, projection: null, limit: null, let: null });
    expect(reply.cursor.firstBatch).toEqual([]);
  });

  it('take what every command takes', async () => {
    const common = { comment: 'why', maxTimeMS: 1000, readConcern: { level: 'local' }, apiVersion: '1' };
    expect(await database.db.command({ find: 'c', ...common, $readPreference: { mode: 'primary' } })).toMatchObject({
      ok: 1,
    });
  });
});
