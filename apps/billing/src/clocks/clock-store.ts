import { declareCollection, openCollection, required, type Ahead, type Connection } from '@invoicing/mongo';
import type { Clock } from './clock';

export const clockCollection = declareCollection<Clock>('clocks', {
  shardKey: { _id: 'hashed' },
  fields: { aheadMs: required(Number), operationId: String },
  indexes: [],
});

/** The clocks of test organisations that run ahead. */
export interface Clocks {
  readonly read: () => Promise<Ahead>;
  readonly find: (organizationId: string) => Promise<Clock | null>;
  readonly set: (clock: Clock) => Promise<void>;
  readonly clear: (organizationId: string) => Promise<void>;
}

/** One document an organisation whose clock runs ahead. */
export async function mongoClocks(connection: Connection): Promise<Clocks> {
  const clocks = await openCollection(connection, clockCollection);
  return {
    read: async () => {
      const found = await clocks.find().lean<Clock[]>().exec();
      return new Map(found.map(({ _id, aheadMs }) => [_id, aheadMs]));
    },
    find: (_id) => clocks.findOne({ _id }).lean<Clock>().exec(),
    set: async ({ _id, ...moved }) => void (await clocks.updateOne({ _id }, { $set: moved }, { upsert: true })),
    clear: async (_id) => void (await clocks.deleteOne({ _id })),
  };
}
