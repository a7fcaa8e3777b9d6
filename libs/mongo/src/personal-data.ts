import { type Model, type QueryFilter } from 'mongoose';
import { requireValid, validationError, type Violation } from '@invoicing/errors';
import { isUuid, PARTY_LIMITS, textMessage } from '@invoicing/rules';
import { newestPage, type Page } from './newest';

/** Whom an organisation knows as a customer, and what a service may recognise of them. */
export interface Person {
  readonly organizationId: string;
  readonly customerId: string;
  readonly email?: string | undefined;
  readonly btwId?: string | undefined;
  readonly externalId?: string | undefined;
  /** Ids of the customer's invoices, drafts, subscriptions and checkouts. */
  readonly subjectIds: readonly string[];
}

/** How many documents are erased, and how many are still at work. */
export interface Erasure {
  readonly erased: number;
  readonly postponed: number;
}

/** One kind of data in which a person may be named. */
export interface PersonalSource {
  /** `<service>.<collection>`, as in docs/retention.md. */
  readonly data: string;
  /** A bounded page of documents that name the person. */
  readonly page: (person: Person, cursor: string | undefined) => Promise<Page<Held>>;
  /** Removes them or makes them anonymous; absent where the law asks to keep them. Safe to repeat. */
  readonly erase?: (person: Person, documents: readonly Held[]) => Promise<Erasure>;
}

/** A document in which something is held; what is more of it is shown as it is. */
export interface Held {
  readonly _id: string;
}

interface Request {
  readonly organizationId: string;
  readonly person?: Omit<Person, 'organizationId'> | undefined;
  readonly cursor?: string | undefined;
}

const KNOWN_BY = ['email', 'btwId', 'externalId'] as const;
const PAGE = 200;
// With the first, which is not weighed, well below a message's limit of 8 MiB.
const PAGE_BYTES = 3 * 1024 * 1024;

interface Dated extends Held {
  readonly createdAt: Date;
}

/** The page of a filter that begins with the organisation, newest first, `without` some fields. */
export function personalPage<T extends Dated>(
  model: Model<T>,
  filter: QueryFilter<T>,
  cursor: string | undefined,
  without?: readonly string[],
): Promise<Page<T>> {
  let bytes = 0;
  const fits = (document: T): boolean => (bytes += JSON.stringify(document).length) <= PAGE_BYTES;
  return newestPage<T>(model, filter, { limit: PAGE, cursor, fits, ...(without && { without }) });
}

/** The methods of a service's `PersonalData`, over all in which it may name a person. Throws `validation`. */
export const personalData = (sources: readonly PersonalSource[]) => ({
  exportPersonalData: async (request: Request) => {
    const { person, source, at, cursor } = positionOf(sources, request);
    const { items, next } = await source.page(person, cursor);
    const documents = items.map((held) => ({ data: source.data, id: held._id, json: JSON.stringify(held) }));
    return { documents, cursor: after(sources, at, next) };
  },
  erasePersonalData: async (request: Request) => {
    const { person, source, at, cursor } = positionOf(sources, request);
    if (!source.erase) return { data: [], cursor: after(sources, at, undefined) };
    const { items, next } = await source.page(person, cursor);
    const done = items.length === 0 ? { erased: 0, postponed: 0 } : await source.erase(person, items);
    return { data: [{ data: source.data, ...done }], cursor: after(sources, at, next) };
  },
});

function positionOf(sources: readonly PersonalSource[], { organizationId, person, cursor }: Request) {
  const faults: Violation[] = [];
  if (!isUuid(organizationId)) faults.push({ path: '/organizationId', message: 'must be a lower-case UUID' });
  if (!person || !isUuid(person.customerId))
    faults.push({ path: '/person/customerId', message: 'must be a lower-case UUID' });
  else if (!person.subjectIds.every(isUuid))
    faults.push({ path: '/person/subjectIds', message: 'must be lower-case UUIDs' });
  for (const field of KNOWN_BY) {
    const fault = textMessage(person?.[field] ?? '', { max: PARTY_LIMITS[field] });
    if (fault) faults.push({ path: `/person/${field}`, message: fault });
  }
  if (faults.length > 0 || !person) return requireValid<never>({ violations: faults });
  const [, index = '0', inner = ''] = /^(\d+):(.*)$/s.exec(cursor ?? '0:') ?? [undefined, 'none'];
  const source = sources[Number(index)];
  if (!source) throw validationError([{ path: '/cursor', message: 'is not a cursor of this list' }]);
  return { person: { ...person, organizationId }, source, at: Number(index), cursor: inner || undefined };
}

/** Where it goes on: in the same kind of data, in the next one, or nowhere. */
function after(sources: readonly PersonalSource[], at: number, next: string | undefined): string | undefined {
  if (next !== undefined) return `${at}:${next}`;
  return at + 1 < sources.length ? `${at + 1}:` : undefined;
}
