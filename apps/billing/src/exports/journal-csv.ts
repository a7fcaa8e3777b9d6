import { eurosOf } from '../documents/e-invoice/e-invoice';
import { csvTable } from './csv';
import type { BookingOf, Journal } from './bookings';

const COLUMNS = [
  ...['journal', 'booking', 'date', 'description', 'document', 'customer_id', 'customer'],
  ...['account', 'account_name', 'debit', 'credit', 'vat_code', 'vat_percent', 'vat'],
];

/** The lines of all bookings; amounts in euros with a point and two decimals, none below 0 but VAT that is given back. */
export async function* journalCsv(journals: readonly Journal[], onBooking: () => void): AsyncIterable<string> {
  yield* csvTable(COLUMNS, bookingsOf(journals), ({ journal, booking }) => {
    onBooking();
    return rowsOf(journal, booking);
  });
}

async function* bookingsOf(journals: readonly Journal[]) {
  for (const { id: journal, bookings } of journals) for await (const booking of bookings()) yield { journal, booking };
}

const rowsOf = (journal: string, { nr, date, description, of, lines }: BookingOf) =>
  lines.map(({ account, side, cents, vat }) => [
    ...[journal, nr, date, description, of.number, of.customerId, of.buyer.companyName || of.buyer.name],
    ...[account.id, account.name],
    ...(side === 'D' ? [eurosOf(cents), ''] : ['', eurosOf(cents)]),
    ...(vat ? [vat.code.id, eurosOf(vat.rateBps), eurosOf(Math.abs(vat.cents))] : ['', '', '']),
  ]);
