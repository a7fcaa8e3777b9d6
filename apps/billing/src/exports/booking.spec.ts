import fc from 'fast-check';
import type { Entry } from '../account/entry';
import { openAmount } from '../account/open-amount';
import type { VatTreatment } from '../invoices/invoice';
import { totalsOf } from '../invoices/totals';
import { bookingOfDocument, bookingOfEntry, type Booking } from './booking';
import { DEBTORS, LEDGER } from './ledger';

const TREATMENTS: VatTreatment[] = ['standard_21', 'reduced_9', 'zero', 'exempt', 'reverse_charge', 'intra_community'];

const balanceOf = ({ lines }: Booking, account?: string): number =>
  lines
    .filter((line) => account === undefined || line.account.id === account)
    .reduce((sum, { side, cents }) => sum + (side === 'D' ? cents : -cents), 0);

const totals = fc
  .array(fc.record({ vatTreatment: fc.constantFrom(...TREATMENTS), netCents: fc.integer({ min: -9e9, max: 9e9 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((lines) => totalsOf(lines)!);

test('a document is booked with as much debit as credit, to the cent, below 0 too; no line is below 0', () => {
  fc.assert(
    fc.property(totals, fc.constantFrom('invoice' as const, 'credit_note' as const), (sums, kind) => {
      const booking = bookingOfDocument({ kind, number: '2026-1', issueDate: '2026-01-02', totals: sums });
      expect(balanceOf(booking)).toBe(0);
      expect(booking.lines.every(({ cents }) => cents >= 0)).toBe(true);
      expect(balanceOf(booking, DEBTORS.id)).toBe((kind === 'invoice' ? 1 : -1) * sums.inclCents + 0);
      const known = new Set(LEDGER.map(({ id }) => id));
      expect(booking.lines.every(({ account }) => known.has(account.id))).toBe(true);
    }),
  );
});

const CENTS = fc.integer({ min: 1, max: 100_000 });
// More than can be credited and written off here: no account gives up more than was asked for.
const TOTAL = fc.integer({ min: 1_500_000, max: 9_000_000 });
const entry = fc.record({
  type: fc.constantFrom('payment', 'refund', 'chargeback', 'write_off', 'settlement', 'overdue'),
  amountCents: CENTS,
  provider: fc.constantFrom('bank', 'cash', 'mollie', 'transfer'),
  reason: fc.constantFrom('rounding', 'bad_debt'),
  reversed: fc.boolean(),
});

test('what debtors owe by the ledger is what is open on the account, less what is surplus', () => {
  fc.assert(
    fc.property(
      TOTAL,
      fc.array(entry, { maxLength: 12 }),
      fc.array(CENTS, { maxLength: 3 }),
      (total, made, credits) => {
        const entries = made.flatMap(({ reversed, ...each }, index) => {
          const one = { ...each, _id: `${index}`, date: '2026-01-02', of: null } as unknown as Entry;
          const back = { ...one, _id: `${index}r`, type: 'reversal', of: one._id } as Entry;
          return reversed ? [one, back] : [one];
        });
        const bookings = entries.flatMap((each) => {
          const of = each.type === 'reversal' ? entries.find(({ _id }) => _id === each.of) : undefined;
          return bookingOfEntry(each, of) ?? [];
        });
        for (const booking of bookings) expect(balanceOf(booking)).toBe(0);
        const sums = (cents: number) => ({ exclCents: cents, vatCents: 0, inclCents: cents, groups: [] });
        const document = (kind: 'invoice' | 'credit_note', cents: number): Booking =>
          bookingOfDocument({ kind, number: '1', issueDate: '2026-01-02', totals: sums(cents) });
        const all = [
          document('invoice', total),
          ...credits.map((cents) => document('credit_note', cents)),
          ...bookings,
        ];
        const owed = all.reduce((sum, booking) => sum + balanceOf(booking, DEBTORS.id), 0);
        const { openCents, surplusCents } = openAmount({
          totalCents: total,
          prepayment: undefined,
          credits: credits.map((amountCents, index) => ({ noteId: `n${index}`, amountCents })),
          entries,
        });
        expect(owed).toBe(openCents - surplusCents);
      },
    ),
  );
});

test('a settlement and an overdue notice move nothing', () => {
  for (const type of ['settlement', 'overdue'] as const)
    expect(bookingOfEntry({ _id: 'x', type, amountCents: 1, date: '2026-01-02' } as unknown as Entry, undefined)).toBe(
      undefined,
    );
});
