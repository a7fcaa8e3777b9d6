import { rfReference, InvoiceBook, isRfReference, type BookInvoice } from './invoice-book';
import { isOneSlip, matchLine } from './match-line';
import { isSameName, nameWords } from './payer-name';
import type { StatementLine } from './bank-line';

const OURS = 'NL91ABNA0417164300';
const THEIRS = 'NL39RABO0300065264';

const line = (changes: Partial<StatementLine> = {}): StatementLine => ({
  ...{ account: OURS, bookedOn: '2026-11-02', amountCents: 12_100, currency: 'EUR', counterName: 'J. de Vries' },
  ...{ counterIban: THEIRS, bankReference: '', endToEndId: '', creditorReference: '', text: 'factuur 2026-0001' },
  ...changes,
});
const invoice = (number: string, changes: Partial<BookInvoice> = {}): BookInvoice => ({
  ...{ invoiceId: `id-${number}`, number, customerId: 'vries', openCents: 12_100, iban: '' },
  names: ['Jan de Vries'],
  ...changes,
});
const book = (...invoices: BookInvoice[]): InvoiceBook => {
  const made = new InvoiceBook();
  for (const each of invoices) made.add(each);
  return made;
};
const verdict = (of: StatementLine, ...invoices: BookInvoice[]): string => {
  const made = matchLine(of, book(...invoices));
  if (made.kind === 'book') return `${made.rule} ${made.candidate.number}`;
  return made.kind === 'ask' ? made.why : made.kind;
};

describe('is booked', () => {
  test('by its number, exactly what is open, and the name of who it is for', () => {
    expect(matchLine(line(), book(invoice('2026-0001')))).toEqual({
      kind: 'book',
      rule: 'number',
      candidate: {
        ...{ invoiceId: 'id-2026-0001', number: '2026-0001', customerId: 'vries', openCents: 12_100 },
        evidence: ['number', 'amount', 'name'],
      },
    });
  });

  test.each(['20260001', 'fact.nr 2026/0001', 'FACTUUR20260001 bedankt', '2026 00 01', 'nr. 2026-0001, week 12'])(
    'however it is written: %s',
    (text) => expect(verdict(line({ text }), invoice('2026-0001'))).toBe('number 2026-0001'),
  );

  test('by an IBAN that paid for this customer, and no other, whatever the name', () => {
    const known = book(invoice('2026-0001'));
    known.knowPayer(THEIRS, 'vries');
    const foreign = line({ counterName: 'Ιωάννης Παπαδόπουλος' });
    expect(matchLine(foreign, known)).toMatchObject({
      kind: 'book',
      candidate: { evidence: ['number', 'amount', 'iban'] },
    });
    known.knowPayer(THEIRS, 'somebody else');
    expect(matchLine(foreign, known)).toMatchObject({ kind: 'ask', why: 'payer_unknown' });
  });

  test('by the valid reference of its number, whoever pays', () => {
    const creditorReference = rfReference('2026-0001');
    const unknown = line({ text: '', creditorReference, counterName: 'Somebody', counterIban: '' });
    expect(verdict(unknown, invoice('2026-0001'))).toBe('reference 2026-0001');
    const spaced = creditorReference.replace(/(.{4})/g, '$1 ');
    expect(verdict(line({ text: spaced, counterName: 'X' }), invoice('2026-0001'))).toBe('reference 2026-0001');
  });
});

describe('is a question', () => {
  const two = [invoice('2026-0001'), invoice('2026-0200', { customerId: 'other', names: ['Bakkerij De Zon'] })];
  const question = (of: Partial<StatementLine>, why: string, invoices: BookInvoice[] = two) =>
    expect(verdict(line(of), ...invoices)).toBe(why);

  test('without a number of ours, part of a longer one, or too short a one', () => {
    question({ text: 'bedankt' }, 'names_nothing');
    question({ text: 'x2026-00019' }, 'names_nothing');
    question({ text: 'NL12INGB20260001' }, 'names_nothing');
    question({ text: 'factuur 7' }, 'names_nothing', [invoice('7')]);
  });

  test('when what reads like a day is no number as we write it', () => {
    question({ text: 'betaald op 2026-11-02' }, 'names_nothing', [invoice('2026-1102')]);
    question({ text: 'betaald 20261102' }, 'names_nothing', [invoice('2026-1102')]);
    question({ text: 'betaald 2026-1102' }, 'number 2026-1102', [invoice('2026-1102')]);
  });

  test('with two numbers, one of them settled or a credit note all the same', () => {
    question({ text: '2026-0001 en 2026-0200' }, 'names_several');
    question({ text: '2026-0001 en 2026-0009' }, 'names_several', [...two, invoice('2026-0009', { openCents: 0 })]);
    question({}, 'names_several', [...two, invoice('2026-0001', { invoiceId: 'of another profile' })]);
  });

  test('for another amount, or when nothing is open', () => {
    question({ amountCents: 12_000 }, 'amount_differs');
    question({ amountCents: 24_200 }, 'amount_differs');
    question({}, 'not_open', [invoice('2026-0001', { openCents: 0 })]);
  });

  test('from a payer who is not the customer, or whose IBAN is known as another customer', () => {
    question({ counterName: 'P. Jansen' }, 'payer_unknown');
    question({ counterName: '' }, 'payer_unknown');
    const known = book(...two);
    known.knowPayer(THEIRS, 'other');
    expect(matchLine(line(), known)).toMatchObject({ kind: 'ask', why: 'payer_unknown' });
  });

  test('when another number, one slip away, fits as well', () => {
    question({}, 'similar_number', [invoice('2026-0001'), invoice('2026-0010')]);
    question({}, 'number 2026-0001', [invoice('2026-0001'), invoice('2026-0010', { openCents: 1 })]);
    question({}, 'number 2026-0001', [
      invoice('2026-0001'),
      invoice('2026-0010', { names: ['Bakker'], customerId: 'b' }),
    ]);
  });

  test('when another customer of this name has exactly this open; but not when the IBAN is known', () => {
    const both = [invoice('2026-0001'), invoice('2026-7700', { customerId: 'the other', names: ['Jan de Vries'] })];
    question({}, 'namesake', both);
    const known = book(...both);
    known.knowPayer(THEIRS, 'vries');
    expect(matchLine(line(), known)).toMatchObject({ kind: 'book' });
  });

  test('in another currency, taken back, or of a batch', () => {
    question({ currency: 'USD' }, 'foreign_currency');
    question({ special: 'reversal' }, 'reversal');
    question({ special: 'batch' }, 'batch');
  });

  test('when money went out to somebody whom we know; all else that went out is left', () => {
    question({ amountCents: -12_100 }, 'money_out');
    question({ amountCents: -12_100, text: 'huur' }, 'leave');
    question({ amountCents: 0 }, 'leave');
  });

  test('with its candidates, the likeliest first, each with what speaks for it', () => {
    const found = matchLine(line({ text: 'bedankt', counterName: 'Bakkerij de Zon B.V.' }), book(...two));
    expect(found).toMatchObject({
      candidates: [
        { number: '2026-0200', evidence: ['amount', 'name'] },
        { number: '2026-0001', evidence: ['amount'] },
      ],
    });
  });
});

test('a swapped digit never makes a valid reference', () => {
  const reference = rfReference('2026-0001');
  expect(isRfReference(reference)).toBe(true);
  expect(isRfReference('RF18539007547034')).toBe(true);
  for (let at = 2; at < reference.length - 1; at++) {
    const [one, other] = [reference[at]!, reference[at + 1]!];
    if (one !== other)
      expect(isRfReference(reference.slice(0, at) + other + one + reference.slice(at + 2))).toBe(false);
  }
});

test.each([
  ['20260012', '20260021', true],
  ['20260012', '20260013', true],
  ['20260012', '2026012', true],
  ['20260012', '202600121', true],
  ['20260012', '20260012', false],
  ['20260012', '20260120', false],
])('%s and %s: one slip is %s', (one, other, slip) => expect(isOneSlip(one, other)).toBe(slip));

test.each([
  ['J. de Vries', 'Jan de Vries', true],
  ['HR J DE VRIES EO MW A BAKKER', 'Jan de Vries', true],
  ['BAKKERIJ DE ZON BV', 'Bakkerij De Zon', true],
  ['Bakkerij', 'Bakkerij De Zon', false],
  ['MÜLLER GmbH', 'Muller', true],
  ['Vries', 'Jan de Vries', false],
  ['P. de Vries', 'Jan de Vries', false],
  ['Søren Ågård', 'SOREN AGARD', true],
  ['', 'Jan', false],
])('"%s" and "%s" are the same payer: %s', (one, other, same) =>
  expect(isSameName(nameWords(one), nameWords(other))).toBe(same),
);
