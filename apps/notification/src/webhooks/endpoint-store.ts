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
import { wants, type DisabledReason, type Endpoint, type EndpointRef, type EndpointSecret } from './endpoint';

const endpointCollection = declareCollection<Endpoint>('endpoints', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    url: required(String),
    events: required([String]),
    enabled: required(Boolean),
    disabledReason: required(String),
    secrets: required([embedded<EndpointSecret>({ sealed: required(String), validUntil: Date })]),
    failingSince: Date,
    createdAt: required(Date),
  },
  indexes: [[{ organizationId: 1, ...NEWEST_FIRST }]],
});

const LIST_LIMIT = 1_000;
const LOOKUP_BATCH = 64;

export type EndpointStore = Awaited<ReturnType<typeof openEndpointStore>>;

/** The organisations' endpoints. */
export async function openEndpointStore(connection: Connection) {
  const model = await openCollection(connection, endpointCollection);
  // On the way of every event: past the model.
  const native = nativeCollection(model);
  const endpointsOf = batched({ limit: LOOKUP_BATCH }, async (ids: readonly string[]) => {
    const found = await native.find({ organizationId: { $in: [...new Set(ids)] } }).toArray();
    const byOrganization = new Map<string, Endpoint[]>(ids.map((id) => [id, []]));
    for (const endpoint of found) byOrganization.get(endpoint.organizationId)!.push(endpoint);
    return ids.map((id) => byOrganization.get(id)!);
  });
  const update = async (filter: object, change: object): Promise<Endpoint | null> =>
    model.findOneAndUpdate(filter, change, { returnDocument: 'after' }).lean<Endpoint>().exec();

  return {
    /** The endpoint with this id; `made` unless it is there already. */
    ensure: (made: Endpoint): Promise<Endpoint> => insertOrFind(model, made),

    /** Operators name an endpoint by its id alone. */
    find: (organizationId: string | undefined, id: string): Promise<Endpoint | null> =>
      model
        .findOne({ ...inOrganization(organizationId), _id: id })
        .lean<Endpoint>()
        .exec(),

    findMany: (those: readonly EndpointRef[]): Promise<Endpoint[]> =>
      native
        .find({
          organizationId: { $in: [...new Set(those.map((each) => each.organizationId))] },
          _id: { $in: [...new Set(those.map(({ _id }) => _id))] },
        })
        .toArray(),

    list: (organizationId: string | undefined): Promise<Endpoint[]> =>
      newest(model, inOrganization(organizationId), { limit: LIST_LIMIT }),

    /** Endpoints of an organisation that want this type of event, disabled ones too. */
    subscribed: async (organizationId: string, eventType: string): Promise<Endpoint[]> =>
      (await endpointsOf(organizationId)).filter((endpoint) => wants(endpoint, eventType)),

    /** It gets these types from now on. */
    want: ({ organizationId, _id }: EndpointRef, events: string[]): Promise<Endpoint | null> =>
      update({ organizationId, _id }, { $set: { events } }),

    /** The first reason stays. */
    disable: async ({ organizationId, _id }: EndpointRef, reason: DisabledReason): Promise<Endpoint | null> => {
      const change = { $set: { enabled: false, disabledReason: reason } };
      await model.updateOne({ organizationId, _id, enabled: true }, change);
      return model.findOne({ organizationId, _id }).lean<Endpoint>().exec();
    },

    enable: ({ organizationId, _id }: EndpointRef): Promise<Endpoint | null> =>
      update({ organizationId, _id }, { $set: { enabled: true, disabledReason: '' }, $unset: { failingSince: 1 } }),

    /** Null when the newest secret is no longer that of `endpoint`: another rotation came first. */
    replaceSecrets: ({ organizationId, _id, secrets: [newestSecret] }: Endpoint, secrets: EndpointSecret[]) =>
      update({ organizationId, _id, 'secrets.0.sealed': newestSecret!.sealed }, { $set: { secrets } }),

    markFailing: async ({ organizationId, _id }: EndpointRef, since: Date): Promise<void> => {
      await native.updateOne(
        { organizationId, _id, failingSince: { $exists: false } },
        { $set: { failingSince: since } },
      );
    },

    markWorking: async ({ organizationId, _id }: EndpointRef): Promise<void> => {
      await native.updateOne({ organizationId, _id }, { $unset: { failingSince: 1 } });
    },
  };
}
