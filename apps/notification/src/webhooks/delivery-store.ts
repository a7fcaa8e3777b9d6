import { randomUUID } from 'node:crypto';
import type { UpdateFilter } from 'mongodb';
import { Schema, type Connection } from 'mongoose';
import { batchWriter } from './batch-writer';
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
  /** While pending: when somebody may take it (again). */
  readonly dueAt?: Date;
  /** Who has taken it, until `dueAt`. */
  readonly lease?: string;
  readonly createdAt: Date;
  /** W3C trace of the event, which the attempts continue; only when it was traced. */
  readonly traceparent?: string;
}

const ATTEMPTS_KEPT = 50;

const attemptSchema = new Schema<AttemptRecord>(
  { at: Date, status: Number, error: String, durationMs: Number, excerpt: String },
  { _id: false },
);
const schema = new Schema<DeliveryDocument>(
  {
    _id: { type: String, required: true },
    eventId: { type: String, required: true },
    endpointId: { type: String, required: true },
    organizationId: { type: String, required: true },
    eventType: { type: String, required: true },
    body: { type: String, required: true },
    status: { type: String, required: true, enum: ['pending', 'delivered', 'failed'] },
    tries: { type: Number, required: true },
    attempts: { type: [attemptSchema], required: true },
    dueAt: Date,
    lease: String,
    traceparent: String,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
schema.index({ dueAt: 1, endpointId: 1 }, { sparse: true });
schema.index({ organizationId: 1, createdAt: -1 });
schema.index({ endpointId: 1, createdAt: -1 });

export type DeliveryStore = Awaited<ReturnType<typeof openDeliveryStore>>;

export async function openDeliveryStore(connection: Connection) {
  const model = connection.model<DeliveryDocument>('Delivery', schema, 'deliveries');
  await model.createIndexes();
  // The hot paths go past Mongoose: nothing to cast, and thousands a second.
  const deliveries = connection.collection<DeliveryDocument>('deliveries');
  const outcomes = batchWriter(deliveries);

  return {
    /** Inserts those that are not there yet, and answers their ids. */
    insertNew: async (made: readonly DeliveryDocument[]): Promise<Set<string>> => {
      const ids = new Set(made.map(({ _id }) => _id));
      if (made.length === 0) return ids;
      try {
        await deliveries.insertMany(made, { ordered: false });
      } catch (error) {
        for (const index of duplicatesOf(error)) ids.delete(made[index]!._id);
      }
      return ids;
    },

    find: (id: string): Promise<DeliveryDocument | null> => model.findById(id).lean().exec(),

    list: (
      filter: { organizationId: string; endpointId?: string | undefined },
      limit: number,
    ): Promise<DeliveryDocument[]> => {
      const { organizationId, endpointId } = filter;
      return model
        .find({ organizationId, ...(endpointId && { endpointId }) })
        .sort({ createdAt: -1, _id: -1 })
        .limit(limit)
        .lean()
        .exec();
    },

    /** What is due now, oldest first, of all endpoints but these. */
    due: (except: readonly string[], limit: number): Promise<DeliveryDocument[]> =>
      deliveries
        .find({
          dueAt: { $lte: new Date() },
          ...(except.length > 0 && { endpointId: { $nin: [...except] } }),
        })
        .sort({ dueAt: 1 })
        .limit(limit)
        .toArray(),

    /** Takes deliveries as they were found, and answers those that no other process took first. */
    claim: async (found: readonly DeliveryDocument[], until: Date): Promise<DeliveryDocument[]> => {
      if (found.length === 0) return [];
      const lease = randomUUID();
      const { matchedCount } = await deliveries.bulkWrite(
        found.map(({ _id, dueAt }) => ({
          updateOne: { filter: { _id, dueAt: dueAt! }, update: { $set: { dueAt: until, lease } } },
        })),
        { ordered: false },
      );
      const leased = found.map((each) => ({ ...each, dueAt: until, lease }));
      if (matchedCount === found.length) return leased;
      const ours = await deliveries
        .find({ _id: { $in: found.map(({ _id }) => _id) }, lease }, { projection: { _id: 1 } })
        .toArray();
      const ids = new Set(ours.map(({ _id }) => _id));
      return leased.filter(({ _id }) => ids.has(_id));
    },

    /** It has arrived, even when the lease was lost meanwhile. */
    markDelivered: ({ _id }: DeliveryDocument, attempt: AttemptRecord): Promise<void> =>
      outcomes.write({
        updateOne: {
          filter: { _id },
          update: {
            $set: { status: 'delivered' },
            $unset: { dueAt: '', lease: '' },
            $inc: { tries: 1 },
            $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } },
          },
        },
      }),

    /** It has not; without `dueAt` for good. Left alone when the lease was lost. */
    markAttempted: (
      { _id, lease }: DeliveryDocument,
      attempt: AttemptRecord,
      dueAt: Date | undefined,
    ): Promise<void> => {
      const logged = { $inc: { tries: 1 }, $push: { attempts: { $each: [attempt], $slice: -ATTEMPTS_KEPT } } };
      const update: UpdateFilter<DeliveryDocument> = dueAt
        ? { ...logged, $set: { dueAt }, $unset: { lease: '' } }
        : { ...logged, $set: { status: 'failed' }, $unset: { dueAt: '', lease: '' } };
      return outcomes.write({ updateOne: { filter: { _id, lease: lease! }, update } });
    },

    /** Gives up what an endpoint that was disabled has not had yet; it can be redelivered by hand. */
    failPending: async (endpointId: string): Promise<void> => {
      await deliveries.updateMany(
        { endpointId, status: 'pending' },
        { $set: { status: 'failed' }, $unset: { dueAt: '', lease: '' } },
      );
    },

    /** Due now, with the whole schedule before it again. */
    redeliver: (id: string): Promise<DeliveryDocument | null> =>
      model
        .findOneAndUpdate(
          { _id: id },
          { $set: { status: 'pending', dueAt: new Date(), tries: 0 }, $unset: { lease: 1 } },
          { returnDocument: 'after' },
        )
        .lean()
        .exec(),
  };
}

/** Places of the documents that were there already. Any other failure is thrown on. */
function duplicatesOf(error: unknown): number[] {
  const { writeErrors } = (error ?? {}) as {
    writeErrors?: { code: number; index: number }[] | { code: number; index: number };
  };
  const errors = writeErrors === undefined ? [] : [writeErrors].flat();
  if (errors.length === 0 || errors.some(({ code }) => code !== 11000)) throw error;
  return errors.map(({ index }) => index);
}
