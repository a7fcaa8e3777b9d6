import { seededRandom } from '@invoicing/testing';
import type { StatementLine } from '../bank-statements/bank-line';
import { InvoiceBook, rfReference, type BookInvoice } from '../bank-statements/invoice-book';
import { matchLine } from '../bank-statements/match-line';

// Statements as careless, unlucky and clever payers make them, with what each line really was for; and what the rules make of them.

const GIVEN = ['Jan', 'Johan', 'Piet', 'Anna', 'Sanne', 'Søren', 'José', 'Łukasz', 'Fatima', 'Müşerref'];
const FAMILY = [
  'de Vries',
  'Jansen',
  'Janssen',
  'van den Berg',
  'Bakker',
  'Visser',
  'Müller',
  "O'Neill",
  'Nguyen',
  'El Idrissi',
];
const TRADES = ['Bakkerij', 'Bouwbedrijf', 'Garage', 'Kapsalon', 'Slagerij'];
const PLACES = ['De Zon', 'Noord', 'Het Anker', 'De Zon Amsterdam', 'Oost'];
const FORMS = ['B.V.', 'BV', 'V.O.F.', ''];
const FOREIGN = ['Ιωάννης Παπαδόπουλος', 'Иван Петров', '王小明', 'محمد علي'];
const SYLLABLES = ['ba', 'ker', 'lo', 'min', 'ste', 'ven', 'dra', 'hu', 'wal', 'ton'];
/** A family name that hardly anybody shares. */
const rare = (index: number): string => {
  const name = [...String(index).padStart(4, '0')].map((digit) => SYLLABLES[Number(digit)]).join('');
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
};
const AMOUNTS = [12_100, 6_050, 2_420, 2_500, 10_000];
const NOISE = [
  'bedankt!',
  'tel 0612345678',
  'klant 40012',
  'd.d. 2026-11-02',
  'IBAN NL91ABNA0417164300',
  'week 45',
  '1/2',
  '',
];
const DAYS = ['2026-11-02', '2026-11-03', '2026-11-04'];

/** What payers do, and how often in a hundred. */
const HABITS = {
  honest: 30,
  reference: 8,
  swapped_digits: 8,
  wrong_digit: 6,
  split: 6,
  combined_all_named: 5,
  combined_one_named: 5,
  twice: 6,
  no_number: 6,
  last_number_again: 5,
  somebody_else: 5,
  foreign_name: 3,
  shared_iban: 3,
  only_a_day: 2,
  refund: 1,
  taken_back: 1,
} as const;
export type Habit = keyof typeof HABITS;
const HABIT_LIST = Object.entries(HABITS).flatMap(([habit, share]) => Array<Habit>(share).fill(habit as Habit));

interface Debtor {
  readonly id: string;
  readonly name: string;
  readonly iban: string;
  readonly invoices: Bill[];
}
interface Bill extends Omit<BookInvoice, 'openCents'> {
  readonly cents: number;
}
export interface TrueLine {
  readonly line: StatementLine;
  readonly habit: Habit;
  /** The one invoice that it pays in full; null when there is none such, and nothing may be booked. */
  readonly truth: string | null;
}

/** One organisation's debtors and the lines of its bank account, in their order. */
export function adversarialLines(seed: number, debtorCount: number): { bills: readonly Bill[]; lines: TrueLine[] } {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const bills: Bill[] = [];
  const debtors: Debtor[] = Array.from({ length: debtorCount }, (_, index) => ({
    id: `customer-${index}`,
    // One in three shares a name with others.
    name:
      random() < 0.5
        ? `${pick(GIVEN)} ${random() < 0.67 ? rare(index) : pick(FAMILY)}`
        : `${pick(TRADES)} ${random() < 0.67 ? rare(index) : pick(PLACES)} ${pick(FORMS)}`.trim(),
    iban: `NL00FAKE${String(index).padStart(10, '0')}`,
    invoices: [],
  }));
  const count = debtorCount * 4;
  for (let seq = 1; seq <= count; seq++) {
    // Two profiles give the same numbers now and then; one number in three hundred reads like a day.
    const number = random() < 0.01 && bills.length > 0 ? pick(bills).number : `2026-${String(seq).padStart(4, '0')}`;
    const debtor = pick(debtors);
    const cents = random() < 0.7 ? pick(AMOUNTS) : 100 + Math.floor(random() * 100_000);
    const bill = { invoiceId: `invoice-${seq}`, number, customerId: debtor.id, names: [debtor.name], iban: '', cents };
    bills.push(bill);
    debtor.invoices.push(bill);
  }
  const payers = new Payers(random, pick);
  const lines = debtors.flatMap((debtor) => debtor.invoices.flatMap((bill) => payers.pay(debtor, bill)));
  // As they come in: shuffled, but for what one payer sends.
  return {
    bills,
    lines: lines
      .map((line) => ({ line, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ line }) => line),
  };
}

class Payers {
  private last: Bill | undefined;

  constructor(
    private readonly random: () => number,
    private readonly pick: <T>(from: readonly T[]) => T,
  ) {}

  pay(debtor: Debtor, bill: Bill): TrueLine[] {
    const habit = this.pick(HABIT_LIST);
    const lines = this.made(habit, debtor, bill);
    this.last = bill;
    return lines.map(([line, truth]) => ({ line, habit, truth }));
  }

  private made(habit: Habit, debtor: Debtor, bill: Bill): [StatementLine, string | null][] {
    const { pick, random } = this;
    const { cents, invoiceId, number } = bill;
    const half = Math.floor(cents / 2);
    const other = pick(debtor.invoices);
    const line = (amountCents: number, text: string, changes: Partial<StatementLine> = {}): StatementLine => ({
      ...{ account: 'NL91ABNA0417164300', bookedOn: pick(DAYS), amountCents, currency: 'EUR' },
      ...{ counterName: this.written(debtor.name), counterIban: debtor.iban, bankReference: '', endToEndId: '' },
      ...{ creditorReference: '', text: `${text} ${pick(NOISE)}`.trim() },
      ...changes,
    });
    const said = `${pick(['factuur ', 'Fact.nr ', 'inv ', ''])}${pick([number, number, number.replace('-', ''), number.replace('-', ' ')])}`;
    switch (habit) {
      case 'honest':
        return [[line(cents, said), invoiceId]];
      case 'reference':
        return [
          [
            line(cents, '', { creditorReference: rfReference(number), counterName: pick([debtor.name, 'Incasso']) }),
            invoiceId,
          ],
        ];
      case 'swapped_digits':
        return [[line(cents, this.swapped(number)), invoiceId]];
      case 'wrong_digit':
        return [[line(cents, number.slice(0, -1) + String(Math.floor(random() * 10))), invoiceId]];
      case 'split':
        return [
          [line(half, said), null],
          [line(cents - half, said), null],
        ];
      case 'combined_all_named':
        return [[line(cents + other.cents, `${number} en ${other.number}`), null]];
      case 'combined_one_named':
        return [[line(cents + other.cents, said), null]];
      case 'twice':
        return [
          [line(cents, said), invoiceId],
          [line(cents, said), invoiceId],
        ];
      case 'no_number':
        return [[line(cents, 'betaling'), invoiceId]];
      case 'last_number_again':
        // Of somebody else, copied from a template.
        return [
          [
            line(cents, this.last && this.last.customerId !== bill.customerId ? this.last.number : 'betaling'),
            invoiceId,
          ],
        ];
      case 'somebody_else':
        return [
          [
            line(cents, said, { counterName: `${pick(GIVEN)} ${pick(FAMILY)}`, counterIban: 'NL00ELSE0000000001' }),
            invoiceId,
          ],
        ];
      case 'foreign_name':
        return [[line(cents, said, { counterName: pick(FOREIGN) }), invoiceId]];
      case 'shared_iban':
        return [
          [line(cents, said, { counterName: 'Stichting Betaalpartij', counterIban: 'NL00PSP00000000001' }), invoiceId],
        ];
      case 'only_a_day':
        return [[line(cents, 'betaald op 2026-11-02'), invoiceId]];
      case 'refund':
        return [[line(-cents, `terugbetaling ${number}`), null]];
      case 'taken_back':
        return [
          [line(cents, said, { special: 'reversal' }), null],
          [line(-cents, said, { special: 'reversal' }), null],
        ];
    }
  }

  /** Two neighbours of the digits swapped. */
  private swapped(number: string): string {
    const at = 5 + Math.floor(this.random() * (number.length - 6));
    return number.slice(0, at) + number[at + 1]! + number[at]! + number.slice(at + 2);
  }

  /** As banks show it. */
  private written(name: string): string {
    const [given = '', ...rest] = name.split(' ');
    return this.pick([
      name,
      name.toUpperCase(),
      `${given[0]}. ${rest.join(' ')}`,
      name.normalize('NFKD').replace(/\p{M}/gu, ''),
    ]);
  }
}

export interface MatchReport {
  lines: number;
  booked: number;
  questions: number;
  left: number;
  /** Lines whose one invoice would be right, and was open. */
  bookable: number;
  readonly falseBookings: string[];
  readonly byHabit: Record<string, { lines: number; booked: number }>;
}

export const newReport = (): MatchReport => ({
  ...{ lines: 0, booked: 0, questions: 0, left: 0, bookable: 0, falseBookings: [], byHabit: {} },
});

/** Runs the rules over all lines of one organisation, as an import does, and holds each booking against the truth. */
export function matchAll(seed: number, debtorCount: number, report: MatchReport, match = matchLine): void {
  const { bills, lines } = adversarialLines(seed, debtorCount);
  const book = new InvoiceBook();
  for (const { cents, ...bill } of bills) book.add({ ...bill, openCents: cents });
  const open = new Map(bills.map(({ invoiceId, cents }) => [invoiceId, cents]));
  for (const { line, habit, truth } of lines) {
    const verdict = match(line, book);
    const ofHabit = (report.byHabit[habit] ??= { lines: 0, booked: 0 });
    report.lines += 1;
    ofHabit.lines += 1;
    if (truth !== null && open.get(truth) === line.amountCents) report.bookable += 1;
    if (verdict.kind === 'ask') report.questions += 1;
    if (verdict.kind === 'leave') report.left += 1;
    if (verdict.kind !== 'book') continue;
    const { invoiceId, customerId } = verdict.candidate;
    report.booked += 1;
    ofHabit.booked += 1;
    if (invoiceId !== truth || open.get(invoiceId) !== line.amountCents)
      report.falseBookings.push(
        `seed ${seed}: ${habit}: "${line.text}" of ${line.counterName} on ${verdict.candidate.number}`,
      );
    open.set(invoiceId, 0);
    book.setOpen(invoiceId, 0);
    book.knowPayer(line.counterIban, customerId);
  }
}
