import { randomUUID } from 'node:crypto';
import { notFoundError, validationError } from '@invoicing/errors';
import {
  NEWEST_FIRST,
  inOrganization,
  joinedFinds,
  joinedInserts,
  nativeCollection,
  newestPage,
  recordedFields,
  required,
  type History,
  type Model,
  type Page,
  type QueryFilter,
  type Recorded,
  type UpdateQuery,
} from '@invoicing/mongo';
import type { ServerCallContext } from '@invoicing/rpc';
import type { Actor } from '@invoicing/rules';

/** A customer or product as it is stored. */
export interface CatalogRecord<Details> extends Recorded {
  readonly details: Details;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Hidden from lists since. */
  readonly archivedAt?: Date | undefined;
  /** The record that stands for it since; only while it is archived. */
  readonly mergedInto?: string | undefined;
}

/** What every collection of the catalog has, beside `details`. */
export const recordFields = {
  ...recordedFields,
  organizationId: required(String),
  createdAt: required(Date),
  updatedAt: required(Date),
  archivedAt: Date,
  mergedInto: String,
};
export const newestFirstIndex = { organizationId: 1, ...NEWEST_FIRST } as const;

/** Which records a list shows. */
export interface Listed {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** One of the searched fields contains it, in whatever case. */
  readonly text?: string | undefined;
  readonly archived: 'without' | 'included' | 'only';
}

/** Who creates something, under which id, and whether it is only tried out. */
export type CreateCall = Pick<ServerCallContext, 'operationId' | 'by' | 'dryRun'>;

/** One change of a record, with what it is based on. */
export interface RecordChange {
  readonly by: Actor;
  /** The revision that the caller has seen. */
  readonly revision?: number | undefined;
}

type Named = CatalogRecord<{ readonly name: string }>;

/** The records of one kind: a collection, and the history that its changes are recorded in. */
export interface RecordStore<R extends Named> {
  /** The document with the operation's id; the same operation again answers the same document. Another's id is a conflict. */
  readonly create: (organizationId: string, fields: Pick<R, 'details'> & Partial<R>, call: CreateCall) => Promise<R>;
  readonly find: (organizationId: string, id: string) => Promise<R | null>;
  /** By its id alone when no organisation is given. Throws `not_found`. */
  readonly get: (organizationId: string | undefined, id: string) => Promise<R>;
  /** Newest first. */
  readonly page: (organizationId: string, wanted: Listed) => Promise<Page<R>>;
  /** Those of `ids` that are the organisation's: another's id is absent like an unknown one. */
  readonly resolve: (organizationId: string, ids: readonly string[]) => Promise<R[]>;
  /** Stores new details. Throws `revision_conflict`. What is the same already changes nothing. */
  readonly update: (seen: R, details: R['details'], change: RecordChange, beside?: UpdateQuery<R>) => Promise<R>;
  /** Archives it behind another, which it answers. The same again changes nothing. Throws `validation` or `revision_conflict`. */
  readonly merge: (seen: R, into: R, change: Pick<RecordChange, 'by'>) => Promise<R>;
  /** The one that stands for it: itself, where it was not merged. */
  readonly standingFor: (record: R) => Promise<R>;
  /** Hides it from lists, or shows it again. Throws `revision_conflict`. */
  readonly archive: (seen: R, archived: boolean, change: RecordChange) => Promise<R>;
}

/** `kind` is the word of the history, `searched` the fields of the details that a text is looked for in. */
export function recordStore<R extends Named>(
  model: Model<R>,
  history: History,
  { kind, searched }: { readonly kind: string; readonly searched: readonly (keyof R['details'] & string)[] },
): RecordStore<R> {
  const changed = (record: Pick<R, '_id' | 'details'>, action: string, by: Actor, fields: readonly string[]) => ({
    by,
    action: `${kind}.${action}`,
    subject: { kind, id: record._id, label: record.details.name },
    fields,
  });
  // An integrator creates by the thousand: past the model.
  const native = nativeCollection<R>(model, { ignoreUndefined: true });
  const insert = joinedInserts<R>(native);
  const resolve = joinedFinds<R>(native) as unknown as RecordStore<R>['resolve'];
  const find = (organizationId: string | undefined, id: string): Promise<R | null> =>
    model
      .findOne({ ...inOrganization(organizationId), _id: id } as QueryFilter<R>)
      .lean<R>()
      .exec();
  return {
    create: async (organizationId, fields, { operationId, by, dryRun }) => {
      const now = new Date();
      const _id = operationId ?? randomUUID();
      const record = { ...fields, _id, organizationId, createdAt: now, updatedAt: now } as unknown as R;
      return dryRun ? record : history.insert<R>(model, record, changed(record, 'created', by, []), insert);
    },
    find,
    get: async (organizationId, id) => {
      const found = await find(organizationId, id);
      if (!found) throw notFoundError(`the ${kind}`);
      return found;
    },
    page: (organizationId, { limit, cursor, ...wanted }) =>
      newestPage<R>(model, { organizationId, ...filterOf(wanted, searched) } as QueryFilter<R>, { limit, cursor }),
    resolve,
    update: async (seen, details, { by, revision }, beside = {}) => {
      await history.assertSeen(model, seen, revision);
      const fields = differing(seen.details, details);
      if (fields.length === 0) return seen;
      const $set = { ...beside.$set, details: known(details) };
      const update = { ...beside, $set } as UpdateQuery<R>;
      return history.change(model, seen, { ...changed({ _id: seen._id, details }, 'updated', by, fields), update });
    },
    standingFor: (record) => standingFor(record, (id) => find(record.organizationId, id)),
    merge: async (seen, into, { by }) => {
      if (seen.mergedInto === into._id) return into;
      requireMergeable(seen, into, kind);
      const update = { $set: { archivedAt: new Date(), mergedInto: into._id } } as unknown as UpdateQuery<R>;
      await history.change(model, seen, { ...changed(seen, 'merged', by, []), update });
      return into;
    },
    archive: async (seen, archived, { by, revision }) => {
      await history.assertSeen(model, seen, revision);
      if (archived === (seen.archivedAt != null)) return seen;
      const update = (
        archived ? { $set: { archivedAt: new Date() } } : { $unset: { archivedAt: 1, mergedInto: 1 } }
      ) as UpdateQuery<R>;
      return history.change(model, seen, { ...changed(seen, archived ? 'archived' : 'restored', by, []), update });
    },
  };
}

/** One that was merged into may be merged itself, later. Two that are merged into each other at once end the chain. */
async function standingFor<R extends Named>(record: R, find: (id: string) => Promise<R | null>): Promise<R> {
  const passed = new Set([record._id]);
  let standing = record;
  while (standing.mergedInto != null && !passed.has(standing.mergedInto)) {
    passed.add(standing.mergedInto);
    const next = await find(standing.mergedInto);
    if (!next) break;
    standing = next;
  }
  return standing;
}

function requireMergeable(seen: Named, into: Named, kind: string): void {
  const fault =
    seen._id === into._id
      ? `is the same ${kind}`
      : into.mergedInto != null
        ? 'is merged itself'
        : seen.mergedInto != null
          ? 'is merged already: bring it back first'
          : undefined;
  const path = `/into${kind[0]!.toUpperCase()}${kind.slice(1)}Id`;
  if (fault) throw validationError([{ path, message: fault }]);
}

function filterOf({ text, archived }: Pick<Listed, 'text' | 'archived'>, searched: readonly string[]): object {
  const pattern = { $regex: text?.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), $options: 'i' };
  return {
    ...(archived !== 'included' && { archivedAt: archived === 'only' ? { $ne: null } : null }),
    ...(text && { $or: searched.map((field) => ({ [`details.${field}`]: pattern })) }),
  };
}

const differing = (before: object, after: object): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => (before as Record<string, unknown>)[field] !== (after as Record<string, unknown>)[field],
  );

/** Without what is undefined: the driver would store it as null. */
const known = <D extends object>(details: D): D =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined)) as D;
