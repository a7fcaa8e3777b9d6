import { Schema, type Connection } from 'mongoose';
import { batched } from '@invoicing/concurrency';

export type DisabledReason = 'operator' | 'gone' | 'failing';

export interface EndpointSecret {
  /** Sealed by the secret box. */
  readonly sealed: string;
  /** A rotated one is valid until then. */
  readonly validUntil?: Date;
}

export interface EndpointDocument {
  readonly _id: string;
  readonly organizationId: string;
  readonly url: string;
  /** Event types; empty: all. */
  readonly events: string[];
  readonly enabled: boolean;
  readonly disabledReason: DisabledReason | '';
  /** Newest first; at most two. */
  readonly secrets: EndpointSecret[];
  /** First failure since the last success. */
  readonly failingSince?: Date;
  /** When somebody last saw that its queue is not empty. */
  readonly behindAt?: Date;
  readonly createdAt: Date;
}

const schema = new Schema<EndpointDocument>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    url: { type: String, required: true },
    events: { type: [String], required: true },
    enabled: { type: Boolean, required: true },
    disabledReason: { type: String, default: '' },
    secrets: { type: [{ _id: false, sealed: { type: String, required: true }, validUntil: Date }], required: true },
    failingSince: Date,
    behindAt: Date,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
schema.index({ organizationId: 1, createdAt: -1 });
schema.index({ behindAt: 1 }, { sparse: true });

const LIST_LIMIT = 1_000;
const LOOKUP_BATCH = 64;

export type EndpointStore = Awaited<ReturnType<typeof openEndpointStore>>;

export async function openEndpointStore(connection: Connection) {
  const endpoints = connection.model<EndpointDocument>('Endpoint', schema, 'endpoints');
  await endpoints.createIndexes();
  // On the way of every event: past Mongoose, which would only copy.
  const collection = connection.collection<EndpointDocument>('endpoints');
  const enabledOf = batched({ limit: LOOKUP_BATCH }, async (ids: readonly string[]) => {
    const found = await collection.find({ organizationId: { $in: [...new Set(ids)] }, enabled: true }).toArray();
    const byOrganization = new Map<string, EndpointDocument[]>(ids.map((id) => [id, []]));
    for (const endpoint of found) byOrganization.get(endpoint.organizationId)!.push(endpoint);
    return ids.map((id) => byOrganization.get(id)!);
  });

  return {
    /** The endpoint with this id; `made` unless it is there already. */
    ensure: ({ _id, ...made }: EndpointDocument): Promise<EndpointDocument> =>
      endpoints
        .findOneAndUpdate({ _id }, { $setOnInsert: made }, { upsert: true, returnDocument: 'after' })
        .lean()
        .orFail()
        .exec(),

    find: (id: string): Promise<EndpointDocument | null> => endpoints.findById(id).lean().exec(),

    findMany: (ids: readonly string[]): Promise<EndpointDocument[]> =>
      endpoints
        .find({ _id: { $in: [...ids] } })
        .lean()
        .exec(),

    list: (organizationId: string | undefined): Promise<EndpointDocument[]> =>
      endpoints
        .find(organizationId === undefined ? {} : { organizationId })
        .sort({ createdAt: -1, _id: -1 })
        .limit(LIST_LIMIT)
        .lean()
        .exec(),

    /** Enabled endpoints of an organisation that want this type of event. */
    subscribed: async (organizationId: string, eventType: string): Promise<EndpointDocument[]> => {
      const found = await enabledOf(organizationId);
      return found.filter(({ events }) => events.length === 0 || events.includes(eventType));
    },

    /** The first reason stays. */
    disable: async (id: string, reason: DisabledReason): Promise<EndpointDocument | null> => {
      await endpoints.updateOne({ _id: id, enabled: true }, { $set: { enabled: false, disabledReason: reason } });
      return endpoints.findById(id).lean().exec();
    },

    enable: (id: string): Promise<EndpointDocument | null> =>
      endpoints
        .findOneAndUpdate(
          { _id: id },
          { $set: { enabled: true, disabledReason: '' }, $unset: { failingSince: 1 } },
          { returnDocument: 'after' },
        )
        .lean()
        .exec(),

    /** Null when the newest secret is no longer `newest`: another rotation came first. */
    replaceSecrets: (id: string, newest: string, secrets: EndpointSecret[]): Promise<EndpointDocument | null> =>
      endpoints
        .findOneAndUpdate({ _id: id, 'secrets.0.sealed': newest }, { $set: { secrets } }, { returnDocument: 'after' })
        .lean()
        .exec(),

    /** Endpoints whose queues are to be looked at. */
    behind: (): Promise<EndpointDocument[]> =>
      endpoints
        .find({ behindAt: { $gt: new Date(0) } })
        .limit(LIST_LIMIT)
        .lean()
        .exec(),

    /** To be called before something is queued, so that a queue is never forgotten. */
    markBehind: async (id: string): Promise<void> => {
      await endpoints.updateOne({ _id: id }, { $set: { behindAt: new Date() } });
    },

    /** Its queue was found empty; nothing changes when somebody has queued meanwhile. */
    markCaughtUp: async (id: string, behindAt: Date): Promise<void> => {
      await endpoints.updateOne({ _id: id, behindAt }, { $unset: { behindAt: 1 } });
    },

    markFailing: async (id: string, since: Date): Promise<void> => {
      await endpoints.updateOne({ _id: id, failingSince: { $exists: false } }, { $set: { failingSince: since } });
    },

    markWorking: async (id: string): Promise<void> => {
      await endpoints.updateOne({ _id: id }, { $unset: { failingSince: 1 } });
    },
  };
}
