import { type Model, type QueryFilter } from 'mongoose';
import { validationError } from '@invoicing/errors';
import { eachDocument } from './each-document';

/** Newest first; the id decides between equals. An index for it ends with these keys. */
export const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

interface Dated {
  readonly _id: string;
  readonly createdAt: Date;
}

/** How many, and what of each. */
export interface Newest {
  readonly limit: number;
  /** Names of the fields to answer; all when absent. */
  readonly fields?: readonly string[];
  /** Or of those to leave out. */
  readonly without?: readonly string[];
}

/** A part of a list, and where the next one begins. */
export interface Page<T> {
  readonly items: T[];
  /** Opaque; absent on the last page. */
  readonly next?: string;
}

/** One page that is asked for. */
export interface NewestPage<R> extends Newest {
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
  /** Asked of each document but the first, in order: a page ends before the one that no longer fits. */
  readonly fits?: (document: R) => boolean;
}

/** The query of `newest`, to be looked at with `explain`. */
export const newestQuery = <T extends Dated>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { limit, fields, without }: Newest,
) =>
  model
    .find(filter, fields ? projection(fields, 1) : without && projection(without, 0))
    .sort(NEWEST_FIRST)
    .limit(limit);

/** The newest documents of a filter, which names the organisation: read off an index, touching no more than it answers. */
export const newest = <T extends Dated, R = T>(model: Model<T>, filter: QueryFilter<T>, wanted: Newest): Promise<R[]> =>
  newestQuery(model, filter, wanted).lean<R[]>().exec();

const projection = (fields: readonly string[], shown: 0 | 1): Record<string, 0 | 1> =>
  Object.fromEntries(fields.map((field) => [field, shown]));

/**
 * One page of them. The cursor names the last document that was seen, not a distance: whatever is inserted meanwhile, no document is
 * met twice and none is left out. Throws `validation` at `/cursor` for a text that is no cursor.
 */
export async function newestPage<T extends Dated, R extends Dated = T>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { limit, fields, without, cursor, fits }: NewestPage<R>,
): Promise<Page<R>> {
  const rest = cursor === undefined ? filter : { $and: [filter, olderThan(cursor)] };
  const shown = fields && [...new Set([...fields, 'createdAt'])];
  const wanted = { limit: limit + 1, ...(shown && { fields: shown }), ...(without && { without }) };
  const query = newestQuery(model, rest as QueryFilter<T>, wanted).lean<R[]>();
  if (!fits) {
    const found = await query.exec();
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return found.length > limit && last ? { items: page, next: cursorOf(last) } : { items: page };
  }
  const items: R[] = [];
  // One by one: what no longer fits is not read at all.
  for await (const found of eachDocument<R>(query)) {
    const last = items.at(-1);
    if (last && (items.length === limit || !fits(found))) return { items, next: cursorOf(last) };
    items.push(found);
  }
  return { items };
}

/** Asks `newestPage` for what comes after this document. */
export const cursorOf = ({ createdAt, _id }: Dated): string =>
  Buffer.from(JSON.stringify([createdAt.getTime(), _id])).toString('base64url');

// One range of the index; the second condition only takes equals apart.
function olderThan(cursor: string): object {
  const [time, id] = readCursor(cursor);
  const at = new Date(time);
  return { createdAt: { $lte: at }, $or: [{ createdAt: { $lt: at } }, { _id: { $lt: id } }] };
}

/** What a cursor says. Throws `validation` at `/cursor` for a text that is none. */
export function readCursor(cursor: string): readonly [time: number, id: string] {
  try {
    const [time, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [unknown, unknown];
    if (typeof time === 'number' && Number.isSafeInteger(time) && typeof id === 'string') return [time, id];
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
  }
  throw validationError([{ path: '/cursor', message: 'is not a cursor of this list' }]);
}
