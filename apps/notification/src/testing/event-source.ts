import { randomUUID } from 'node:crypto';
import { connectMongo, isDuplicateKey, type Collection, type Document } from '@invoicing/mongo';
import { connectEvents, outboxEntry, outboxIndex, startOutboxRelay } from '@invoicing/events';
import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';

const COMMIT_MS = 60_000;

interface Source extends Document {
  _id: string;
  organizationId: string;
}

export interface EventSource {
  /** Commits a document that carries the event, trying until the store has acknowledged it; a minute at most. */
  commit: (event: Event) => Promise<void>;
  pending: () => Promise<number>;
  close: () => Promise<void>;
}

/** What billing does with its events: the outbox in the document, and the relay. */
export async function startEventSource(options: {
  mongoUri: string;
  natsUrl: string;
  resendMs?: number;
}): Promise<EventSource> {
  const connection = await connectMongo({ uri: options.mongoUri, database: 'source' });
  const collection = connection.collection<Source>('sources');
  await collection.createIndex(...outboxIndex);
  const nats = await connectEvents({ url: options.natsUrl, name: 'source' });
  const relay = startOutboxRelay({
    connection: nats,
    source: 'billing',
    collections: [collection as unknown as Collection],
    onError: () => undefined,
    ...(options.resendMs && { resendMs: options.resendMs }),
  });
  return {
    commit: async (event) => {
      const document = { _id: randomUUID(), organizationId: event.organizationId, outbox: [outboxEntry(event)] };
      for (const deadline = Date.now() + COMMIT_MS; ;) {
        try {
          await collection.insertOne(document, { timeoutMS: COMMIT_MS });
          break;
        } catch (error) {
          if (isDuplicateKey(error)) break;
          if (Date.now() > deadline) throw error;
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
      }
      relay.wake();
    },
    pending: () => collection.countDocuments({ 'outbox.dueAt': { $gt: new Date(0) } }),
    close: async () => {
      await relay.close();
      await nats.close();
      await connection.close();
    },
  };
}
