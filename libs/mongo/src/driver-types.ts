import mongoose, { type mongo } from 'mongoose';

// The driver's types, so that nobody but this library names the driver. What runs comes with mongoose.
export type { ClientSession, Connection, Model, QueryFilter, UpdateQuery } from 'mongoose';
export type Document = mongo.Document;
export type Db = mongo.Db;
export type MongoClient = mongo.MongoClient;
export type Collection<T extends Document = Document> = mongo.Collection<T>;
export type CollectionOptions = mongo.CollectionOptions;
export type Filter<T> = mongo.Filter<T>;
export type UpdateFilter<T> = mongo.UpdateFilter<T>;
export type AnyBulkWriteOperation<T extends Document = Document> = mongo.AnyBulkWriteOperation<T>;
export type FindCursor<T> = mongo.FindCursor<T>;
export type WithId<T> = mongo.WithId<T>;
export type Binary = mongo.Binary;
/** What an `insertMany` or a `bulkWrite` is refused with. */
export const MongoBulkWriteError = mongoose.mongo.MongoBulkWriteError;
export type CommandStartedEvent = mongo.CommandStartedEvent;
