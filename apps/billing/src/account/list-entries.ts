import type { Account } from './account';
import type { CreditApplied, Entry } from './entry';

export type ListedEntry = {
  readonly entry: Exclude<Entry, { type: 'settlement' | 'overdue' }>;
  readonly progress: 'done' | 'pending' | 'reversed';
};

/** What happened, oldest first: every entry, and the credit notes where the entries after them saw them. */
export function listEntries({ entries, credits }: Account): (ListedEntry | { readonly credit: CreditApplied })[] {
  const left = [...credits].sort((a, b) => a.ordinal - b.ordinal);
  const listed: (ListedEntry | { credit: CreditApplied })[] = [];
  for (const entry of [...entries].sort((a, b) => a.ordinal - b.ordinal)) {
    while (left[0] && left[0].ordinal <= entry.creditsSeen) listed.push({ credit: left.shift()! });
    if (entry.type !== 'settlement' && entry.type !== 'overdue')
      listed.push({ entry, progress: progressOf(entry, entries) });
  }
  return [...listed, ...left.map((credit) => ({ credit }))];
}

export function progressOf(entry: Entry, entries: readonly Entry[]): ListedEntry['progress'] {
  const hasFollower = (type: 'reversal' | 'settlement'): boolean =>
    entries.some((each) => each.type === type && each.of === entry._id);
  if (hasFollower('reversal')) return 'reversed';
  return entry.type !== 'refund' || entry.done || hasFollower('settlement') ? 'done' : 'pending';
}
