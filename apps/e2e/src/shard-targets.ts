import { type SentCommand } from './watched-store';

/** Fields of a shard key in their order, `one shard` for a collection that is not sharded. */
export type ShardKeys = ReadonlyMap<string, readonly string[] | 'one shard'>;

/** What a server says for itself, or says of its schema when a service starts. */
const NOT_DATA = new Set([
  ...['hello', 'ping', 'endSessions', 'getMore', 'killCursors', 'isMaster', 'buildInfo'],
  ...['listCollections', 'listIndexes', 'create', 'collMod', 'createIndexes', 'dropIndexes'],
]);

type Filter = Readonly<Record<string, unknown>>;
interface Part {
  readonly filter: Filter;
  /** Changes one document: it must be found on one shard, by the whole key. */
  readonly isSingle: boolean;
}

/**
 * How a sharded cluster would have to send a command to all shards, e.g. `billing.invoices find publicToken`: undefined when it knows
 * from the shard key where to go. Throws for a command or a collection that nobody has thought of.
 */
export function toAllShards(command: SentCommand, shardKeys: ShardKeys): string | undefined {
  const name = Object.keys(command)[0]!;
  if (NOT_DATA.has(name) || command.$db === 'admin') return undefined;
  const collection = `${command.$db}.${String(command[name])}`;
  const key = shardKeys.get(collection);
  if (!key) throw new Error(`${name} on ${collection}, which has no row in docs/scaling.md`);
  if (key === 'one shard') return undefined;
  const lost = partsOf(name, command).find((part) => !isTargeted(part, key));
  return lost && `${collection} ${name} ${fieldsOf(lost.filter).join(', ') || 'everything'}`;
}

function partsOf(name: string, command: SentCommand): Part[] {
  const list = (field: string): Filter[] => (command[field] ?? []) as Filter[];
  switch (name) {
    case 'find':
    case 'count':
      return [{ filter: (command['filter'] ?? command['query'] ?? {}) as Filter, isSingle: false }];
    case 'distinct':
      return [{ filter: (command['query'] ?? {}) as Filter, isSingle: false }];
    case 'aggregate':
      return [{ filter: (list('pipeline')[0]?.['$match'] ?? {}) as Filter, isSingle: false }];
    case 'insert':
      return list('documents').map((filter) => ({ filter, isSingle: true }));
    case 'update':
      return list('updates').map(({ q, multi }) => ({ filter: q as Filter, isSingle: multi !== true }));
    case 'delete':
      return list('deletes').map(({ q, limit }) => ({ filter: q as Filter, isSingle: limit === 1 }));
    case 'findAndModify':
      return [{ filter: command['query'] as Filter, isSingle: true }];
    default:
      throw new Error(`a test that knows no ${name}`);
  }
}

// A prefix of the key names the shards that can have it; one document must be named by all of it.
const isTargeted = ({ filter, isSingle }: Part, key: readonly string[]): boolean =>
  (isSingle ? key : key.slice(0, 1)).every((field) => isNamed(filter, field));

function isNamed(filter: Filter, field: string): boolean {
  const value = filter[field];
  if (value !== undefined && value !== null) {
    const operators = Object.keys(value).filter((each) => each.startsWith('$'));
    if (typeof value !== 'object' || operators.length === 0) return true;
    if (operators.includes('$eq') || operators.includes('$in')) return true;
  }
  return ((filter['$and'] ?? []) as Filter[]).some((each) => isNamed(each, field));
}

/** Of both sides of an `$and`, too. */
function fieldsOf({ $and = [], ...filter }: Filter): string[] {
  const own = Object.keys(filter).filter((field) => !field.startsWith('$'));
  return [...new Set([...own, ...($and as Filter[]).flatMap(fieldsOf)])].sort();
}
