import { headers, type MsgHdrs, type NatsConnection } from 'nats';
import { gathered } from '@invoicing/concurrency';
import type { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import { type Collection, type Document } from '@invoicing/mongo';
import { settledSubject, type OutboxEntry } from './outbox';

/** Header of a published event: where its source keeps it. The consumer sends it back, so that no index is needed to find it. */
const DOCUMENT = 'Outbox-Document';

// Nobody waits for it.
const GATHERING = { waitMs: 100, limit: 1_000 };

/** Headers of a published event. */
export function eventHeaders(
  entry: OutboxEntry,
  of: { readonly collection: string; readonly organizationId: string; readonly documentId: string },
): MsgHdrs {
  const made = headers();
  made.set('Nats-Msg-Id', entry.id);
  made.set(DOCUMENT, `${of.collection} ${of.organizationId} ${of.documentId}`);
  if (entry.traceparent) made.set('traceparent', entry.traceparent);
  return made;
}

/** Tells the source that the event is dealt with for good. Best effort: a report that gets lost is made again after the resend. */
export function reportSettled(connection: NatsConnection, event: Event, published: MsgHdrs | undefined): void {
  const report = headers();
  report.set(DOCUMENT, published?.get(DOCUMENT) ?? '');
  connection.publish(settledSubject(event.source), event.id, { headers: report });
}

interface SettledReport {
  readonly collection: string;
  readonly organizationId: string;
  readonly documentId: string;
  readonly id: string;
}

/** Takes settled events out of their documents, those of a moment in one write. `onWritten` is told their ids, whatever came of it. */
export function settleEvents(options: {
  connection: NatsConnection;
  source: string;
  collections: readonly Collection[];
  onWritten: (ids: readonly string[]) => void;
  onError: (error: unknown) => void;
}): { close: () => Promise<void> } {
  const { connection, source, collections, onWritten, onError } = options;
  const settling = gathered(GATHERING, async (settled: readonly SettledReport[]) => {
    for (const collection of collections) {
      const operations = settled
        .filter((each) => each.collection === collection.collectionName)
        .map(({ organizationId, documentId, id }) => ({
          updateOne: {
            filter: { organizationId, _id: documentId, 'outbox.id': id } as Document,
            update: { $pull: { outbox: { id } } } as Document,
          },
        }));
      // What is not written is published and reported again.
      if (operations.length > 0) await collection.bulkWrite(operations, { ordered: false }).catch(onError);
    }
    onWritten(settled.map(({ id }) => id));
  });

  const reports = connection.subscribe(settledSubject(source), { queue: source });
  const reading = (async () => {
    for await (const message of reports) {
      const place = (message.headers?.get(DOCUMENT) ?? '').split(' ', 3);
      const [collection = '', organizationId = '', documentId = ''] = place;
      settling.add({ collection, organizationId, documentId, id: message.string() });
    }
  })();
  return {
    close: async () => {
      reports.unsubscribe();
      await reading;
      await settling.flush();
    },
  };
}
