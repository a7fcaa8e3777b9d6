import type { Entry } from '../account/entry';
import { TRANSFER } from '../account/entry';
import type { IssuedInvoice } from '../invoices/issued-invoice';
import {
  BAD_DEBT,
  BANK,
  CASH,
  DEBTORS,
  PROVIDERS,
  ROUNDING,
  TRANSFERS,
  VAT_CODES,
  type LedgerAccount,
  type VatCode,
} from './ledger';

type Side = 'D' | 'C';

/** One line of a booking. */
export interface BookingLine {
  readonly account: LedgerAccount;
  /** Debit or credit. */
  readonly side: Side;
  /** Never below 0: what is, is on the other side. */
  readonly cents: number;
  /** On lines of revenue. */
  readonly vat?: { readonly code: VatCode; readonly rateBps: number; readonly cents: number };
}

/** What happened once, with as much debit as credit. */
export interface Booking {
  /** Stable: a document's number, or of what happened to it an id of 32 characters. */
  readonly nr: string;
  /** YYYY-MM-DD. */
  readonly date: string;
  readonly description: string;
  readonly lines: readonly BookingLine[];
}

type Document = Pick<IssuedInvoice, 'kind' | 'number' | 'issueDate' | 'totals'>;

/** An invoice owes its total to us, of which the VAT is owed on; a credit note is the other way round. */
export function bookingOfDocument({ kind, number, issueDate, totals }: Document): Booking {
  const [ours, theirs]: [Side, Side] = kind === 'invoice' ? ['D', 'C'] : ['C', 'D'];
  const sold = totals.groups.flatMap(({ vatTreatment, rateBps, baseCents, vatCents }): BookingLine[] => {
    const code = VAT_CODES[vatTreatment];
    const revenue = { ...line(code.revenue, theirs, baseCents), vat: { code, rateBps, cents: vatCents } };
    return code.payable ? [revenue, line(code.payable, theirs, vatCents)] : [revenue];
  });
  return {
    nr: number,
    date: issueDate,
    description: `${kind === 'invoice' ? 'Factuur' : 'Creditnota'} ${number}`,
    lines: [line(DEBTORS, ours, totals.inclCents), ...sold],
  };
}

/**
 * What an entry of an account moves; undefined where it moves nothing (a settlement, an overdue notice). `reversed` is the entry that a
 * reversal takes back: its lines on the other sides, on the day of the reversal.
 */
export function bookingOfEntry(entry: Entry, reversed: Entry | undefined): Booking | undefined {
  const lines = linesOf(entry, reversed);
  return lines && { nr: compactId(entry._id), date: entry.date, description: describe(entry), lines };
}

/** A UUID in the 35 characters that an audit file has for an id. */
export const compactId = (uuid: string): string => uuid.replaceAll('-', '');

function linesOf(entry: Entry, reversed: Entry | undefined): BookingLine[] | undefined {
  const { amountCents } = entry;
  switch (entry.type) {
    case 'payment':
      return [line(moneyAccount(entry.provider), 'D', amountCents), line(DEBTORS, 'C', amountCents)];
    case 'refund':
    case 'chargeback':
      return [line(DEBTORS, 'D', amountCents), line(moneyAccount(entry.provider), 'C', amountCents)];
    case 'write_off':
      return [
        line(entry.reason === 'rounding' ? ROUNDING : BAD_DEBT, 'D', amountCents),
        line(DEBTORS, 'C', amountCents),
      ];
    case 'reversal':
      return reversed && linesOf(reversed, undefined)?.map(otherSide);
    case 'settlement':
    case 'overdue':
      return undefined;
  }
}

const moneyAccount = (provider: string): LedgerAccount =>
  ({ bank: BANK, cash: CASH, [TRANSFER]: TRANSFERS })[provider] ?? PROVIDERS;

const DESCRIPTIONS: Readonly<Record<Entry['type'], string>> = {
  payment: 'Ontvangst',
  refund: 'Terugbetaling',
  chargeback: 'Storno',
  write_off: 'Afboeking',
  reversal: 'Correctie',
  settlement: 'Verwerking',
  overdue: 'Vervallen',
};

function describe(entry: Entry): string {
  const source = 'provider' in entry ? entry.provider : '';
  const said = 'reference' in entry ? entry.reference : '';
  return [DESCRIPTIONS[entry.type], source, said].filter(Boolean).join(' ');
}

const line = (account: LedgerAccount, side: Side, cents: number): BookingLine =>
  cents < 0 ? { account, side: opposite(side), cents: -cents } : { account, side, cents };

const otherSide = ({ side, ...rest }: BookingLine): BookingLine => ({ ...rest, side: opposite(side) });

const opposite = (side: Side): Side => (side === 'D' ? 'C' : 'D');
