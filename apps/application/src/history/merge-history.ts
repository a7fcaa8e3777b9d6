import type {
  HistoryEntry,
  ListHistoryRequest,
  ListHistoryResponse,
} from '@invoicing/contracts/invoicing/history/v1/history';

/** Who keeps a history. */
export type HistorySource = (request: ListHistoryRequest) => Promise<ListHistoryResponse>;

/** What of it is wanted. */
export interface HistoryWanted {
  readonly organizationId: string;
  readonly limit: number;
  /** As the page before answered it. */
  readonly cursor?: string | undefined;
  readonly fits: (entry: HistoryEntry) => boolean;
  /** Nothing older than this is looked at. */
  readonly since?: Date | undefined;
  /** How many entries are looked at, at most. */
  readonly lookedAt: number;
}

export interface HistoryPage {
  readonly entries: HistoryEntry[];
  /** Absent when there is nothing more. */
  readonly cursor?: string | undefined;
}

const BATCH = 100;
const END = 'end';

interface Reader {
  readonly source: HistorySource;
  readonly waiting: HistoryEntry[];
  /** Of the entry that was taken last. */
  taken: string | undefined;
  /** Of the next batch; `end`: there is none. */
  next: string | undefined;
}

/**
 * The histories of several services as one, newest first: each is read batch by batch as far as it is needed, and the newest of their
 * next entries is taken. The cursor says of each how far it was taken, so that nothing is met twice and nothing is left out.
 */
export async function mergeHistory(sources: readonly HistorySource[], wanted: HistoryWanted): Promise<HistoryPage> {
  const { organizationId, limit, cursor, fits, since, lookedAt } = wanted;
  const begun = readCursor(cursor, sources.length);
  const readers = sources.map((source, index): Reader => ({
    ...{ source, waiting: [], taken: begun[index], next: begun[index] },
  }));
  const fill = async (reader: Reader): Promise<void> => {
    if (reader.waiting.length > 0 || reader.next === END) return;
    const page = await reader.source({ organizationId, limit: BATCH, cursor: reader.next });
    reader.waiting.push(...page.entries);
    reader.next = page.cursor ?? END;
    if (page.entries.length === 0) reader.next = END;
  };
  const entries: HistoryEntry[] = [];
  for (let looked = 0; ; looked++) {
    const isFull = entries.length === limit || looked === lookedAt;
    // What is next of who has been read to the end of a batch is not asked for when nothing more is taken.
    if (isFull && readers.some(({ waiting, next }) => waiting.length === 0 && next !== END))
      return { entries, cursor: writeCursor(readers) };
    await Promise.all(readers.map(fill));
    const reader = newestOf(readers);
    if (!reader || (since && timeOf(reader.waiting[0]) < since.getTime())) return { entries };
    if (isFull) return { entries, cursor: writeCursor(readers) };
    const entry = reader.waiting.shift()!;
    reader.taken = entry.cursor;
    if (fits(entry)) entries.push(entry);
  }
}

const timeOf = (entry: HistoryEntry | undefined): number => entry?.at?.getTime() ?? 0;

const newestOf = (readers: readonly Reader[]): Reader | undefined =>
  readers
    .filter(({ waiting }) => waiting.length > 0)
    .reduce<Reader | undefined>(
      (newest, each) => (newest && timeOf(newest.waiting[0]) >= timeOf(each.waiting[0]) ? newest : each),
      undefined,
    );

const writeCursor = (readers: readonly Reader[]): string =>
  readers.map(({ taken, waiting, next }) => (waiting.length === 0 && next === END ? END : (taken ?? ''))).join('~');

/** What is no cursor of ours begins at the newest. */
function readCursor(cursor: string | undefined, count: number): (string | undefined)[] {
  const parts = cursor?.split('~') ?? [];
  return Array.from({ length: count }, (_, index) => (parts.length === count ? parts[index] || undefined : undefined));
}
