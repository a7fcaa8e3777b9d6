import {
  declareCollection,
  joinedInserts,
  nativeCollection,
  openCollection,
  required,
  type Connection,
} from '@invoicing/mongo';
import { keptMs } from '@invoicing/rules';

/** An event of a test organisation, as webhooks carry it. */
export interface TestEvent {
  readonly _id: string;
  readonly organizationId: string;
  readonly type: string;
  readonly body: string;
  readonly createdAt: Date;
}

const testEventCollection = declareCollection<TestEvent>('test_events', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    type: required(String),
    body: required(String),
    createdAt: required(Date),
  },
  indexes: [
    [{ organizationId: 1, createdAt: 1 }],
    [{ createdAt: 1 }, { expireAfterSeconds: keptMs('testEvents') / 1_000 }],
  ],
});

const LIST_LIMIT = 100;

export type TestEventStore = Awaited<ReturnType<typeof openTestEvents>>;

/** What happened in test organisations within the last day. */
export async function openTestEvents(connection: Connection) {
  const model = await openCollection(connection, testEventCollection);
  // Of every event: past the model.
  const insert = joinedInserts(nativeCollection(model));
  return {
    add: async (event: Omit<TestEvent, 'createdAt'>): Promise<void> =>
      void (await insert({ ...event, createdAt: new Date() })),
    since: (organizationId: string, since: Date): Promise<TestEvent[]> =>
      model
        .find({ organizationId, createdAt: { $gte: since } })
        .sort({ createdAt: 1 })
        .limit(LIST_LIMIT)
        .lean<TestEvent[]>()
        .exec(),
  };
}
