import { batched } from '@invoicing/concurrency';
import {
  NEWEST_FIRST,
  declareCollection,
  embedded,
  inOrganization,
  nativeCollection,
  newest,
  openCollection,
  openHistory,
  pendingChangeIndex,
  recordedFields,
  required,
  type Change,
  type Connection,
  type History,
  type Model,
  type QueryFilter,
  type Recorded,
  type UpdateQuery,
} from '@invoicing/mongo';
import type { Actor } from '@invoicing/rules';
import { wants, type DisabledReason, type Endpoint, type EndpointRef, type EndpointSecret } from './endpoint';

const endpointCollection = declareCollection<Endpoint & Recorded>('endpoints', {
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
    ...recordedFields,
  },
  indexes: [[{ organizationId: 1, ...NEWEST_FIRST }], pendingChangeIndex],
});

type EndpointAction = 'created' | 'updated' | 'disabled' | 'enabled' | 'secret_rotated';

const told = ({ _id, url }: Pick<Endpoint, '_id' | 'url'>, action: EndpointAction, by: Actor): Change => ({
  by,
  action: `webhook.${action}`,
  subject: { kind: 'webhook', id: _id, label: url },
  fields: [],
});

const LIST_LIMIT = 1_000;
const LOOKUP_BATCH = 64;

export type EndpointStore = Awaited<ReturnType<typeof openEndpointStore>>;

/** The organisations' endpoints. */
export async function openEndpointStore(connection: Connection) {
  const model = await openCollection(connection, endpointCollection);
  const history = await openHistory(connection, [model]);
  // On the way of every event: past the model.
  const native = nativeCollection(model);
  const endpointsOf = batched({ limit: LOOKUP_BATCH }, async (ids: readonly string[]) => {
    const found = await native.find({ organizationId: { $in: [...new Set(ids)] } }).toArray();
    const byOrganization = new Map<string, Endpoint[]>(ids.map((id) => [id, []]));
    for (const endpoint of found) byOrganization.get(endpoint.organizationId)!.push(endpoint);
    return ids.map((id) => byOrganization.get(id)!);
  });
  return {
    model,
    ...changesBy(model, history),

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

    /** The first reason stays. */
    disable: async ({ organizationId, _id }: EndpointRef, reason: DisabledReason): Promise<Endpoint | null> => {
      const change = { $set: { enabled: false, disabledReason: reason } };
      await model.updateOne({ organizationId, _id, enabled: true }, change);
      return model.findOne({ organizationId, _id }).lean<Endpoint>().exec();
    },

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

/** What somebody changes, each with its place in the organisation's history. */
function changesBy(model: Model<Endpoint & Recorded>, history: History) {
  /** Changes it for somebody; null when it is gone, or no longer what `only` says. */
  const update = async (
    { organizationId, _id }: EndpointRef,
    change: Pick<UpdateQuery<Endpoint & Recorded>, '$set' | '$unset'>,
    action: EndpointAction,
    by: Actor,
    only: QueryFilter<Endpoint & Recorded> = {},
  ): Promise<Endpoint | null> => {
    for (;;) {
      const seen = await model
        .findOne({ organizationId, _id, ...only })
        .lean<Endpoint & Recorded>()
        .exec();
      if (!seen) return null;
      const changed = await history.tryChange(model, seen, { ...told(seen, action, by), update: change, only });
      if (changed) return changed;
    }
  };

  return {
    /** The endpoint with this id; `made` unless it is there already. */
    ensure: (made: Endpoint, by: Actor): Promise<Endpoint> =>
      history.insert<Endpoint & Recorded>(model, made, told(made, 'created', by)),

    /** It gets these types from now on. */
    want: (endpoint: EndpointRef, events: string[], by: Actor): Promise<Endpoint | null> =>
      update(endpoint, { $set: { events } }, 'updated', by),

    /** An operator, or the organisation itself, disables it. */
    switchOff: async (endpoint: EndpointRef, by: Actor): Promise<Endpoint | null> => {
      const $set = { enabled: false, disabledReason: 'operator' as const };
      const { organizationId, _id } = endpoint;
      const changed = await update(endpoint, { $set }, 'disabled', by, { enabled: true });
      return changed ?? model.findOne({ organizationId, _id }).lean<Endpoint>().exec();
    },

    enable: (endpoint: EndpointRef, by: Actor): Promise<Endpoint | null> =>
      update(endpoint, { $set: { enabled: true, disabledReason: '' }, $unset: { failingSince: 1 } }, 'enabled', by),

    /** Null when the newest secret is no longer that of `endpoint`: another rotation came first. */
    replaceSecrets: (endpoint: Endpoint, secrets: EndpointSecret[], by: Actor) => {
      const newest = { 'secrets.0.sealed': endpoint.secrets[0]!.sealed };
      return update(endpoint, { $set: { secrets } }, 'secret_rotated', by, newest);
    },
  };
}
