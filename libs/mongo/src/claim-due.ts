import { type Model, type QueryFilter } from 'mongoose';
import { dueFilter, type Ahead } from './organization-clocks';

interface Due {
  readonly _id: string;
  readonly organizationId: string;
  readonly dueAt?: Date | null;
}

// Another replica may take those that were found first.
const CANDIDATES = 8;

const NOBODY: Ahead = new Map();

/**
 * Takes the document that has been due longest, for work that ends before `leaseUntil`: until then nobody else takes it, and when
 * the work is never finished it becomes due again. Null when nothing is due, or others took it all. Looks for due work everywhere and
 * takes it by compare-and-set inside its organisation, so that a sharded cluster writes on one shard. Of organisations whose clock
 * runs ahead, `now` and `leaseUntil` are ahead by as much.
 */
export async function claimDue<T extends Due>(
  model: Model<T>,
  wanted: { readonly where?: QueryFilter<T>; readonly now: Date; readonly leaseUntil: Date; readonly ahead?: Ahead },
): Promise<T | null> {
  const { where = {}, now, leaseUntil, ahead = NOBODY } = wanted;
  const due = { ...where, ...dueFilter<T>(now, ahead) } as QueryFilter<T>;
  const candidates = await model
    .find(due, { organizationId: 1, dueAt: 1 })
    .sort({ dueAt: 1 })
    .limit(CANDIDATES)
    .lean<Due[]>()
    .exec();
  for (const { organizationId, _id, dueAt } of candidates) {
    const seen = { organizationId, _id, ...where, dueAt } as QueryFilter<T>;
    const until = new Date(leaseUntil.getTime() + (ahead.get(organizationId) ?? 0));
    const claimed = await model
      .findOneAndUpdate(seen, { $set: { dueAt: until } } as never, { returnDocument: 'after' })
      .lean<T>()
      .exec();
    if (claimed) return claimed;
  }
  return null;
}
