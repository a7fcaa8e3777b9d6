import { batched } from '@invoicing/concurrency';
import {
  NEWEST_FIRST,
  declareCollection,
  embedded,
  inOrganization,
  insertOrFind,
  nativeCollection,
  newest,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';

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

export type EndpointRef = Pick<EndpointDocument, 'organizationId' | '_id'>;

export const endpointCollection = declareCollection<EndpointDocument>('endpoints', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    url: required(String),
    events: required([String]),
    enabled: required(Boolean),
    disabledReason: required(String),
    secrets: required([embedded<EndpointSecret>({ sealed: required(String), validUntil: Date })]),
    failingSince: Date,
    behindAt: Date,
    createdAt: required(Date),
  },
  indexes: [[{ organizationId: 1, ...NEWEST_FIRST }], [{ behindAt: 1 }, { sparse: true }]],
});

const LIST_LIMIT = 1_000;
const LOOKUP_BATCH = 64;

export type EndpointStore = Awaited<ReturnType<typeof openEndpointStore>>;

export async function openEndpointStore(connection: Connection) {
  const endpoints = await openCollection(connection, endpointCollection);
  // On the way of every event: past the model.
  const collection = nativeCollection(endpoints);
  const enabledOf = batched({ limit: LOOKUP_BATCH }, async (ids: readonly string[]) => {
    const found = await collection.find({ organizationId: { $in: [...new Set(ids)] }, enabled: true }).toArray();
    const byOrganization = new Map<string, EndpointDocument[]>(ids.map((id) => [id, []]));
    for (const endpoint of found) byOrganization.get(endpoint.organizationId)!.push(endpoint);
    return ids.map((id) => byOrganization.get(id)!);
  });

  return {
    /** The endpoint with this id; `made` unless it is there already. */
    ensure: (made: EndpointDocument): Promise<EndpointDocument> => insertOrFind(endpoints, made),

    /** Operators name an endpoint by its id alone. */
    find: (organizationId: string | undefined, id: string): Promise<EndpointDocument | null> =>
      endpoints
        .findOne({ ...inOrganization(organizationId), _id: id })
        .lean<EndpointDocument>()
        .exec(),

    findMany: (those: readonly EndpointRef[]): Promise<EndpointDocument[]> =>
      collection
        .find({
          organizationId: { $in: [...new Set(those.map((each) => each.organizationId))] },
          _id: { $in: [...new Set(those.map(({ _id }) => _id))] },
        })
        .toArray(),

    list: (organizationId: string | undefined): Promise<EndpointDocument[]> =>
      newest(endpoints, inOrganization(organizationId), { limit: LIST_LIMIT }),

    /** Enabled endpoints of an organisation that want this type of event. */
    subscribed: async (organizationId: string, eventType: string): Promise<EndpointDocument[]> => {
      const found = await enabledOf(organizationId);
      return found.filter(({ events }) => events.length === 0 || events.includes(eventType));
    },

    /** The first reason stays. */
    disable: async ({ organizationId, _id }: EndpointRef, reason: DisabledReason): Promise<EndpointDocument | null> => {
      const change = { $set: { enabled: false, disabledReason: reason } };
      await endpoints.updateOne({ organizationId, _id, enabled: true }, change);
      return endpoints.findOne({ organizationId, _id }).lean<EndpointDocument>().exec();
    },

    enable: ({ organizationId, _id }: EndpointRef): Promise<EndpointDocument | null> =>
      endpoints
        .findOneAndUpdate(
          { organizationId, _id },
          { $set: { enabled: true, disabledReason: '' as const }, $unset: { failingSince: 1 } },
          { returnDocument: 'after' },
        )
        .lean<EndpointDocument>()
        .exec(),

    /** Null when the newest secret is no longer `newest`: another rotation came first. */
    replaceSecrets: (
      { organizationId, _id }: EndpointRef,
      newestSecret: string,
      secrets: EndpointSecret[],
    ): Promise<EndpointDocument | null> =>
      endpoints
        .findOneAndUpdate(
          { organizationId, _id, 'secrets.0.sealed': newestSecret },
          { $set: { secrets } },
          { returnDocument: 'after' },
        )
        .lean<EndpointDocument>()
        .exec(),

    /** Endpoints whose queues are to be looked at. */
    behind: (): Promise<EndpointDocument[]> =>
      collection
        .find({ behindAt: { $gt: new Date(0) } })
        .limit(LIST_LIMIT)
        .toArray(),

    /** To be called before something is queued, so that a queue is never forgotten. */
    markBehind: async ({ organizationId, _id }: EndpointRef): Promise<void> => {
      await collection.updateOne({ organizationId, _id }, { $set: { behindAt: new Date() } });
    },

    /** Its queue was found empty; nothing changes when somebody has queued meanwhile. */
    markCaughtUp: async ({ organizationId, _id }: EndpointRef, behindAt: Date): Promise<void> => {
      await collection.updateOne({ organizationId, _id, behindAt }, { $unset: { behindAt: 1 } });
    },

    markFailing: async ({ organizationId, _id }: EndpointRef, since: Date): Promise<void> => {
      const seen = { organizationId, _id, failingSince: { $exists: false } };
      await collection.updateOne(seen, { $set: { failingSince: since } });
    },

    markWorking: async ({ organizationId, _id }: EndpointRef): Promise<void> => {
      await collection.updateOne({ organizationId, _id }, { $unset: { failingSince: 1 } });
    },
  };
}
