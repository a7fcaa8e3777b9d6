import type { Command } from 'commander';
import type { HistoryEntry } from '@invoicing/contracts/invoicing/history/v1/history';
import { operatorCall, type Services } from '../platform';
import { verb } from '../verb';

interface HistoryFlags extends Record<string, unknown> {
  org: string;
  limit: number;
  cursor?: string;
}

/** Where each service's list is read on; a service that it does not name begins at its newest, null is at its end. */
type Positions = Readonly<Record<string, string | null>>;

interface Merged {
  readonly entries: readonly HistoryEntry[];
  /** Asks for the next page; null after the last. */
  readonly cursor: string | null;
}

/** The lists of the services as one, newest first. */
export async function mergedHistory(
  histories: Services['histories'],
  { org, limit, cursor }: HistoryFlags,
): Promise<Merged> {
  const positions = readPositions(cursor);
  const pages = await Promise.all(
    Object.entries(histories).map(async ([service, { listHistory }]) => {
      const from = positions[service];
      if (from === null) return { service, entries: [], hasMore: false };
      const page = await listHistory({ organizationId: org, limit, cursor: from }, operatorCall());
      return { service, entries: page.entries, hasMore: page.cursor !== undefined };
    }),
  );
  const entries = pages.flatMap((page) => page.entries).sort((a, b) => b.at!.getTime() - a.at!.getTime());
  const shown = new Set(entries.slice(0, limit));
  const next = pages.map(({ service, entries: found, hasMore }): [string, string | null | undefined] => {
    const seen = found.filter((each) => shown.has(each));
    const isAtEnd = seen.length === found.length && !hasMore;
    return [service, isAtEnd ? null : (seen.at(-1)?.cursor ?? positions[service])];
  });
  const isLast = next.every(([, position]) => position === null);
  return {
    entries: [...shown],
    cursor: isLast ? null : Buffer.from(JSON.stringify(Object.fromEntries(next))).toString('base64url'),
  };
}

function readPositions(cursor: string | undefined): Positions {
  if (cursor === undefined) return {};
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Positions;
  } catch (error) {
    throw new Error('--cursor is not a cursor of this list', { cause: error });
  }
}

const who = ({ by }: HistoryEntry): string => `${by?.kind} ${by?.label ?? by?.id}`;

export function addHistory(program: Command): void {
  verb<HistoryFlags, Merged>(
    program,
    'history',
    'what changed in an organisation, and who did it, newest first',
    ({ histories }, flags) => mergedHistory(histories, flags),
    ({ entries, cursor }) => ({
      entries: entries.map((entry) => ({
        at: entry.at,
        by: who(entry),
        action: entry.action,
        subject: entry.subject?.label,
        fields: entry.fields.join(', '),
      })),
      ...(cursor && { cursor }),
    }),
  )
    .requiredOption('--org <id>')
    .option('--limit <n>', '1 to 100', Number, 50)
    .option('--cursor <cursor>', 'as the page before answered it');
}
