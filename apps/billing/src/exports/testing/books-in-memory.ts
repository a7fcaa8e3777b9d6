import type { Books, Days } from '../export-ports';
import type { MadeUp } from './made-up-books';

/** Made-up books without a store. */
export function booksInMemory(all: readonly MadeUp[], { to }: Days): Books {
  const documents = all.map(({ document }) => document);
  const entries = all.flatMap((each) => each.entries).filter(({ date }) => date <= to);
  const documentsById = new Map(documents.map((each) => [each._id, each]));
  const entriesById = new Map(entries.map((each) => [each._id, each]));
  return {
    documents: async function* () {
      yield* documents;
    },
    entries: async function* () {
      yield* entries;
    },
    invoicesOf: async () => documentsById,
    entriesOf: async () => entriesById,
    draftsDated: async () => [],
  };
}
