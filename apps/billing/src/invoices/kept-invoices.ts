import { LRUCache } from 'lru-cache';
import type { InvoiceSummary } from './invoice-ports';
import type { IssuedInvoice } from './issued-invoice';

/** A document by what says that it still is the same: an issued document never changes, and its id is made once. */
type Listed = Pick<InvoiceSummary, '_id' | 'createdAt'>;

/** Half a kilobyte each. */
const MOST_SUMMARIES = 20_000;
// A quarter of a kilobyte each; what is no line of a document takes as much as ten.
const MOST_LINES = 50_000;
const LINES_OF_HEAD = 10;

/**
 * Issued documents by their tokens, each read once: what was sealed never changes, and nobody deletes it. Who looks at a page looks at its
 * picture and its PDF, too.
 */
export function issuedByToken(
  read: (publicToken: string) => Promise<IssuedInvoice | null>,
): (publicToken: string) => Promise<IssuedInvoice | null> {
  const kept = new LRUCache<string, IssuedInvoice>({
    maxSize: MOST_LINES,
    sizeCalculation: ({ lines }) => LINES_OF_HEAD + lines.length,
  });
  return async (publicToken) => {
    const known = kept.get(publicToken);
    if (known) return known;
    const found = await read(publicToken);
    if (found) kept.set(publicToken, found);
    return found;
  };
}

/**
 * Summaries of issued documents, each read once: what of a document is no part of the invoice (`outbox`, `dueAt`) is not in them, and the
 * rest never changes. Which documents there are is asked of the store every time, so one that is not there is not shown. Answers those
 * that were `listed`, in their order.
 */
export function issuedSummaries(
  read: (organizationId: string, ids: readonly string[]) => Promise<(InvoiceSummary & { organizationId: string })[]>,
): (organizationId: string, listed: readonly Listed[]) => Promise<InvoiceSummary[]> {
  const kept = new LRUCache<string, InvoiceSummary & { organizationId: string }>({ max: MOST_SUMMARIES });
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
