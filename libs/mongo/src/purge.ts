import { type Model, type QueryFilter } from 'mongoose';
import { keptSince, type PurgedByAge } from '@invoicing/rules';
import { Counter, Gauge, type Logger } from '@invoicing/telemetry';
import { startDueWorker, type DueWorker } from './due-worker';

/** What a batch met, and how much of it this process has ended: another may have been faster. */
export interface Purged {
  readonly found: number;
  readonly purged: number;
}

/** Ends what is older than a rule allows: at most `limit` of it at once. Safe on several replicas side by side. */
export type PurgeBatch = (before: Date, limit: number) => Promise<Purged>;

/** What a service has to purge, by the rules of libs/rules/src/retention.ts. */
export type Purges = { readonly [rule in PurgedByAge]?: PurgeBatch };

const EVERY_MS = 3_600_000;
const BATCH = 500;

const purgedTotal = new Counter({
  name: 'retention_purged_total',
  help: 'Documents and files that were purged because of their age, by rule',
  labelNames: ['rule'],
});
const finishedAt = new Gauge({
  name: 'retention_purge_finished_timestamp_seconds',
  help: 'When a purge last found nothing left to do',
});

/**
 * Purges at the start and every hour, in batches, until nothing is left. A batch is independent of all others: a process that ends between
 * two leaves the rest to the next hour, or to another replica.
 */
export function startPurge(purges: Purges, log: Pick<Logger, 'error'>, now: () => Date = () => new Date()): DueWorker {
  const onError = (error: unknown): void => log.error({ error }, 'purge failed');
  const round = async (): Promise<boolean> => {
    let [isMore, isWhole] = [false, true];
    for (const [rule, batch] of Object.entries(purges) as [PurgedByAge, PurgeBatch][]) {
      try {
        const { found, purged } = await batch(keptSince(rule, now()), BATCH);
        purgedTotal.inc({ rule }, purged);
        if (found < BATCH) continue;
        isWhole = false;
        // Others are at what it could not end; alone it would meet the same again.
        isMore ||= purged > 0;
      } catch (error) {
        // The other rules are kept all the same.
        isWhole = false;
        onError(error);
      }
    }
    if (isWhole) finishedAt.set(now().getTime() / 1_000);
    return isMore;
  };
  return startDueWorker({ round, pollMs: EVERY_MS, onError });
}

interface Owned {
  readonly _id: string;
  readonly organizationId: string;
}

/**
 * Deletes up to `limit` documents of a filter, which an index answers. They are looked for everywhere and deleted in their organisations,
 * if the filter still holds: what somebody changes meanwhile stays.
 */
export async function deleteSome<T extends Owned>(
  model: Model<T>,
  filter: QueryFilter<T>,
  limit: number,
): Promise<Purged> {
  const found = await model.find(filter, { organizationId: 1 }).limit(limit).lean<Owned[]>().exec();
  if (found.length === 0) return { found: 0, purged: 0 };
  const { deletedCount } = await model.bulkWrite(
    [...byOrganization(found)].map(([organizationId, ids]) => ({
      deleteMany: { filter: { ...filter, organizationId, _id: { $in: ids } } as never },
    })),
    { ordered: false },
  );
  return { found: found.length, purged: deletedCount };
}

function byOrganization(documents: readonly Owned[]): Map<string, string[]> {
  const grouped = new Map<string, string[]>();
  for (const { organizationId, _id } of documents)
    grouped.set(organizationId, [...(grouped.get(organizationId) ?? []), _id]);
  return grouped;
}
