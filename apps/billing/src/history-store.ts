import {
  cursorOf,
  nativeCollection,
  readCursor,
  type Collection,
  type Filter,
  type History,
  type ListedChange,
  type Model,
} from '@invoicing/mongo';
import type { Actor } from '@invoicing/rules';
import type { EntryDocument } from './account/account-store';
import type { Entry } from './account/entry';
import type { InvoiceDocument } from './invoices/invoice-store';

// What a provider took over and what nobody did is no change that anybody made.
const ACTIONS: Partial<Record<Entry['type'], string>> = {
  payment: 'payment.recorded',
  refund: 'payment.refunded',
  chargeback: 'payment.charged_back',
  write_off: 'invoice.written_off',
  reversal: 'entry.reversed',
};
const SERVICE: Actor = { kind: 'service', id: 'billing' };

interface Placed {
  readonly change: ListedChange;
  readonly _id: string;
}

/**
 * The history of what changes, and among it what is only ever added and says itself who did it: issued documents, and the entries of their
 * accounts. Each is read off an index of its own from the same place on, so that a cursor is one of all of them.
 */
export function booksHistory(
  history: History,
  invoices: Model<InvoiceDocument>,
  entries: Model<EntryDocument>,
): Pick<History, 'page'> {
  const issued = nativeCollection(invoices);
  const moved = nativeCollection(entries);

  const issuedSince = async (organizationId: string, from: Place | undefined, limit: number): Promise<Placed[]> => {
    const shown = { number: 1, kind: 1, issuedAt: 1, issuedBy: 1 } as const;
    const found = await newestOf(issued, 'issuedAt', { organizationId }, from, limit, shown);
    return found.map(({ _id, kind, number, issuedAt: at, issuedBy: by = SERVICE }) => {
      const action = kind === 'invoice' ? 'invoice.issued' : 'invoice.credited';
      return placed({ _id, at, by, action, subject: { kind, id: _id, label: number }, revision: 1 });
    });
  };

  const movedSince = async (organizationId: string, from: Place | undefined, limit: number): Promise<Placed[]> => {
    const shown = { invoiceId: 1, type: 1, at: 1, by: 1, ordinal: 1 } as const;
    const told = { organizationId, type: { $in: Object.keys(ACTIONS) as Entry['type'][] } };
    const found = await newestOf(moved, 'at', told, from, limit, shown);
    const ids = [...new Set(found.map(({ invoiceId }) => invoiceId))];
    const named = ids.length === 0 ? [] : await issued.find({ organizationId, _id: { $in: ids } }, NUMBER).toArray();
    const numbers = new Map(named.map(({ _id, number }) => [_id, number]));
    return found.map(({ _id, at, by, type, invoiceId, ordinal: revision }) => {
      const subject = { kind: 'invoice', id: invoiceId, label: numbers.get(invoiceId) ?? '' };
      return placed({ _id, at, by, action: ACTIONS[type]!, subject, revision });
    });
  };

  return {
    page: async (organizationId, { limit, cursor }) => {
      const from = cursor === undefined ? undefined : placeOf(cursor);
      const [changes, documents, movements] = await Promise.all([
        history.page(organizationId, { limit, cursor }),
        issuedSince(organizationId, from, limit + 1),
        movedSince(organizationId, from, limit + 1),
      ]);
      const changed = changes.entries.map((change) => ({ change, _id: placeOf(change.cursor)._id }));
      const all = [...changed, ...documents, ...movements].sort(newestFirst);
      const entries = all.slice(0, limit).map(({ change }) => change);
      const hasMore = all.length > limit || changes.cursor !== undefined;
      return { entries, cursor: hasMore ? entries.at(-1)?.cursor : undefined };
    },
  };
}

const NUMBER = { projection: { number: 1 } } as const;

interface Place {
  readonly at: Date;
  readonly _id: string;
}

function placeOf(cursor: string): Place {
  const [time, _id] = readCursor(cursor);
  return { at: new Date(time), _id };
}

const placed = ({ _id, ...change }: Omit<ListedChange, 'fields' | 'cursor'> & { readonly _id: string }): Placed => ({
  _id,
  change: { ...change, fields: [], cursor: cursorOf({ _id, createdAt: change.at }) },
});

const newestFirst = (a: Placed, b: Placed): number =>
  b.change.at.getTime() - a.change.at.getTime() || (a._id < b._id ? 1 : -1);

function newestOf<T extends { readonly _id: string }>(
  collection: Collection<T>,
  by: keyof T & string,
  filter: object,
  from: Place | undefined,
  limit: number,
  projection: Readonly<Record<string, 1>>,
): Promise<T[]> {
  const older = from && { [by]: { $lte: from.at }, $or: [{ [by]: { $lt: from.at } }, { _id: { $lt: from._id } }] };
  return collection
    .find({ ...filter, ...older } as Filter<T>, { projection })
    .sort({ [by]: -1, _id: -1 })
    .hint({ organizationId: 1, [by]: -1, _id: -1 })
    .limit(limit)
    .toArray() as unknown as Promise<T[]>;
}
