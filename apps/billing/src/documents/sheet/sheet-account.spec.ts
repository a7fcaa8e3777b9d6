import { TRANSFER, type Entry } from '../../account/entry';
import { creditNote, dutchInvoice, prepaidInvoice } from '../testing/sample-invoices';
import { sampleAccount, samplePayment } from '../testing/sample-account';
import { sheetAccount } from './sheet-account';

const { inclCents } = dutchInvoice.totals;
const on = (today: string) => ({ today });
const credit = {
  noteId: 'note-1',
  invoiceId: dutchInvoice.id,
  number: 'C2026-0003',
  ordinal: 1,
  amountCents: 1_000,
  date: '2026-11-30',
  at: new Date(),
  reason: '',
};
const of = (type: Entry['type'], amountCents: number, more: object = {}): Entry =>
  ({
    ...samplePayment(dutchInvoice),
    _id: `${type}-1`,
    type,
    amountCents,
    of: samplePayment(dutchInvoice)._id,
    ...more,
  }) as Entry;

test('as long as nothing happened and the term has not passed, the original says it all', () => {
  expect(sheetAccount(dutchInvoice, sampleAccount(dutchInvoice), on('2026-12-05'))).toBeUndefined();
  expect(sheetAccount(creditNote, sampleAccount(creditNote), on('2027-12-05'))).toBeUndefined();
  const { id: paymentId } = prepaidInvoice.prepayment!;
  const told = sampleAccount(prepaidInvoice, [samplePayment(prepaidInvoice, { paymentId, provider: 'mollie' })]);
  expect(sheetAccount(prepaidInvoice, told, on('2027-12-05'))).toBeUndefined();
  expect(sheetAccount(prepaidInvoice, sampleAccount(prepaidInvoice), on('2027-12-05'))).toBeUndefined();
});

test('a term that has passed', () => {
  expect(sheetAccount(dutchInvoice, sampleAccount(dutchInvoice), on('2026-12-06'))).toEqual({
    openCents: inclCents,
    entries: [],
    today: '2026-12-06',
  });
});

test('payments, credit notes and what went back, by their days, with what is open', () => {
  const account = sampleAccount(dutchInvoice, [samplePayment(dutchInvoice), of('chargeback', inclCents)], [credit]);
  expect(sheetAccount(dutchInvoice, account, on('2026-12-02'))).toEqual({
    openCents: inclCents - 1_000,
    entries: [
      { kind: 'credit_note', date: '2026-11-30', settlesCents: 1_000, number: 'C2026-0003' },
      { kind: 'payment', date: '2026-12-01', settlesCents: inclCents, method: 'ideal' },
      { kind: 'chargeback', date: '2026-12-01', settlesCents: -inclCents, method: 'ideal' },
    ],
    today: '2026-12-02',
  });
});

test('what was reversed is not shown, nor is a settlement; surplus is below zero; a transfer is a move', () => {
  const reversed = sampleAccount(dutchInvoice, [samplePayment(dutchInvoice), of('reversal', inclCents)]);
  expect(sheetAccount(dutchInvoice, reversed, on('2026-12-06'))).toMatchObject({ openCents: inclCents, entries: [] });
  const twice = sampleAccount(dutchInvoice, [
    samplePayment(dutchInvoice),
    samplePayment(dutchInvoice, { _id: 'p2', paymentId: 'tr_2', provider: TRANSFER, amountCents: 500 }),
    of('settlement', 500),
  ]);
  const shown = sheetAccount(dutchInvoice, twice, on('2026-12-02'));
  expect(shown?.openCents).toBe(-500);
  expect(shown?.entries.map(({ kind }) => kind)).toEqual(['payment', 'move']);
});

test('a payment from before the issue is told once, beside what came after', () => {
  const later = sampleAccount(prepaidInvoice, [], [{ ...credit, invoiceId: prepaidInvoice.id }]);
  expect(sheetAccount(prepaidInvoice, later, on('2026-12-02'))?.entries.map(({ kind }) => kind)).toEqual([
    'payment',
    'credit_note',
  ]);
});
