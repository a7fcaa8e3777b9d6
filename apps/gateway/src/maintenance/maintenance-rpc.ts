import { setTimeout } from 'node:timers/promises';
import { declareCollection, openCollection, required, type Connection } from '@invoicing/mongo';
import { MaintenanceService } from '@invoicing/contracts/invoicing/gateway/v1/keys';
import { bindService, type BoundService } from '@invoicing/rpc';

interface Switch {
  readonly _id: string;
  readonly on: boolean;
}

const ID = 'maintenance';
const settingCollection = declareCollection<Switch>('settings', {
  shardKey: 'one shard',
  fields: { on: required(Boolean) },
  indexes: [],
});

// Every replica follows within 2 s. A request that comes later than this after the last look makes the next one.
const FRESH_MS = 1_000;
// No request waits longer for it: a store that does not answer has other ways to say so.
const WAIT_MS = 250;

/** The operator's switch, kept in the store, where every replica looks while it has requests. While the store does not answer the last known state applies. */
export async function openMaintenance(connection: Connection, onError: (error: unknown) => void) {
  const settings = await openCollection(connection, settingCollection);
  const read = async (): Promise<boolean> => (await settings.findOne({ _id: ID }).lean<Switch>().exec())?.on ?? false;
  let on = await read();
  let lookedAt = Date.now();
  let looking: Promise<void> | undefined;
  const look = async (): Promise<void> => {
    try {
      on = await read();
      lookedAt = Date.now();
    } catch (error) {
      onError(error);
    } finally {
      looking = undefined;
    }
  };

  const service: BoundService = bindService(
    MaintenanceService,
    {
      setMaintenance: async (request) => {
        await settings.updateOne({ _id: ID }, { $set: { on: request.on } }, { upsert: true });
        on = request.on;
        return { on };
      },
      getMaintenance: async () => ({ on: await read() }),
    },
    { setMaintenance: { callers: ['admin'] }, getMaintenance: { callers: ['admin'] } },
  );
  return {
    service,
    /** At once, but for the first request after a while. */
    isOn: (): boolean | Promise<boolean> => {
      if (Date.now() - lookedAt < FRESH_MS) return on;
      looking ??= look();
      return Promise.race([looking, setTimeout(WAIT_MS, undefined, { ref: false })]).then(() => on);
    },
  };
}
