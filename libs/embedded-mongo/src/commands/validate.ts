import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { checkCollection, type WrongEntry } from '../storage/check-collection';
import { namespaceOf } from '../storage/collection';
import { boolField, collectionName, type Command } from './command';
import { finish } from './finish';

/** How many wrong entries are listed; all are counted. */
const listed = 100;

/** Checks every document and every index entry against each other; repairs nothing. */
export async function validateCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  if (boolField(body, 'repair'))
    throw new CommandError('CommandNotSupported', 'validate with repair is not supported by this server');
  const collection = engine.collection(db, name);
  if (!collection)
    throw new CommandError('NamespaceNotFound', `Collection '${db}.${name}' does not exist to validate.`);
  const ns = namespaceOf(db, name);
  const { records, corrupt, unchecked, keysPerIndex, missing, extra } = await finish(
    command,
    checkCollection(engine.store, collection),
  );
  const wrong = (entries: WrongEntry[], index: string): boolean => entries.some(({ indexName }) => indexName === index);
  const indexDetails: Doc = {};
  for (const { name: index } of collection.indexes)
    indexDetails[index] = { valid: !wrong(missing, index) && !wrong(extra, index) };
  return {
    ns,
    uuid: collection.uuid,
    nInvalidDocuments: corrupt.length,
    nNonCompliantDocuments: 0,
    nrecords: records,
    nIndexes: collection.indexes.length,
    keysPerIndex: Object.fromEntries(keysPerIndex),
    indexDetails,
    valid: corrupt.length + missing.length + extra.length === 0,
    repaired: false,
    warnings:
      unchecked > 0 ? [`${unchecked} documents have no checksum: they were written before there were any.`] : [],
    errors: problems({ corrupt: corrupt.length, missing: missing.length, extra: extra.length }),
    extraIndexEntries: extra.slice(0, listed) as unknown as Doc[],
    missingIndexEntries: missing.slice(0, listed) as unknown as Doc[],
    corruptRecords: corrupt.slice(0, listed),
  };
}

function problems({ corrupt, missing, extra }: Record<'corrupt' | 'missing' | 'extra', number>): string[] {
  return [
    ...(corrupt ? [`Detected ${corrupt} documents that cannot be read, or are not as they were written.`] : []),
    ...(missing ? [`Detected ${missing} missing index entries.`] : []),
    ...(extra ? [`Detected ${extra} extra index entries.`] : []),
  ];
}
