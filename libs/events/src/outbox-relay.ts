import type { JetStreamClient, NatsConnection } from 'nats';
import { gathered } from '@invoicing/concurrency';
import { IDLE_MS, startDueWorker, type Collection, type Document } from '@invoicing/mongo';
import { RESEND_MS, ensureStream } from './connect-events';
import { watchBacklog } from './outbox-backlog';
import type { OutboxEntry } from './outbox';
import { eventHeaders, settleEvents } from './settled';

/** What is relayed, and how often. */
export interface OutboxRelayOptions {
  readonly connection: NatsConnection;
  /** Name of this service: billing or checkout. */
  readonly source: string;
  /** Collections whose documents carry an `outbox`. Their `_id` and `organizationId` are texts without spaces. */
  readonly collections: readonly Collection[];
  readonly onError: (error: unknown) => void;
  /** After this an event that nobody settled is published again. */
  readonly resendMs?: number;
  readonly pollMs?: number;
}

/** Publishes the events of documents. */
export interface OutboxRelay {
  /** An event was written, in this collection when one is named; publish it soon. */
  readonly wake: (collection?: string) => void;
  /** Waits for the running round. */
  readonly close: () => Promise<void>;
}

const BATCH = 256;
const SETTLED_WITHIN_MS = 250;
const PUBLISH_TIMEOUT_MS = 2_000;
const REFUSED_RETRY_MS = 5_000;

/**
 * Publishes what documents carry, with `Nats-Msg-Id` = event id, until a consumer reports it settled. Runs in every replica:
 * a double publication has the same id. Even the loss of the whole broker loses nothing, because the store still holds the event.
 */
export function startOutboxRelay({
  connection,
  source,
  collections,
  onError,
  resendMs = RESEND_MS,
  pollMs = 500,
}: OutboxRelayOptions): OutboxRelay {
  const jetstream = connection.jetstream();
  const unwatch = watchBacklog(source, collections);
  const sent = sentEvents(onError);
  const settling = settleEvents({ connection, source, collections, onWritten: sent.forget, onError });
  const { wrote, toLookAt } = attention(collections);
  const worker = startDueWorker({
    pollMs,
    onError,
    round: async () => {
      let isMore = false;
      for (const collection of toLookAt()) if (await publishDue(collection)) isMore = true;
      return isMore;
    },
  });
  return {
    wake: (collection) => {
      if (collection !== undefined) wrote(collection);
      worker.wake();
    },
    close: async () => {
      unwatch();
      await worker.close();
      await settling.close();
      await sent.flush();
    },
  };

  async function publishDue(collection: Collection): Promise<boolean> {
    const { entries, isMore } = await dueEntries(collection);
    const due = entries.filter(({ entry }) => !sent.has(entry.id));
    const failures: unknown[] = [];
    const published = await Promise.all(
      due.map(({ _id, organizationId, entry }) =>
        publish(
          jetstream,
          { collection: collection.collectionName, organizationId, documentId: String(_id) },
          entry,
        ).then(
          () => true,
          (error: unknown) => (failures.push(error), false),
        ),
      ),
    );
    // Nothing was published: the broker does not answer or has lost its folder. What is due stays due.
    if (due.length > 0 && failures.length === due.length) {
      if (isStreamGone(failures[0])) await ensureStream(await connection.jetstreamManager());
      throw failures[0];
    }
    failures.forEach(onError);
    for (const [index, { _id, organizationId, entry }] of due.entries()) {
      const dueAt = new Date(Date.now() + (published[index] ? resendMs : REFUSED_RETRY_MS));
      sent.add({ collection, organizationId, _id, id: entry.id, dueAt });
    }
    // They are in the way of the others; where that cannot be written, the next poll is soon enough.
    return isMore && sent.flush();
  }
}

/** An event that was published, or refused, and when it is due again. */
interface SentEvent {
  readonly collection: Collection;
  readonly organizationId: string;
  /** Of its document. */
  readonly _id: Document['_id'];
  readonly id: string;
  readonly dueAt: Date;
}

/** Most events are settled a moment after they were published: only what is not settled by then is written to be due again later. */
function sentEvents(onError: (error: unknown) => void) {
  const unwritten = new Set<string>();
  let isWriting = true;
  const forget = (ids: readonly string[]): void => ids.forEach((id) => unwritten.delete(id));
  const postponing = gathered({ waitMs: SETTLED_WITHIN_MS, limit: BATCH }, async (events: readonly SentEvent[]) => {
    const open = events.filter(({ id }) => unwritten.has(id));
    for (const collection of new Set(open.map((each) => each.collection))) {
      // One settled meanwhile is gone from the array, and the update meets nothing.
      const operations = open
        .filter((each) => each.collection === collection)
        .map(({ organizationId, _id, id, dueAt }) => ({
          updateOne: {
            filter: { organizationId, _id, 'outbox.id': id },
            update: { $set: { 'outbox.$.dueAt': dueAt } },
          },
        }));
      // What is not written is published again, under the same id.
      isWriting = await collection.bulkWrite(operations, { ordered: false }).then(
        () => true,
        (error: unknown) => (onError(error), false),
      );
    }
    forget(open.map(({ id }) => id));
  });
  return {
    /** Sent by this process, and in the store still due. */
    has: (id: string): boolean => unwritten.has(id),
    add: (event: SentEvent): void => {
      unwritten.add(event.id);
      postponing.add(event);
    },
    forget,
    /** Writes what is not written yet; false when the last of it was not. */
    flush: async (): Promise<boolean> => {
      await postponing.flush();
      return isWriting;
    },
  };
}

/** Where the next round looks: where something was just written; everywhere when that is nowhere, and every few seconds. */
function attention(collections: readonly Collection[]) {
  const written = new Set<string>();
  let everywhereAt = 0;
  return {
    wrote: (collection: string): void => void written.add(collection),
    toLookAt: (): readonly Collection[] => {
      const names = new Set(written);
      written.clear();
      if (names.size > 0 && Date.now() - everywhereAt <= IDLE_MS)
        return collections.filter(({ collectionName }) => names.has(collectionName));
      everywhereAt = Date.now();
      return collections;
    },
  };
}

/** "No responders": without the stream nobody answers a publication. */
const isStreamGone = (error: unknown): boolean => (error as { code?: string } | undefined)?.code === '503';

/** Up to BATCH documents with events that are due, one row for each event. */
async function dueEntries(collection: Collection) {
  const now = new Date();
  const found = await collection
    .find({ 'outbox.dueAt': { $lte: now } }, { projection: { organizationId: 1, outbox: 1 }, limit: BATCH })
    .toArray();
  const entries = found.flatMap((document) =>
    (document['outbox'] as OutboxEntry[])
      .filter((entry) => entry.dueAt <= now)
      .map((entry) => ({ _id: document._id, organizationId: document['organizationId'] as string, entry })),
  );
  return { entries, isMore: found.length === BATCH };
}

async function publish(
  jetstream: JetStreamClient,
  of: Parameters<typeof eventHeaders>[1],
  entry: OutboxEntry,
): Promise<void> {
  await jetstream.publish(entry.subject, entry.body, {
    headers: eventHeaders(entry, of),
    timeout: PUBLISH_TIMEOUT_MS,
  });
}
