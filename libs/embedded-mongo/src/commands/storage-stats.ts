import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { type Doc } from '../bson/value';
import { type Collection, namespaceOf } from '../storage/collection';
import { documentSize, indexSize } from '../storage/sizes';
import { type Store } from '../storage/store';
import { checkNamespace } from '../storage/catalog';
import { collectionName, integerField, type Command } from './command';
import { finish } from './finish';

/** Numbers go out as int32 where they fit, as in MongoDB. */
const size = (bytes: number, scale: number): number | bigint => {
  const scaled = Math.trunc(bytes / scale);
  return scaled > 2147483647 ? BigInt(scaled) : scaled;
};

/** What sizes are divided by; throws Location51024 below 1. */
export function scaleOf(body: Doc): number {
  const scale = integerField(body, 'scale') ?? 1;
  if (scale < 1)
    throw new CommandError('Location51024', `BSON field 'scale' value must be >= 1, actual value '${scale}'`);
  return scale;
}

/** What a collection takes, read from end to end. `$collStats` and the commands report it. */
export function* collectionStats(store: Store, collection: Collection, scale: number): Generator<undefined, Doc> {
  const documents = yield* documentSize(store, collection);
  const indexSizes: Doc = {};
  let indexBytes = 0;
  for (const index of collection.indexes) {
    const { stored } = yield* indexSize(store, collection, index);
    indexSizes[index.name] = size(stored, scale);
    indexBytes += stored;
  }
  const { capped, size: maxSize, max } = collection.options;
  return {
    ns: namespaceOf(collection.db, collection.name),
    size: size(documents.bytes, scale),
    count: documents.count,
    ...(documents.count > 0 && { avgObjSize: Math.trunc(documents.bytes / documents.count) }),
    numOrphanDocs: 0,
    storageSize: size(documents.stored, scale),
    freeStorageSize: 0,
    capped: capped === true,
    ...(capped === true && {
      maxSize: size(isNumber(maxSize) ? toDouble(maxSize!) : 0, scale),
      max: max ?? 0,
    }),
    nindexes: collection.indexes.length,
    indexBuilds: [],
    totalIndexSize: size(indexBytes, scale),
    totalSize: size(documents.stored + indexBytes, scale),
    indexSizes,
    scaleFactor: scale,
  };
}

/** `collStats`. */
export async function collStatsCommand(command: Command): Promise<Doc> {
  const { db, engine, body } = command;
  const name = collectionName(command);
  const scale = scaleOf(body);
  const collection = engine.collection(db, name);
  if (collection) return finish(command, collectionStats(engine.store, collection, scale));
  return {
    ns: namespaceOf(db, name),
    size: 0,
    count: 0,
    numOrphanDocs: 0,
    storageSize: 0,
    freeStorageSize: 0,
    nindexes: 0,
    totalIndexSize: 0,
    totalSize: 0,
    indexSizes: {},
    scaleFactor: scale,
  };
}

/** `dbStats`. */
export async function dbStatsCommand(command: Command): Promise<Doc> {
  const { db, engine, body } = command;
  const scale = scaleOf(body);
  const collections = [...engine.catalog.visible.values()].filter((collection) => collection.db === db);
  const total = { objects: 0, data: 0, stored: 0, indexes: 0, index: 0 };
  for (const collection of collections) {
    const documents = await finish(command, documentSize(engine.store, collection));
    total.objects += documents.count;
    total.data += documents.bytes;
    total.stored += documents.stored;
    total.indexes += collection.indexes.length;
    for (const index of collection.indexes)
      total.index += (await finish(command, indexSize(engine.store, collection, index))).stored;
  }
  return {
    db,
    collections: collections.length,
    views: 0,
    objects: total.objects,
    avgObjSize: total.objects > 0 ? total.data / total.objects : 0,
    dataSize: size(total.data, scale),
    storageSize: size(total.stored, scale),
    indexes: total.indexes,
    indexSize: size(total.index, scale),
    totalSize: size(total.stored + total.index, scale),
    scaleFactor: scale,
  };
}

/** `{ dataSize: "db.collection" }`: its size in bytes and how many documents that is. Of a part of a collection it is refused. */
export async function dataSizeCommand(command: Command): Promise<Doc> {
  const { body, engine } = command;
  const started = performance.now();
  const full = body[command.name];
  const [db = '', ...rest] = typeof full === 'string' ? full.split('.') : [];
  const name = rest.join('.');
  if (typeof full !== 'string' || name === '')
    throw new CommandError('InvalidNamespace', `Invalid namespace specified '${String(full)}'`);
  checkNamespace(db, name);
  const part = ['keyPattern', 'min', 'max'].find((field) => body[field] !== undefined);
  if (part) throw new CommandError('CommandNotSupported', `dataSize with ${part} is not supported by this server`);
  const collection = engine.collection(db, name);
  const { bytes, count } = collection
    ? await finish(command, documentSize(engine.store, collection))
    : { bytes: 0, count: 0 };
  return {
    estimate: false,
    size: BigInt(bytes),
    numObjects: BigInt(count),
    millis: BigInt(Math.round(performance.now() - started)),
  };
}
