import { randomUUID } from 'node:crypto';
import { batched } from '@invoicing/concurrency';
import {
  NEWEST_FIRST,
  declareCollection,
  embedded,
  inOrganization,
  nativeCollection,
  newest,
  oneOf,
  openCollection,
  required,
  type AnyBulkWriteOperation,
  type Connection,
  type UpdateFilter,
} from '@invoicing/mongo';
import type { EndpointRef } from './endpoint-store';
import type { AttemptResult } from './webhook-client';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

export interface AttemptRecord extends Omit<AttemptResult, 'retryAfterMs'> {
  readonly at: Date;
}

/** One event on its way to one endpoint. */
export interface DeliveryDocument {
  /** `<event id>:<endpoint id>`: the same event again meets the same delivery. */
  readonly _id: string;
  readonly eventId: string;
  readonly endpointId: string;
  readonly organizationId: string;
  readonly eventType: string;
  readonly body: string;
  readonly status: DeliveryStatus;
  /** Attempts since it was created or last redelivered by hand. */
  readonly tries: number;
  readonly attempts: AttemptRecord[];
  /** While pending and not in the queue: when somebody may take it (again). */
  readonly dueAt?: Date;
  /** Who has taken it, until `dueAt`. */
  readonly lease?: string;
  /** The endpoint's id while it waits for the endpoint's lane to have room, since `queuedAt`. Such a wait is not a retry. */
  readonly queue?: string;
  readonly queuedAt?: Date;
  readonly createdAt: Date;
  /** W3C trace of the event, which the attempts continue; only when it was traced. */
  readonly traceparent?: string;
}

const ATTEMPTS_KEPT = 50;
const WRITE_BATCH = 256;

export const deliveryCollection = declareCollection<DeliveryDocument>('deliveries', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    eventId: required(String),
    endpointId: required(String),
    organizationId: required(String),
    eventType: required(String),
    body: required(String),
    status: oneOf('pending', 'delivered', 'failed'),
    tries: required(Number),
    attempts: required([
      embedded<AttemptRecord>({
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
    traceparent: String,
    createdAt: required(Date),
  },
  indexes: [
    // Both hold only what is pending: what waits for a dead endpoint is in nobody's way.
    [{ dueAt: 1 }, { sparse: true }],
    [{ queue: 1, queuedAt: 1 }, { sparse: true }],
    [{ organizationId: 1, ...NEWEST_FIRST }],
  ],
});

export type DeliveryStore = Awaited<ReturnType<typeof openDeliveryStore>>;

export async function openDeliveryStore(connection: Connection) {
  const model = await openCollection(connection, deliveryCollection);
  // Thousands a second: past the model.
  const deliveries = nativeCollection(model);
  const writeOutcome = batched(
    { limit: WRITE_BATCH },
    async (operations: readonly AnyBulkWriteOperation<DeliveryDocument>[]) => {
      await deliveries.bulkWrite([...operations], { ordered: false });
      return operations.map(() => undefined);
    },
  );
  const insertNew = batched({ limit: WRITE_BATCH }, async (made: readonly DeliveryDocument[]) => {
    const duplicates = await deliveries
      .insertMany(made, { ordered: false })
      .then(() => new Set<number>(), duplicatesOf);
    return made.map((_each, index) => !duplicates.has(index));
  });

  return {
    /** Inserts a delivery and answers true, or false when it is there already. */
    insertNew,

    /** Operators name a delivery by its id alone. */
    find: (organizationId: string | undefined, id: string): Promise<DeliveryDocument | null> =>
      model
        .findOne({ ...inOrganization(organizationId), _id: id })
        .lean<DeliveryDocument>()
        .exec(),

    /** That of an event to an endpoint. */
    findOf: ({ organizationId, _id }: EndpointRef, eventId: string): Promise<DeliveryDocument | null> =>
      deliveries.findOne({ organizationId, _id: `${eventId}:${_id}` }),

    list: (
      { organizationId, endpointId }: { organizationId: string; endpointId?: string | undefined },
      limit: number,
    ): Promise<DeliveryDocument[]> => newest(model, { organizationId, ...(endpointId && { endpointId }) }, { limit }),

    /** What is due now, oldest first. */
    due: (limit: number): Promise<DeliveryDocument[]> =>
      deliveries
        .find({ dueAt: { $lte: new Date() } })
        .sort({ dueAt: 1 })
        .limit(limit)
        .batchSize(limit)
        .toArray(),

    /** What waits for an endpoint, oldest first. */
    queued: ({ organizationId, _id }: EndpointRef, limit: number): Promise<DeliveryDocument[]> =>
      deliveries.find({ organizationId, queue: _id }).sort({ queuedAt: 1 }).limit(limit).batchSize(limit).toArray(),

    /** Moves what is due to the queues of its endpoints. */
    enqueue: async (found: readonly DeliveryDocument[]): Promise<void> => {
      if (found.length === 0) return;
      const queuedAt = new Date();
      await deliveries.bulkWrite(
        found.map((delivery) => ({
          updateOne: {
            filter: asFound(delivery),
            update: { $set: { queue: delivery.endpointId, queuedAt }, $unset: { dueAt: '', lease: '' } },
          },
        })),
        { ordered: false },
      );
    },

    /** Takes deliveries as they were found, and answers those that no other process took first. */
    claim: async (found: readonly DeliveryDocument[], until: Date): Promise<DeliveryDocument[]> => {
      if (found.length === 0) return [];
      const lease = randomUUID();
      const { matchedCount } = await deliveries.bulkWrite(
        found.map((delivery) => ({
          updateOne: {
            filter: asFound(delivery),
            update: { $set: { dueAt: until, lease }, $unset: { queue: '', queuedAt: '' } },
          },
        })),
        { ordered: false },
      );
      const leased = found.map((each) => ({ ...each, dueAt: until, lease }));
      if (matchedCount === found.length) return leased;
      const ours = await deliveries
        .find(
          {
            organizationId: { $in: [...new Set(found.map(({ organizationId }) => organizationId))] },
            _id: { $in: found.map(({ _id }) => _id) },
            lease,
          },
          { projection: { _id: 1 } },
        )
        .toArray();
      const ids = new Set(ours.map(({ _id }) => _id));
      return leased.filter(({ _id }) => ids.has(_id));
    },

    /** Prolongs leases that are still ours. */
    renew: async (taken: readonly DeliveryDocument[], until: Date): Promise<void> => {
      if (taken.length === 0) return;
      await deliveries.bulkWrite(
        taken.map(({ organizationId, _id, lease }) => ({
          updateOne: { filter: { organizationId, _id, lease: lease! }, update: { $set: { dueAt: until } } },
        })),
        { ordered: false },
      );
    },

    /** It has arrived, even when the lease was lost meanwhile. */
    markDelivered: ({ organizationId, _id }: DeliveryDocument, attempt: AttemptRecord): Promise<void> =>
      writeOutcome({
        updateOne: {
          filter: { organizationId, _id },
          update: {
            $set: { status: 'delivered' },
            $unset: NOT_PENDING,
            $inc: { tries: 1 },
            $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } },
          },
        },
      }),

    /** It has not; without `dueAt` for good. Left alone when the lease was lost. */
    markAttempted: (
      { organizationId, _id, lease }: DeliveryDocument,
      attempt: AttemptRecord,
      dueAt: Date | undefined,
    ): Promise<void> => {
      const logged = { $inc: { tries: 1 }, $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } } };
      const update: UpdateFilter<DeliveryDocument> = dueAt
        ? { ...logged, $set: { dueAt }, $unset: { lease: '' } }
        : { ...logged, $set: { status: 'failed' }, $unset: NOT_PENDING };
      return writeOutcome({ updateOne: { filter: { organizationId, _id, lease: lease! }, update } });
    },

    /** Gives up what an endpoint that was disabled has not had yet; it can be redelivered by hand. */
    failPending: async ({ organizationId, _id: endpointId }: EndpointRef): Promise<void> => {
      for (const pending of [{ queue: endpointId }, { dueAt: { $gt: new Date(0) }, endpointId }])
        await deliveries.updateMany(
          { organizationId, ...pending },
          { $set: { status: 'failed' }, $unset: NOT_PENDING },
        );
    },

    /** Due now, with the whole schedule before it again. */
    redeliver: ({ organizationId, _id }: DeliveryDocument): Promise<DeliveryDocument | null> =>
      model
        .findOneAndUpdate(
          { organizationId, _id },
          {
            $set: { status: 'pending' as const, dueAt: new Date(), tries: 0 },
            $unset: { lease: 1, queue: 1, queuedAt: 1 },
          },
          { returnDocument: 'after' },
        )
        .lean<DeliveryDocument>()
        .exec(),
  };
}

const NOT_PENDING = { dueAt: '', lease: '', queue: '', queuedAt: '' } as const;

/** Meets a delivery only while nobody has touched it since it was found. */
const asFound = ({ organizationId, _id, dueAt, queuedAt }: DeliveryDocument) =>
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
