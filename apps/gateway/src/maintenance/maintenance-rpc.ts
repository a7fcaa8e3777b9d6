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

// Every replica follows within 2 s.
const POLL_MS = 750;

/** The operator's switch, kept in the store and followed by every replica. While the store does not answer the last known state applies. */
export async function openMaintenance(connection: Connection, onError: (error: unknown) => void) {
  const settings = await openCollection(connection, settingCollection);
  const read = async (): Promise<boolean> => (await settings.findOne({ _id: ID }).lean<Switch>().exec())?.on ?? false;
  let on = await read();
  let closed = false;
  let timer: NodeJS.Timeout;
  const follow = async (): Promise<void> => {
    try {
      on = await read();
    } catch (error) {
      onError(error);
    }
    if (!closed) timer = setTimeout(() => void follow(), POLL_MS).unref();
  };
  timer = setTimeout(() => void follow(), POLL_MS).unref();

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
    isOn: (): boolean => on,
    close: (): void => {
      closed = true;
      clearTimeout(timer);
    },
  };
}
