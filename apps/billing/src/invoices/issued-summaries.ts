import { LRUCache } from 'lru-cache';
import type { InvoiceSummary } from './invoice-ports';

/** A document by what says that it still is the same: an issued document never changes, and its id is made once. */
type Listed = Pick<InvoiceSummary, '_id' | 'createdAt'>;

/** Half a kilobyte each. */
const MOST_KEPT = 20_000;

/**
 * Summaries of issued documents, each read once: what of a document is no part of the invoice (`outbox`, `dueAt`) is not in them, and the
 * rest never changes. Which documents there are is asked of the store every time, so one that is not there is not shown. Answers those
 * that were `listed`, in their order.
 */
export function issuedSummaries(
  read: (organizationId: string, ids: readonly string[]) => Promise<(InvoiceSummary & { organizationId: string })[]>,
): (organizationId: string, listed: readonly Listed[]) => Promise<InvoiceSummary[]> {
  const kept = new LRUCache<string, InvoiceSummary & { organizationId: string }>({ max: MOST_KEPT });
  return async (organizationId, listed) => {
    const known = listed.map(({ _id, createdAt }) => {
      const found = kept.get(_id);
      const isSame = found?.organizationId === organizationId && found.createdAt.getTime() === createdAt.getTime();
      return isSame ? found : undefined;
    });
    const missing = listed.filter((_, index) => known[index] === undefined).map(({ _id }) => _id);
    if (missing.length === 0) return known as InvoiceSummary[];
    const fresh = new Map((await read(organizationId, missing)).map((each) => [each._id, each]));
    for (const [id, summary] of fresh) kept.set(id, summary);
    return listed.flatMap(({ _id }, index) => known[index] ?? fresh.get(_id) ?? []);
  };
}
