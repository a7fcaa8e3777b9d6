import { type Collection } from '@invoicing/mongo';
import { Gauge } from '@invoicing/telemetry';
import type { OutboxEntry } from './outbox';

// Read only when Prometheus asks, and never more than this many documents of a collection.
const SAMPLE = 1_000;

type Collections = readonly Collection[];
const watched = new Map<Collections, string>();

// Registers itself; a store that does not answer shows as NaN and leaves the other metrics readable.
new Gauge({
  name: 'outbox_oldest_pending_seconds',
  help: 'Age of the oldest event that no consumer has settled; 0 when there is none',
  labelNames: ['source'],
  async collect() {
    for (const [collections, source] of watched) {
      const age = await oldestSeconds(collections).catch(() => NaN);
      this.set({ source }, age);
    }
  },
});

/** Adds a source's collections to the outbox metric until the answer is called. */
export function watchBacklog(source: string, collections: Collections): () => void {
  watched.set(collections, source);
  return () => watched.delete(collections);
}

async function oldestSeconds(collections: Collections): Promise<number> {
  const pending = { 'outbox.dueAt': { $gt: new Date(0) } };
  const found = await Promise.all(
    collections.map((each) => each.find(pending, { projection: { outbox: 1 }, limit: SAMPLE }).toArray()),
  );
  const entries = found.flat().flatMap((document) => document['outbox'] as OutboxEntry[]);
  return entries.map(({ body }) => ageSeconds(body)).reduce((oldest, age) => Math.max(oldest, age), 0);
}

const ageSeconds = (body: string): number => {
  const { occurredAt } = JSON.parse(body) as { occurredAt?: string };
  return occurredAt ? Math.max(0, (Date.now() - Date.parse(occurredAt)) / 1000) : 0;
};
