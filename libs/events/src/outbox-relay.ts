import type { Collection, Document } from 'mongodb';
import { headers, type JetStreamClient, type NatsConnection } from 'nats';
import { startDueWorker, type DueWorker } from '@invoicing/mongo';
import { ensureStream } from './connect-events';
import { settledSubject, type OutboxEntry } from './outbox';

export interface OutboxRelayOptions {
  readonly connection: NatsConnection;
  /** Name of this service: billing or checkout. */
  readonly source: string;
  /** Collections whose documents carry an `outbox`. */
  readonly collections: readonly Collection<Document>[];
  readonly onError: (error: unknown) => void;
  /** After this an event that nobody settled is published again. */
  readonly resendMs?: number;
  readonly pollMs?: number;
}

const BATCH = 256;

/**
 * Publishes what documents carry, with `Nats-Msg-Id` = event id, until a consumer reports it settled. Runs in every replica:
 * a double publication has the same id. Even the loss of the whole broker loses nothing, because the store still holds the event.
 */
export function startOutboxRelay({
  connection,
  source,
  collections,
  onError,
  resendMs = 30_000,
  pollMs = 500,
}: OutboxRelayOptions): DueWorker {
  const jetstream = connection.jetstream();

  const settled = connection.subscribe(settledSubject(source), { queue: source });
  const settling = (async () => {
    for await (const message of settled) settle(message.string()).catch(onError);
  })();

  const worker = startDueWorker({
    pollMs,
    onError,
    round: async () => {
      let more = false;
      for (const collection of collections) if (await publishDue(collection)) more = true;
      return more;
    },
  });
  return {
    wake: worker.wake,
    close: async () => {
      await worker.close();
      settled.unsubscribe();
      await settling;
    },
  };

  async function publishDue(collection: Collection<Document>): Promise<boolean> {
    const now = new Date();
    const found = await collection
      .find({ 'outbox.dueAt': { $lte: now } }, { projection: { outbox: 1 }, limit: BATCH })
      .toArray();
    const due = found.flatMap((document) =>
      (document['outbox'] as OutboxEntry[])
        .filter((entry) => entry.dueAt <= now)
        .map((entry) => ({ _id: document._id, entry })),
    );
    if (due.length === 0) return false;
    await Promise.all(due.map(({ entry }) => publish(jetstream, entry)));
    const dueAt = new Date(Date.now() + resendMs);
    // One settled meanwhile is gone from the array, and the update meets nothing.
    await collection.bulkWrite(
      due.map(({ _id, entry }) => ({
        updateOne: { filter: { _id, 'outbox.id': entry.id }, update: { $set: { 'outbox.$.dueAt': dueAt } } },
      })),
      { ordered: false },
    );
    return found.length === BATCH;
  }

  async function publish(client: JetStreamClient, entry: OutboxEntry): Promise<void> {
    const header = headers();
    header.set('Nats-Msg-Id', entry.id);
    try {
      await client.publish(entry.subject, entry.body, { headers: header, timeout: 5_000 });
    } catch (error) {
      // The broker may have lost its folder: without the stream nobody answers.
      if ((error as { code?: string }).code === '503') await ensureStream(await connection.jetstreamManager());
      throw error;
    }
  }

  async function settle(id: string): Promise<void> {
    for (const collection of collections) {
      const { matchedCount } = await collection.updateOne({ 'outbox.id': id }, {
        $pull: { outbox: { id } },
      } as Document);
      if (matchedCount > 0) return;
    }
  }
}
