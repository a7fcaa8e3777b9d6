import mongoose, { type mongo } from 'mongoose';

// The driver's types, so that nobody but this library names the driver. What runs comes with mongoose.
export type { ClientSession, Connection, Model, QueryFilter, UpdateQuery } from 'mongoose';
/** Any document. */
export type Document = mongo.Document;
/** A database of the driver. */
export type Db = mongo.Db;
/** The driver's client. */
export type MongoClient = mongo.MongoClient;
/** A native collection: nothing is cast, the database's validator still refuses. */
export type Collection<T extends Document = Document> = mongo.Collection<T>;
/** Write and read concern, and how undefined is stored. */
export type CollectionOptions = mongo.CollectionOptions;
/** A filter of a native collection. */
export type Filter<T> = mongo.Filter<T>;
/** How a native collection is asked: order, projection, limit. */
export type FindOptions = mongo.FindOptions;
/** An update of a native collection. */
export type UpdateFilter<T> = mongo.UpdateFilter<T>;
/** One write of a `bulkWrite`. */
export type AnyBulkWriteOperation<T extends Document = Document> = mongo.AnyBulkWriteOperation<T>;
/** What a native `find` answers. */
export type FindCursor<T> = mongo.FindCursor<T>;
/** A document with its id. */
export type WithId<T> = mongo.WithId<T>;
/** Bytes as the driver reads them. */
export type Binary = mongo.Binary;
/** What an `insertMany` or a `bulkWrite` is refused with. */
export const MongoBulkWriteError = mongoose.mongo.MongoBulkWriteError;
/** A command, as monitoring tells it. */
export type CommandStartedEvent = mongo.CommandStartedEvent;
