import { randomUUID } from 'node:crypto';
import { batched } from '@invoicing/concurrency';
import {
  NEWEST_FIRST,
  REAL_TIME,
  declareCollection,
  dueFilter,
  embedded,
  inOrganization,
  nativeCollection,
  newest,
  oneOf,
  openCollection,
  required,
  type AnyBulkWriteOperation,
  type Collection,
  type Connection,
  type Filter,
  type OrganizationClocks,
} from '@invoicing/mongo';
import {
  WAITS,
  held,
  inState,
  leased,
  queued,
  queuedInOrder,
  redelivered,
  type Attempt,
  type Delivery,
  type DeliveryStatus,
  type NextState,
  type Period,
} from './delivery';
import type { EndpointRef } from './endpoint';

const ATTEMPTS_KEPT = 50;
const WRITE_BATCH = 256;

export const deliveryCollection = declareCollection<Delivery>('deliveries', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    eventId: required(String),
    endpointId: required(String),
    organizationId: required(String),
    eventType: required(String),
    body: required(String),
    status: oneOf('pending', 'delivered', 'failed', 'held'),
    tries: required(Number),
    attempts: required([
      embedded<Attempt>({
        at: required(Date),
        status: required(Number),
        error: required(String),
        durationMs: required(Number),
        excerpt: required(String),
      }),
    ]),
    dueAt: Date,
    lease: String,
    queue: String,
    queuedAt: Date,
    inOrder: Boolean,
    traceparent: String,
    testScenario: String,
    createdAt: required(Date),
  },
  indexes: [
    // Both hold only what is pending: what waits for a dead endpoint is in nobody's way.
    [{ dueAt: 1 }, { sparse: true }],
    [{ queue: 1, queuedAt: 1 }, { sparse: true }],
    [{ organizationId: 1, ...NEWEST_FIRST }],
    // For what is purged by its age.
    [{ createdAt: 1 }],
  ],
});

export type DeliveryStore = Awaited<ReturnType<typeof openDeliveryStore>>;

/** Deliveries, and what each endpoint still has to take: its queue is what in here names it in `queue`, and nothing else says so. */
export async function openDeliveryStore(connection: Connection, clocks: OrganizationClocks = REAL_TIME) {
  const model = await openCollection(connection, deliveryCollection);
  // Thousands a second: past the model.
  const native = nativeCollection(model);
  return {
    /** Operators name a delivery by its id alone. */
    find: (organizationId: string | undefined, id: string): Promise<Delivery | null> =>
      model
        .findOne({ ...inOrganization(organizationId), _id: id })
        .lean<Delivery>()
        .exec(),

    list: (
      { organizationId, endpointId }: { organizationId: string; endpointId?: string | undefined },
      limit: number,
    ): Promise<Delivery[]> => newest(model, { organizationId, ...(endpointId && { endpointId }) }, { limit }),

    now: clocks.now,
    ...waitingDeliveries(native, clocks),
    ...changesOfOne(native),
    ...changesOfMany(native),
  };
}

const waitingDeliveries = (deliveries: Collection<Delivery>, { ahead }: OrganizationClocks) => ({
  /** What is due now, oldest first. Retries are due in their organisation's time, leases end in real time. */
  due: (limit: number): Promise<Delivery[]> =>
    deliveries
      .find(dueFilter<Delivery>(new Date(), ahead(), { lease: { $exists: false } }) as Filter<Delivery>)
      .sort({ dueAt: 1 })
      .limit(limit)
      .batchSize(limit)
      .toArray(),

  /** The oldest of the first queue whose endpoint id is greater than `after`: from '' on, it leads from queue to queue. */
  firstOfNextQueue: (after: string): Promise<Delivery | null> =>
    deliveries.findOne({ queue: { $gt: after } }, { sort: { queue: 1, queuedAt: 1 } }),

  /** What waits for an endpoint, oldest first. */
  queuedFor: ({ organizationId, _id }: EndpointRef, limit: number): Promise<Delivery[]> =>
    deliveries.find({ organizationId, queue: _id }).sort({ queuedAt: 1 }).limit(limit).batchSize(limit).toArray(),
});

function changesOfOne(deliveries: Collection<Delivery>) {
  const insertNew = batched({ limit: WRITE_BATCH }, async (made: readonly Delivery[]) => {
    const duplicates = await deliveries
      .insertMany(made, { ordered: false })
      .then(() => new Set<number>(), duplicatesOf);
    return made.map((_each, index) => !duplicates.has(index));
  });
  const write = batched({ limit: WRITE_BATCH }, async (operations: readonly AnyBulkWriteOperation<Delivery>[]) => {
    await deliveries.bulkWrite([...operations], { ordered: false });
    return operations.map(() => undefined);
  });
  return {
    /** Inserts a delivery and answers true, or false when it is there already. */
    insertNew,

    /** That of an event to an endpoint. */
    findOf: ({ organizationId, _id }: EndpointRef, eventId: string): Promise<Delivery | null> =>
      deliveries.findOne({ organizationId, _id: `${eventId}:${_id}` }),

    /** Logs an attempt and what follows from it: while the lease is ours, and in any case when it has arrived. */
    record: ({ organizationId, _id, lease }: Delivery, attempt: Attempt, next: NextState): Promise<void> => {
      const ours = next.status === 'delivered' ? {} : { lease: lease! };
      return write({
        updateOne: {
          filter: { organizationId, _id, ...ours },
          update: { ...written(next), $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } } },
        },
      });
    },

    /** Sends it again, wherever it stands. */
    redeliver: ({ organizationId, _id }: Delivery): Promise<Delivery | null> =>
      deliveries.findOneAndUpdate({ organizationId, _id }, written(redelivered(new Date())), {
        returnDocument: 'after',
      }),
  };
}

function changesOfMany(deliveries: Collection<Delivery>) {
  const writeAll = async (
    changes: readonly (readonly [Filter<Delivery>, NextState])[],
    options = { ordered: false },
  ): Promise<number> => {
    if (changes.length === 0) return 0;
    const operations = changes.map(([filter, next]) => ({ updateOne: { filter, update: written(next) } }));
    return (await deliveries.bulkWrite(operations, options)).matchedCount;
  };
  return {
    /** Moves what is due to the queues of its endpoints. */
    enqueue: async (found: readonly Delivery[]): Promise<void> => {
      const now = new Date();
      await writeAll(found.map((each) => [asFound(each), queued(each.endpointId, now)]));
    },

    /** Takes deliveries as they were found, and answers those that no other process took first. */
    claim: async (found: readonly Delivery[], until: Date): Promise<Delivery[]> => {
      const lease = randomUUID();
      const next = leased(lease, until);
      const matched = await writeAll(found.map((each) => [asFound(each), next]));
      const ours = matched === found.length ? found : await leasedAs(deliveries, lease, found);
      return ours.map((each) => inState(each, next));
    },

    /** Prolongs leases that are still ours. */
    renew: async (taken: readonly Delivery[], until: Date): Promise<void> => {
      await writeAll(
        taken.map(({ organizationId, _id, lease }) => [{ organizationId, _id, lease: lease! }, leased(lease!, until)]),
      );
    },

    /** Keeps what an endpoint that was disabled has not had yet, until it is redelivered. */
    holdPending: async ({ organizationId, _id: endpointId }: EndpointRef): Promise<void> => {
      for (const pending of [{ queue: endpointId }, { dueAt: { $gt: new Date(0) }, endpointId }])
        await deliveries.updateMany({ organizationId, ...pending }, written(held));
    },

    /**
     * Queues what has not arrived of those that were made in the period, oldest first, with the whole schedule before it again.
     * @returns how many.
     */
    requeue: async (
      { organizationId, _id: endpointId }: EndpointRef,
      statuses: readonly DeliveryStatus[],
      { from, to }: Period,
    ): Promise<number> => {
      const status = { $in: [...statuses] };
      const found = deliveries
        .find({ organizationId, endpointId, status, createdAt: { $gte: from, $lt: to } })
        .project<Pick<Delivery, '_id' | 'createdAt'>>({ createdAt: 1 })
        .sort({ createdAt: 1, _id: 1 })
        .batchSize(WRITE_BATCH);
      let [count, batch]: [number, [Filter<Delivery>, NextState][]] = [0, []];
      for await (const { _id, createdAt } of found) {
        batch.push([{ organizationId, _id, status }, queuedInOrder({ endpointId, createdAt })]);
        if (batch.length < WRITE_BATCH) continue;
        count += await writeAll(batch, { ordered: true });
        batch = [];
      }
      return count + (await writeAll(batch, { ordered: true }));
    },
  };
}

/** Those of them that have the lease. */
async function leasedAs(deliveries: Collection<Delivery>, lease: string, found: readonly Delivery[]) {
  const organizations = [...new Set(found.map(({ organizationId }) => organizationId))];
  const leasedOnes = await deliveries
    .find(
      { organizationId: { $in: organizations }, _id: { $in: found.map(({ _id }) => _id) }, lease },
      { projection: { _id: 1 } },
    )
    .toArray();
  const ids = new Set(leasedOnes.map(({ _id }) => _id));
  return found.filter(({ _id }) => ids.has(_id));
}

/** The update that brings a delivery into its next state. */
const written = (next: NextState): { $set: NextState; $unset: Record<string, ''> } => ({
  $set: next,
  $unset: Object.fromEntries(WAITS.filter((field) => next[field] === undefined).map((field) => [field, ''])),
});

/** Meets a delivery only while nobody has touched it since it was found. */
const asFound = ({ organizationId, _id, dueAt, queuedAt }: Delivery): Filter<Delivery> =>
  queuedAt ? { organizationId, _id, queuedAt } : { organizationId, _id, ...(dueAt && { dueAt }) };

/** Places of the documents that were there already. Any other failure is thrown on. */
function duplicatesOf(error: unknown): Set<number> {
  const { writeErrors } = (error ?? {}) as {
    writeErrors?: { code: number; index: number }[] | { code: number; index: number };
  };
  const errors = writeErrors === undefined ? [] : [writeErrors].flat();
  if (errors.length === 0 || errors.some(({ code }) => code !== 11000)) throw error;
  return new Set(errors.map(({ index }) => index));
}
