import { LRUCache } from 'lru-cache';
import { batched, shareInFlight } from '@invoicing/concurrency';
import type { Ports } from '../billing-ports';
import type { Call, Catalog, Organizations } from '../invoices/invoice-ports';

// The catalog takes at most 1 000 ids of a kind; the ids of one invoice are at most 500.
const MAX_IDS = 500;
const MAX_ORGANIZATIONS = 1_000;

/**
 * The same ports for many invoices at once: what is asked while an equal question is on its way is asked together. A run of
 * thousands then reads an organisation and its customers once a batch instead of once an invoice.
 */
export const sharedReads = (ports: Ports): Ports => ({
  ...ports,
  organizations: sharedOrganizations(ports.organizations),
  catalog: sharedCatalog(ports.catalog),
});

const sharedOrganizations = (organizations: Organizations): Organizations => ({
  ...organizations,
  find: shareInFlight((id) => organizations.find(id)),
});

type Ids = Parameters<Catalog['resolve']>[1];
type Resolved = Awaited<ReturnType<Catalog['resolve']>>;

interface Question {
  readonly ids: Ids;
  readonly call: Call;
}

function sharedCatalog(catalog: Catalog): Catalog {
  const weightOf = ({ ids }: Question): number => Math.max(ids.customerIds.length, ids.productIds.length);
  const askOf = (organizationId: string) =>
    batched({ limit: MAX_IDS, weightOf }, async (questions: readonly Question[]): Promise<Resolved[]> => {
      const ids = { customerIds: union(questions, 'customerIds'), productIds: union(questions, 'productIds') };
      const answer = await catalog.resolve(organizationId, ids, questions[0]!.call);
      return questions.map(() => answer);
    });
  // One that is dropped while it asks is only no longer joined.
  const asks = new LRUCache<string, ReturnType<typeof askOf>>({ max: MAX_ORGANIZATIONS, memoMethod: askOf });
  return { ...catalog, resolve: (organizationId, ids, call) => asks.memo(organizationId)({ ids, call }) };
}

const union = (questions: readonly Question[], kind: keyof Ids): string[] => [
  ...new Set(questions.flatMap(({ ids }) => ids[kind])),
];
