import { hostname } from 'node:os';
import { type Leading } from '../aggregate/leading';
import { compilePipeline } from '../aggregate/pipeline';
import { type Docs } from '../aggregate/stage';
import { CommandError } from '../command-error';
import { describe } from '../bson/describe';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { namespaceOf, type Collection } from '../storage/collection';
import { documentRange } from '../storage/keys';
import { checkFields, type Fields } from './check-fields';
import { searchNotEnabled } from './search-commands';
import { collectionStats, scaleOf } from './storage-stats';

/** The documents of a stage that reports about the collection instead of reading it; undefined for all others. */
export function sourceStage(
  stage: Doc | undefined,
  engine: Engine,
  db: string,
  name: string,
): ((collection: Collection | undefined) => Docs) | undefined {
  if (stage?.$indexStats !== undefined) return indexStats(stage.$indexStats);
  if (stage?.$listLocalSessions !== undefined) return () => engine.sessions.list();
  if (stage?.$listSearchIndexes !== undefined) throw searchNotEnabled();
  if (stage?.$collStats !== undefined) return collStats(stage.$collStats, engine, db, name);
  return undefined;
}

function indexStats(operand: Value): (collection: Collection | undefined) => Docs {
  if (!isDoc(operand) || Object.keys(operand).length > 0)
    throw new CommandError('Location28803', 'The $indexStats stage specification must be an empty object');
  return (collection) =>
    (collection?.indexes ?? []).map(({ name, key, spec, usage }) => ({
      name,
      key,
      host: hostname(),
      accesses: { ops: BigInt(usage.ops), since: usage.since },
      spec,
    }));
}

const fields: Fields = {
  count: { kind: 'object' },
  storageStats: { kind: 'object', statement: { scale: { kind: 'number' } } },
  latencyStats: { kind: 'object' },
  queryExecStats: { kind: 'object' },
};

function collStats(
  operand: Value,
  engine: Engine,
  db: string,
  name: string,
): (collection: Collection | undefined) => Docs {
  if (!isDoc(operand))
    throw new CommandError(
      'Location5447000',
      `$collStats must take a nested object but found: $collStats: ${describe(operand)}`,
    );
  checkFields('$collStats', operand, fields);
  const unmeasured = ['latencyStats', 'queryExecStats'].find((part) => operand[part] !== undefined);
  if (unmeasured)
    throw new CommandError('CommandNotSupported', `$collStats with ${unmeasured} is not supported by this server`);
  const { storageStats, count } = operand;
  const scale = isDoc(storageStats) ? scaleOf(storageStats) : 1;
  return function* (collection) {
    if (!collection) throw new CommandError('NamespaceNotFound', `Collection [${db}.${name}] not found.`);
    yield {
      ns: namespaceOf(db, name),
      host: hostname(),
      localTime: new Date(),
      ...(storageStats !== undefined && { storageStats: yield* collectionStats(engine.store, collection, scale) }),
      ...(count !== undefined && { count: engine.store.count(documentRange(collection.number)) }),
    };
  };
}

/** What would have been a search of the collection, done on other documents. */
export function searched(docs: Docs, { filter, sort }: Leading['search']): Docs {
  const stages: Doc[] = [{ $match: filter }, ...(sort ? [{ $sort: sort }] : [])];
  return compilePipeline(stages, { documents: () => [] })(docs);
}
