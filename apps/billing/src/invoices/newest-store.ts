import { CoalescedRuns } from '@invoicing/concurrency';
import { NEWEST_FIRST, type Collection, type Filter, type IndexDeclaration } from '@invoicing/mongo';
import { addDays } from './business-date';
import { listOrder, positionOf, startOfDay, type ListPeriod, type ListPosition } from './list-position';
import type { ListNarrowed, ListWanted } from './invoice-ports';

/** The order of the list of a period. */
export const BY_DAY = { issueDate: -1, ...NEWEST_FIRST } as const;

/** The indexes that lists are read from in their order: of an organisation, and of one of its profiles. */
export const newestIndexes = (equal: Record<string, 1>): IndexDeclaration[] => [
  [{ organizationId: 1, ...equal, ...NEWEST_FIRST }],
  [{ organizationId: 1, profileId: 1, ...equal, ...NEWEST_FIRST }],
];

/** The same of one customer, and of a period. */
export const narrowedIndexes = (equal: Record<string, 1>): IndexDeclaration[] => [
  [{ organizationId: 1, ...equal, customerId: 1, ...NEWEST_FIRST }],
  [{ organizationId: 1, ...equal, ...BY_DAY }],
];

const SUMMARY = [
  ...['number', 'kind', 'customerId', 'publicToken', 'issueDate', 'dueDate', 'totals.inclCents', 'createdAt', 'state'],
  ...['credited.invoiceId', 'prepayment', 'buyer.name', 'buyer.companyName'],
];
const fieldsOf = (names: readonly string[]): Fields => Object.fromEntries(names.map((name) => [name, 1 as const]));

/** Which fields of a document are read. */
type Fields = Readonly<Record<string, 1>>;

/** All that a list shows of a document. */
export const SUMMARY_FIELDS: Fields = fieldsOf(SUMMARY);

/** Only where it stands: the index of a list that is not narrowed has all of it. */
export const positionFields = (period: ListPeriod | undefined): Fields =>
  period ? { issueDate: 1, createdAt: 1 } : { createdAt: 1 };

/** Narrows a filter to one profile when one is given. */
export const ofProfile = <F extends object>(filter: F, profileId: string | undefined): F & { profileId?: string } => ({
  ...filter,
  ...(profileId !== undefined && { profileId }),
});

interface Stored {
  readonly _id: string;
  readonly createdAt: Date;
  readonly issueDate?: string | null;
}

type Keys = Record<string, 1 | -1>;

/** One part of a list: a filter, and the index that it is read from. */
interface Part {
  readonly filter: object;
  readonly hint: Keys;
}

/** What every document of a list has, and the index that has those without any other narrowing in the order of the list. */
export interface ListBase {
  readonly equal: { readonly organizationId: string; readonly open?: true; readonly [field: string]: unknown };
  /** Instead of the index of the newest. */
  readonly hint?: Keys | undefined;
}

/** A page as it is wanted, and what of its documents. */
export interface PageWanted extends ListWanted {
  readonly fields: Fields;
}

/**
 * Pages of a collection's documents, in the order of the list. Each part is read off the index that is named with it: a planner that
 * chose another would read the whole organisation for a few documents. Who asks for the same page at the same time is answered by one
 * read, which begins after the question.
 */
export function narrowedPages<T extends Stored, S extends Stored>(collection: Collection<T>) {
  const reads = new CoalescedRuns<readonly S[]>();
  return (base: ListBase, narrowed: ListNarrowed, wanted: PageWanted): Promise<readonly S[]> =>
    reads.run(JSON.stringify([base, narrowed, wanted]), () => narrowedPage<T, S>(collection, base, narrowed, wanted));
}

async function narrowedPage<T extends Stored, S extends Stored>(
  collection: Collection<T>,
  base: ListBase,
  narrowed: ListNarrowed,
  { after, limit, fields }: PageWanted,
): Promise<readonly S[]> {
  const read = ({ filter, hint }: Part): Promise<S[]> =>
    collection
      .find(filter as Filter<T>, { projection: fields })
      .sort(narrowed.period ? BY_DAY : NEWEST_FIRST)
      .hint(hint)
      .limit(limit)
      .toArray() as unknown as Promise<S[]>;
  const parts = partsOf(base, narrowed, after);
  if (parts.length === 1) return read(parts[0]!);
  const found = new Map<string, S>();
  for (const each of (await Promise.all(parts.map(read))).flat()) found.set(each._id, each);
  const positions = [...found.values()].map((each) => ({ each, at: positionOf(each, narrowed.period) }));
  return positions
    .sort((a, b) => listOrder(a.at, b.at))
    .slice(0, limit)
    .map(({ each }) => each);
}

/** What a page is read by, to be looked at with `explain`. */
export function partsOf({ equal, hint }: ListBase, narrowed: ListNarrowed, after: ListPosition | undefined): Part[] {
  const { profileId, customerId, text, period } = narrowed;
  const open: Keys = equal.open ? { open: 1 } : {};
  const of = { ...ofProfile(equal, profileId), ...(customerId !== undefined && { customerId }) };
  const ofCustomer: Keys = { organizationId: 1, ...open, customerId: 1, ...NEWEST_FIRST };
  const inOrder: Keys = {
    organizationId: 1,
    ...(profileId !== undefined && !period && { profileId: 1 as const }),
    ...open,
    ...(period ? BY_DAY : NEWEST_FIRST),
  };
  const all: Part[] = text
    ? [
        { filter: { ...of, _id: { $in: text.ids } }, hint: { _id: 1 } },
        { filter: { $and: [of, { customerId: { $in: text.customerIds } }] }, hint: ofCustomer },
      ]
    : [{ filter: of, hint: customerId !== undefined ? ofCustomer : period ? inOrder : (hint ?? inOrder) }];
  const rests = period ? daysOf(period, equal.open === true, after) : [after ? older(after) : {}];
  return all.flatMap(({ filter, hint }) => rests.map((rest) => ({ filter: { $and: [filter, rest] }, hint })));
}

function daysOf({ from, to, timezone }: ListPeriod, hasUndated: boolean, after?: ListPosition): object[] {
  const day = after?.day;
  const until = day !== undefined && (to === undefined || day < to) ? day : to;
  const days = { ...(from !== undefined && { $gte: from }), ...(until !== undefined && { $lte: until }) };
  const instants = {
    ...(from !== undefined && { $gte: startOfDay(from, timezone) }),
    ...(until !== undefined && { $lt: startOfDay(addDays(until, 1), timezone) }),
  };
  const onTheDay = (earlier: object): object => (after ? { $or: [earlier, older(after)] } : {});
  const dated = { issueDate: { $type: 'string', ...days }, ...onTheDay({ issueDate: { $lt: day } }) };
  const undated = {
    issueDate: null,
    ...(Object.keys(instants).length > 0 && { createdAt: instants }),
    ...(day !== undefined && onTheDay({ createdAt: { $lt: startOfDay(day, timezone) } })),
  };
  return hasUndated ? [dated, undated] : [dated];
}

// One range of the index; the second condition only takes equals apart.
const older = ({ createdAt, _id }: ListPosition): object => ({
  createdAt: { $lte: createdAt },
  $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }],
});
