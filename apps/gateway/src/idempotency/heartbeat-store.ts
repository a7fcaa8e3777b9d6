import { declareCollection, openCollection, required, type Connection } from '@invoicing/mongo';

/** A gateway process that runs something for longer than its claim vouches for. */
interface Heartbeat {
  /** The process. */
  readonly _id: string;
  readonly aliveUntil: Date;
}

const heartbeatCollection = declareCollection<Heartbeat>('heartbeats', {
  shardKey: { _id: 'hashed' },
  fields: { aliveUntil: required(Date) },
  indexes: [[{ aliveUntil: 1 }, { expireAfterSeconds: 3_600 }]],
});

const BEAT_MS = 2_000;
const ALIVE_MS = 6_000;

/** Heartbeats of this process, and what is known of the others. */
export interface Heartbeats {
  /** From now until as many `release`s, or until the lease ends, this process says that it is alive. */
  hold: (id: string, leaseUntil: Date) => void;
  release: (id: string) => void;
  /** Whether this process works on it. */
  holds: (id: string) => boolean;
  /** How long another process is taken to be alive; null: it has said nothing. */
  aliveUntil: (owner: string) => Promise<Date | null>;
  close: () => void;
}

/** A process at rest, or with short calls only, writes nothing: the first sign comes after two seconds of the same call. */
export async function openHeartbeats(
  connection: Connection,
  owner: string,
  onError: (error: unknown) => void,
): Promise<Heartbeats> {
  const heartbeats = await openCollection(connection, heartbeatCollection);
  const held = new Map<string, { readonly until: number; readonly times: number }>();
  let timer: NodeJS.Timeout | undefined;

  const beat = (): void => {
    const now = Date.now();
    for (const [id, { until }] of held) if (until <= now) held.delete(id);
    if (held.size === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    heartbeats
      .updateOne({ _id: owner }, { $set: { aliveUntil: new Date(now + ALIVE_MS) } }, { upsert: true })
      .exec()
      .catch(onError);
  };
  return {
    hold: (id, leaseUntil) => {
      held.set(id, { until: leaseUntil.getTime(), times: (held.get(id)?.times ?? 0) + 1 });
      timer ??= setInterval(beat, BEAT_MS).unref();
    },
    release: (id) => {
      const { until, times } = held.get(id) ?? { until: 0, times: 0 };
      if (times > 1) held.set(id, { until, times: times - 1 });
      else held.delete(id);
    },
    holds: (id) => held.has(id),
    aliveUntil: async (other) =>
      (await heartbeats.findOne({ _id: other }).lean<Heartbeat>().exec())?.aliveUntil ?? null,
    close: () => clearInterval(timer),
  };
}
