import { eurosOf } from '../documents/e-invoice/e-invoice';
import { xmlElement, type XmlNode } from '../documents/e-invoice/xml-text';
import { AppError } from '@invoicing/errors';
import { CURRENCY } from '../organizations/organization';
import { addDays } from '../invoices/business-date';
import type { Party } from '../invoices/invoice';
import { compactId } from './booking';
import type { BookingOf, Journal } from './bookings';
import type { Days } from './export-ports';
import { LEDGER, VAT_CODES } from './ledger';

/** Versions of the XML Auditfile Financieel. */
export type AuditFileVersion = '3.2' | '4.0';

/** Whose books, of which days, and the day that the file is said to be made on. */
export interface AuditFileHead extends Days {
  readonly seller: Party;
  readonly createdOn: string;
}

// Of the schemas XmlAuditfileFinancieel3.2.xsd and 4.0.xsd: what §3.7 of the 4.0 explanation says instead does not validate.
const NAMESPACES: Readonly<Record<AuditFileVersion, string>> = {
  '3.2': 'http://www.auditfiles.nl/XAF/3.2',
  '4.0': 'http://www.odb.belastingdienst.nl/Belastingdienst/BCPP/1.1/structures/XmlauditfileXAF_4.0',
};
const SOFTWARE = 'Invoicing';
// Of the file's content, not of the software: a closed period is the same file after an upgrade. Raised when the bytes change.
const SOFTWARE_VERSION = '1';

/**
 * An audit file of sales and what became of them, in the order that the schemas ask for. It reads the journals twice, because totals and
 * customers stand before the bookings; of the customers it keeps the ids. Throws `unavailable` when the books changed in between.
 * There is no opening balance: these are the books of sales, not a balance sheet.
 */
export async function* auditFile(
  version: AuditFileVersion,
  head: AuditFileHead,
  journals: readonly Journal[],
  onBooking: () => void,
): AsyncIterable<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<auditfile xmlns="${NAMESPACES[version]}">\n`;
  yield `${xmlElement('header', headerNode(head), '  ')}\n  <company>\n${childrenOf(companyNode(version, head.seller))}`;
  const declared = sums();
  yield* customers(journals, declared);
  yield childrenOf({
    generalLedger: {
      ledgerAccount: LEDGER.map(({ id, name, type }) => ({ accID: id, accDesc: name, accTp: type })),
    },
    vatCodes: {
      vatCode: Object.values(VAT_CODES).map(({ id, name, payable }) => ({
        vatID: id,
        vatDesc: name,
        vatToPayAccID: payable?.id,
      })),
    },
    periods: { period: monthsOf(head).map(({ nr, from, to }) => periodNode(nr, from, to)) },
  });
  const { lines, debitCents, creditCents } = declared;
  yield `    <transactions>\n      <linesCount>${lines}</linesCount>\n`;
  yield `      <totalDebit>${eurosOf(debitCents)}</totalDebit>\n      <totalCredit>${eurosOf(creditCents)}</totalCredit>\n`;
  const written = sums();
  const periodOf = new Map(monthsOf(head).map(({ month, nr }) => [month, nr]));
  for (const journal of journals) {
    yield `      <journal>\n${childrenOf({ jrnID: journal.id, desc: journal.name, jrnTp: journal.type }, '        ')}`;
    for await (const booking of journal.bookings()) {
      written.add(booking);
      onBooking();
      const periodNumber = String(periodOf.get(booking.date.slice(0, 7)));
      yield `${xmlElement('transaction', transactionNode(version, booking, periodNumber), '        ')}\n`;
    }
    yield '      </journal>\n';
  }
  assertSame(declared, written);
  yield '    </transactions>\n  </company>\n</auditfile>\n';
}

interface Sums {
  lines: number;
  debitCents: number;
  creditCents: number;
  add: (booking: BookingOf) => void;
}

function sums(): Sums {
  const total: Sums = {
    lines: 0,
    debitCents: 0,
    creditCents: 0,
    add: ({ lines }) => {
      total.lines += lines.length;
      for (const { side, cents } of lines) total[side === 'D' ? 'debitCents' : 'creditCents'] += cents;
    },
  };
  return total;
}

function assertSame(declared: Sums, written: Sums): void {
  const isSame = (['lines', 'debitCents', 'creditCents'] as const).every((each) => declared[each] === written[each]);
  if (!isSame)
    throw new AppError('unavailable', 'unavailable', 'the books changed while they were exported: try again');
}

/** Everybody that the bookings name, once, and what all bookings add up to. */
async function* customers(journals: readonly Journal[], total: Sums): AsyncIterable<string> {
  const seen = new Set<string>();
  for (const journal of journals) {
    for await (const booking of journal.bookings()) {
      total.add(booking);
      const { customerId, buyer } = booking.of;
      if (seen.has(customerId)) continue;
      if (seen.size === 0) yield '    <customersSuppliers>\n';
      seen.add(customerId);
      yield `${xmlElement('customerSupplier', customerNode(customerId, buyer), '      ')}\n`;
    }
  }
  if (seen.size > 0) yield '    </customersSuppliers>\n';
}

const headerNode = ({ from, to, createdOn }: AuditFileHead): XmlNode => ({
  fiscalYear: from.slice(0, 4) === to.slice(0, 4) ? from.slice(0, 4) : `${from.slice(0, 4)}-${to.slice(0, 4)}`,
  startDate: from,
  endDate: to,
  curCode: CURRENCY,
  dateCreated: createdOn,
  softwareDesc: SOFTWARE,
  softwareVersion: SOFTWARE_VERSION,
});

const companyNode = (version: AuditFileVersion, seller: Party): XmlNode => ({
  ...(version === '4.0' ? { Commercenr: seller.kvkNumber } : { companyIdent: clipped(seller.kvkNumber, 35) }),
  companyName: clipped(seller.name, 255),
  taxRegistrationCountry: seller.countryCode,
  // The schemas want one; who is outside the scope of VAT has none.
  taxRegIdent: clipped(seller.btwId, 30) || 'geen',
  streetAddress: addressNode(seller),
});

const customerNode = (customerId: string, buyer: Party): XmlNode => ({
  custSupID: compactId(customerId),
  custSupName: clipped(buyer.companyName || buyer.name, 50),
  eMail: buyer.email,
  commerceNr: clipped(buyer.kvkNumber, 100),
  taxRegistrationCountry: buyer.btwId ? buyer.countryCode : undefined,
  taxRegIdent: clipped(buyer.btwId, 30),
  custSupTp: 'C',
  streetAddress: addressNode(buyer),
});

const addressNode = ({ addressLine1, city, postalCode, countryCode }: Party): XmlNode => ({
  streetname: clipped(addressLine1, 100),
  city: clipped(city, 50),
  postalCode: clipped(postalCode, 10),
  country: countryCode,
});

const transactionNode = (version: AuditFileVersion, booking: BookingOf, periodNumber: string): XmlNode => ({
  nr: clipped(booking.nr, 35),
  desc: booking.description,
  periodNumber,
  trDt: booking.date,
  trLine: booking.lines.map(({ account, side, cents, vat }, index) => ({
    nr: String(index + 1),
    accID: account.id,
    docRef: clipped(booking.of.number, 255),
    effDate: booking.date,
    ...(version === '4.0' && { settDate: booking.supplyDate }),
    desc: booking.description,
    amnt: eurosOf(cents),
    amntTp: side,
    custSupID: compactId(booking.of.customerId),
    invRef: clipped(booking.of.number, 255),
    vat: vat && {
      vatID: vat.code.id,
      vatPerc: eurosOf(vat.rateBps),
      vatAmnt: eurosOf(Math.abs(vat.cents)),
      vatAmntTp: side,
    },
  })),
});

const periodNode = (nr: number, from: string, to: string): XmlNode => ({
  periodNumber: String(nr),
  startDatePeriod: from,
  endDatePeriod: to,
});

/** The months that the days lie in: numbered as in the calendar, or from 1 on where they lie in more than one year. */
function monthsOf({ from, to }: Days): { month: string; nr: number; from: string; to: string }[] {
  const months: { month: string; nr: number; from: string; to: string }[] = [];
  const isOneYear = from.slice(0, 4) === to.slice(0, 4);
  for (let first = from; first <= to;) {
    const month = first.slice(0, 7);
    const next = addDays(`${month}-01`, 31).slice(0, 7);
    const last = addDays(`${next}-01`, -1);
    const nr = isOneYear ? Number(month.slice(5)) : months.length + 1;
    months.push({ month, nr, from: first, to: last < to ? last : to });
    first = `${next}-01`;
  }
  return months;
}

const childrenOf = (node: XmlNode, indent = '    '): string =>
  Object.entries(node)
    .flatMap(([name, value]) => (value === undefined ? [] : [xmlElement(name, value as XmlNode | string, indent)]))
    .map((text) => text && `${text}\n`)
    .join('');

/** At most so many characters, as the schemas count them. */
const clipped = (text: string, most: number): string => Array.from(text).slice(0, most).join('');
