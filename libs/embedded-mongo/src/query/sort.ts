import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { fieldPath } from '../bson/field-path';
import { isDoc, type Doc, type Value } from '../bson/value';
import { KeyWriter } from '../bson/value-key';
import { compareValues } from '../bson/compare';
import { anyValue } from './path';

interface SortKey {
  parts: string[];
  descending: boolean;
}

/** Keys of a sort, checked; throws mongod's error for one that is wrong. */
export function parseSort(sort: Doc): SortKey[] {
  return Object.keys(sort)
    .filter((path) => path !== '$natural')
    .map((path) => {
      const order = sort[path]!;
      if (isDoc(order) && Object.hasOwn(order, '$meta')) {
        throw new CommandError('BadValue', `$meta sort is not supported: this server has no text indexes`);
      }
      const direction = isNumber(order) ? toDouble(order) : NaN;
      if (direction !== 1 && direction !== -1) {
        throw isNumber(order)
          ? new CommandError('Location15975', '$sort key ordering must be 1 (for ascending) or -1 (for descending)')
          : new CommandError('Location15974', `Illegal key in $sort specification: ${path}: ${String(order)}`);
      }
      return { parts: fieldPath(path), descending: direction < 0 };
    });
}

const writer = new KeyWriter(true);

/** Bytes that order documents as the sort asks: of an array counts its least element, or its greatest when descending. */
export function compileSort(sort: Doc): (doc: Doc) => Buffer {
  const keys = parseSort(sort);
  return (doc) => {
    writer.reset();
    for (const { parts, descending } of keys) writer.writeField(extreme(doc, parts, descending), descending);
    return writer.take();
  };
}

function extreme(doc: Doc, parts: string[], greatest: boolean): Value | undefined {
  let best: Value | undefined;
  let found = false;
  const consider = (value: Value | undefined): void => {
    if (!found || (greatest ? compareValues(value, best) > 0 : compareValues(value, best) < 0)) best = value;
    found = true;
  };
  anyValue(
    doc,
    parts,
    0,
    (value, whole) => {
      if (!Array.isArray(value) || whole) consider(value ?? null);
      else if (value.length === 0) consider(undefined);
      else for (const item of value) consider(item);
      return false;
    },
    false,
  );
  return found ? best : null;
}

/** Keeps the first `limit` by key, or all when there is no limit; equal keys keep their order of arrival. */
export class Sorter<T> {
  private items: { key: Buffer; order: number; item: T }[] = [];
  private arrived = 0;
  private bytes = 0;

  constructor(
    private readonly limit = Infinity,
    private readonly maxBytes = 100 * 1024 * 1024,
  ) {}

  add(key: Buffer, item: T, bytes: number): void {
    this.items.push({ key, order: this.arrived++, item });
    this.bytes += key.length + bytes + 64;
    if (this.limit !== Infinity && this.items.length >= this.limit * 2 + 128) this.prune();
    if (this.bytes > this.maxBytes) {
      throw new CommandError(
        'QueryExceededMemoryLimitNoDiskUseAllowed',
        `Sort exceeded memory limit of ${this.maxBytes} bytes, but did not opt in to external sorting.`,
      );
    }
  }

  sorted(): T[] {
    this.prune();
    return this.items.map(({ item }) => item);
  }

  private prune(): void {
    this.items.sort((a, b) => Buffer.compare(a.key, b.key) || a.order - b.order);
    if (this.items.length > this.limit) this.items.length = this.limit;
    if (this.limit !== Infinity) this.bytes = 0;
  }
}
