import { collated, collatedStream, parseCollation } from '../bson/collation';
import { CommandError } from '../command-error';
import { type Doc, type Value } from '../bson/value';
import { groupKey } from '../bson/value-key';
import { writeDocument } from '../bson/write-document';
import { type Stream } from '../cursors';
import { count, find, resolveHint, type FindOptions, type Search } from '../plan/find';
import { checkBounds, type KeyBounds } from '../plan/bounded-scan';
import { type Plan } from '../plan/choose-plan';
import { Found } from '../plan/execute';
import { keysWithin } from '../plan/keys-within';
import { type Docs } from '../aggregate/stage';
import { isView, searchView } from './views';
import { anyValue, positional } from '../query/path';
import { compileFilter } from '../query/compile-filter';
import { compileProjection, projector } from '../query/projection';
import { keptPaths, parseProjection } from '../query/projection-tree';
import { rawProjection } from '../query/raw-projection';
import { parseSort } from '../query/sort';
import { type Collection, namespaceOf } from '../storage/collection';
import { documentRange } from '../storage/keys';
import { type CursorReply } from '../wire/message';
import { finish } from './finish';
import {
  boolField,
  collectionName,
  countField,
  docField,
  integerField,
  letVariables,
  wrongType,
  type Command,
} from './command';

/** What `find`, `count` and `distinct` ask for, checked. */
export function findOptions(body: Doc, collection: Collection | undefined, filterName: string): FindOptions {
  const sort = docField(body, 'sort');
  if (sort) parseSort(sort);
  return {
    filter: docField(body, filterName) ?? {},
    sort,
    skip: countField(body, 'skip') ?? 0,
    limit: Math.abs(integerField(body, 'limit') ?? 0),
    hint: resolveHint(collection, body.hint),
    variables: letVariables(body),
    collation: parseCollation(body.collation),
  };
}

/** `find`. */
export function findCommand(command: Command): Promise<CursorReply> {
  const { body, db, engine } = command;
  const name = collectionName(command);
  const collection = engine.collection(db, name);
  if (boolField(body, 'tailable'))
    throw new CommandError('BadValue', 'error processing query: tailable cursor requested on non capped collection');
  const options = {
    ...findOptions(body, collection, 'filter'),
    bounds: boundsOf(body, collection),
    fields: fieldsOf(body),
  };
  const { collation } = options;
  const found = collated(collation, () => {
    if (!collection) return nothing(options, body);
    if (isView(collection)) return encoded({ stream: founds(searchView(engine, db, name, options)) }, body, options);
    return encoded(find(engine.store, collection, options), body, options);
  });
  const stream = collation ? collatedStream(collation, found) : found;
  return engine.cursors.start(namespaceOf(db, name), stream, {
    batchSize: countField(body, 'batchSize'),
    limit: options.limit,
    singleBatch: boolField(body, 'singleBatch') || (integerField(body, 'limit') ?? 0) < 0,
    maxTimeMs: countField(body, 'maxTimeMS'),
    session: command.session,
  });
}

/** The fields that a find asks for, when its projection only keeps some. */
export function fieldsOf(body: Doc): string[] | undefined {
  const projection = docField(body, 'projection');
  if (!projection || Object.keys(projection).length === 0 || boolField(body, 'returnKey')) return undefined;
  return keptPaths(parseProjection(projection, 'find'));
}

/** `min` and `max`, which need a hint to say of which index they are keys. */
function boundsOf(body: Doc, collection: Collection | undefined): KeyBounds | undefined {
  const bounds = [docField(body, 'min'), docField(body, 'max')].map((key) =>
    key && Object.keys(key).length > 0 ? key : undefined,
  );
  const [min, max] = bounds;
  if (!min && !max) return undefined;
  checkBounds({ min, max }, resolveHint(collection, body.hint) ?? (collection ? undefined : {}));
  return { min, max };
}

/** Checks what would be run, though there is no collection to run it on. */
function nothing({ filter, variables }: FindOptions, body: Doc): Stream<Buffer> {
  compileFilter(filter, variables);
  const projection = docField(body, 'projection');
  if (projection) compileProjection(projection, 'find');
  return [][Symbol.iterator]();
}

/** Documents of a view have no record of their own. */
function* founds(docs: Docs): Generator<Found | undefined> {
  for (const doc of docs) yield doc && new Found(0, writeDocument(doc));
}

/** What is found, and by which plan: a view has none. */
type Result = Pick<Search, 'stream'> & Partial<Pick<Search, 'plan'>>;

function encoded({ stream, plan }: Result, body: Doc, { filter, variables }: FindOptions): Stream<Buffer> {
  if (boolField(body, 'returnKey') && plan)
    return mapStream(stream, (found) => writeDocument(returnedKey(plan, found)));
  if (boolField(body, 'showRecordId'))
    throw new CommandError('CommandNotSupported', 'find with showRecordId is not supported by this server');
  const projection = docField(body, 'projection');
  if (!projection || Object.keys(projection).length === 0) return bytesOf(stream);
  const parsed = parseProjection(projection, 'find');
  const raw = rawProjection(parsed);
  if (raw) return mapStream(stream, ({ bytes, isProjected }) => (isProjected ? bytes : raw(bytes)));
  const project = projector(parsed);
  const usesPosition = Object.keys(projection).some((path) => path.endsWith('.$'));
  const matches = usesPosition ? compileFilter(filter, variables) : undefined;
  return mapStream(stream, ({ doc }) => {
    positional.index = undefined;
    matches?.(doc);
    return writeDocument(project(doc, { positionalIndex: positional.index, ...(variables && { variables }) }));
  });
}

/** The key under which the plan's index holds a document; without an index there is none. */
function returnedKey(plan: Plan, { doc }: Found): Doc {
  if (plan.kind !== 'index') return {};
  const values = keysWithin(plan.index, doc, plan.ranges) ?? [];
  return Object.fromEntries(plan.index.fields.map(({ path }, i) => [path, values[i] ?? null]));
}

function* bytesOf(stream: Iterable<Found | undefined>): Generator<Buffer | undefined> {
  for (const found of stream) yield found?.bytes;
}

function* mapStream<T, U>(stream: Iterable<T | undefined>, map: (item: T) => U): Generator<U | undefined> {
  for (const item of stream) yield item === undefined ? undefined : map(item);
}

/** `count`. */
export async function countCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const collection = engine.collection(db, collectionName(command));
  const options = findOptions(body, collection, 'query');
  if (!collection) return { n: 0 };
  if (isView(collection)) return { n: await countView(command, options) };
  if (Object.keys(options.filter).length === 0) return { n: countAll(command, collection, options) };
  return { n: await finish(command, count(engine.store, collection, options)) };
}

async function countView(command: Command, options: FindOptions): Promise<number> {
  const { engine, db } = command;
  const docs = searchView(engine, db, collectionName(command), options)[Symbol.iterator]();
  let n = 0;
  await finish(command, options.collation ? collatedStream(options.collation, docs) : docs, () => n++);
  return n;
}

function countAll({ engine }: Command, { number }: Collection, { skip = 0, limit = 0 }: FindOptions): number {
  const all = engine.store.count(documentRange(number));
  const n = Math.max(0, all - skip);
  return limit > 0 ? Math.min(n, limit) : n;
}

/** `distinct`. */
export async function distinctCommand(command: Command): Promise<Doc> {
  const { body, db, engine } = command;
  const { key } = body;
  if (typeof key !== 'string') throw wrongType('distinct.key', key!, 'string');
  const collection = engine.collection(db, collectionName(command));
  const options = findOptions(body, collection, 'query');
  if (!collection) return { values: [] };
  const values = new Map<string, Value>();
  const parts = key.split('.');
  const add = (value: Value | undefined): void => {
    if (value === undefined) return;
    const id = collated(options.collation, () => groupKey(value));
    if (!values.has(id)) values.set(id, value);
  };
  const { collation } = options;
  const found = isView(collection)
    ? founds(searchView(engine, db, collection.name, options))
    : find(engine.store, collection, { ...options, fields: [key] }).stream;
  await finish(command, collation ? collatedStream(collation, found) : found, ({ doc }) => {
    anyValue(
      doc,
      parts,
      0,
      (value) => {
        if (Array.isArray(value)) value.forEach(add);
        else add(value);
        return false;
      },
      false,
    );
  });
  return { values: [...values.values()] };
}

/** `getMore`. */
export function getMoreCommand(command: Command): Promise<CursorReply> {
  const { body, db, engine } = command;
  const id = body.getMore;
  if (typeof id !== 'bigint') throw wrongType('getMore.getMore', id!, 'long');
  return engine.cursors.more(
    id,
    namespaceOf(db, body.collection as string),
    countField(body, 'batchSize') || undefined,
  );
}

/** `killCursors`. */
export function killCursorsCommand({ body, engine }: Command): Doc {
  const ids = (body.cursors as Value[]).map((id, i) => {
    if (typeof id !== 'bigint') throw wrongType(`killCursors.cursors.${i}`, id, 'long');
    return id;
  });
  const killed = ids.filter((id) => engine.cursors.kill(id));
  const unknown = ids.filter((id) => !killed.includes(id));
  return { cursorsKilled: killed, cursorsNotFound: unknown, cursorsAlive: [], cursorsUnknown: [] };
}
