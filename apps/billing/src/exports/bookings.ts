import { AppError } from '@invoicing/errors';
import type { Entry } from '../account/entry';
import { bookingOfDocument, bookingOfEntry, type Booking } from './booking';
import type { Booked, Books, Days } from './export-ports';

/** A booking with the document that it is for. */
export interface BookingOf extends Booking {
  readonly of: Booked;
  /** YYYY-MM-DD of the supply; empty when nobody said it. */
  readonly supplyDate: string;
}

/** A journal of the books, read anew each time. */
export interface Journal {
  readonly id: string;
  readonly name: string;
  /** Of an audit file: S is sales, M everything that is no purchase, bank statement or cash book of ours. */
  readonly type: 'S' | 'M';
  readonly bookings: () => AsyncIterable<BookingOf>;
}

const BATCH = 200;

/** The journals of some days: what was issued, and what was paid, given back, taken back or written off. */
export const journalsOf = (books: Books, organizationId: string, days: Days, asOf: Date): readonly Journal[] => [
  { id: 'VRK', name: 'Verkoop', type: 'S', bookings: () => issued(books, organizationId, days, asOf) },
  {
    id: 'GLD',
    name: 'Ontvangsten, terugbetalingen en afboekingen',
    type: 'M',
    bookings: () => moved(books, organizationId, days, asOf),
  },
];

async function* issued(books: Books, organizationId: string, days: Days, asOf: Date): AsyncIterable<BookingOf> {
  for await (const document of books.documents(organizationId, days, asOf)) {
    const { number, customerId, buyer, supplyDate } = document;
    yield { ...bookingOfDocument(document), of: { number, customerId, buyer }, supplyDate };
  }
}

async function* moved(books: Books, organizationId: string, days: Days, asOf: Date): AsyncIterable<BookingOf> {
  for await (const entries of inBatches(books.entries(organizationId, days, asOf), BATCH)) {
    const takenBack = entries.flatMap((entry) => (entry.type === 'reversal' ? [entry.of] : []));
    const [invoices, reversed] = await Promise.all([
      books.invoicesOf(organizationId, [...new Set(entries.map(({ invoiceId }) => invoiceId))]),
      books.entriesOf(organizationId, takenBack),
    ]);
    for (const entry of entries) {
      const booking = bookingOfEntry(entry, entry.type === 'reversal' ? reversed.get(entry.of) : undefined);
      if (booking) yield { ...booking, of: known(invoices, entry), supplyDate: '' };
    }
  }
}

function known(invoices: ReadonlyMap<string, Booked>, { _id, invoiceId }: Entry): Booked {
  const found = invoices.get(invoiceId);
  if (!found) throw new AppError('internal', 'generic', `entry ${_id} is of an invoice that is not there`);
  return found;
}

async function* inBatches<T>(all: AsyncIterable<T>, size: number): AsyncIterable<T[]> {
  let batch: T[] = [];
  for await (const each of all) {
    batch.push(each);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
