import { type Connection, type Model, type mongo } from 'mongoose';
import { type CollectionDeclaration } from './declare-collection';
import { hasCode } from './mongo-errors';

const NAMESPACE_EXISTS = 48;
const UNAUTHORIZED = 13;

// Databases that a later version has opened: its validators accept more than ours.
const openedByLater = new WeakSet<Connection>();

/** An earlier version that starts again, in a rolling upgrade or after going back, leaves the validators of the later one alone. */
export const keepValidators = (connection: Connection): void => void openedByLater.add(connection);

/**
 * The model of a declared collection, once the database agrees with the declaration: the collection is there, refuses what does not fit
 * the schema, and has the indexes. Documents that a version before wrote otherwise stay, and stay changeable (validation level
 * `moderate`). Indexes that are no longer declared stay too: a migration drops them. Safe on replicas that start at once.
 * Throws when the database's user may not change the validator (it needs `readWrite` and `dbAdmin` on its own database).
 */
export async function openCollection<T>(
  connection: Connection,
  { name, schema }: CollectionDeclaration<T>,
): Promise<Model<T>> {
  const model = (connection.models[name] as Model<T> | undefined) ?? connection.model<T>(name, schema);
  const validator = { $jsonSchema: schema.toJSONSchema({ useBsonType: true }) };
  await setValidator(connection.db!, name, validator, !openedByLater.has(connection));
  await model.createIndexes();
  return model;
}

/**
 * The driver's own collection of a model, for paths that were measured to be worth it (docs/decisions/0013-one-persistence-dialect.md).
 * Nothing is cast and no field is checked here: the database's validator still is.
 */
export const nativeCollection = <T extends mongo.Document>(
  model: Model<T>,
  options: mongo.CollectionOptions = {},
): mongo.Collection<T> => model.db.db!.collection<T>(model.collection.collectionName, options);

async function setValidator(db: mongo.Db, name: string, validator: mongo.Document, mayChange: boolean): Promise<void> {
  const wanted = { validator, validationLevel: 'moderate', validationAction: 'error' } as const;
  const [found] = await db.listCollections({ name }).toArray();
  if (!found) {
    try {
      await db.createCollection(name, wanted);
      return;
    } catch (error) {
      // Another replica was first; its validator may be of another version.
      if (!hasCode(error, NAMESPACE_EXISTS)) throw error;
      return setValidator(db, name, validator, mayChange);
    }
  }
  const { options = {} } = found as { options?: mongo.Document };
  const isSame = options['validationLevel'] === 'moderate' && sameJson(options['validator'], validator);
  if (isSame || !mayChange) return;
  try {
    await db.command({ collMod: name, ...wanted });
  } catch (error) {
    if (!hasCode(error, UNAUTHORIZED)) throw error;
    const sentence = `the user of database ${db.databaseName} needs the role dbAdmin beside readWrite, to set the validator of ${name}`;
    throw new Error(sentence, { cause: error });
  }
}

const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
