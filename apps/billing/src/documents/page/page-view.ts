import type { PaymentEntry } from '../../account/entry';
import { LANGUAGES } from '../../invoices/document-language';
import { businessDate } from '../../invoices/business-date';
import type { FrozenInvoice, Line, Party } from '../../invoices/invoice';
import { hasPicture, type InvoiceToShow } from '../sheet/invoice-sheet';
import { formatDate, formatIban, formatMoney, formatQuantity, type Language } from '../wording/formats';
import { addressLines } from '../wording/party-address';
import { paidSentence } from '../wording/payment-method';
import { paymentStatus, type PaymentStatus } from '../wording/payment-status';
import { qrModules, qrSvg, sepaQrPayload } from '../sepa-qr';
import { vatLabel, vatNotes } from '../wording/vat-wording';
import { type Wording, WORDING } from '../wording/wording';

/** What the page of one invoice is made from. */
export interface InvoicePageSource extends InvoiceToShow {
  /** What it was settled by; null while it is open. */
  readonly payment: Pick<PaymentEntry, 'paidAt'> | null;
  readonly hasEInvoice: boolean;
}

const STATUS_WORD: Record<PaymentStatus, keyof Wording & `status${string}`> = {
  open: 'statusOpen',
  overdue: 'statusOverdue',
  paid: 'statusPaid',
  settled: 'statusSettled',
  credit: 'statusCredit',
};

/** Everything the template shows, as ready text; only `qr` is markup. */
export async function pageView(source: InvoicePageSource, language: Language, payUrl: string | null) {
  const { invoice, payment, today, hasEInvoice } = source;
  const words = WORDING[language];
  const status = paymentStatus(invoice, payment, today);
  const payable = status === 'open' || status === 'overdue';
  const payload = payable ? sepaQrPayload(invoice) : null;
  const money = (cents: number): string => formatMoney(cents, language);
  const isInvoice = invoice.kind === 'invoice';
  return {
    language,
    languages: LANGUAGES.filter((code) => code !== language).map((code) => ({
      code,
      name: WORDING[code].languageName,
    })),
    words,
    testNotice: source.test ? words.testNotice : '',
    base: invoice.publicToken,
    brand: invoice.style.profileName || invoice.seller.name,
    hasLogo: invoice.style.logo !== null,
    title: `${isInvoice ? words.invoice : words.creditNote} ${invoice.number}`,
    status: { name: status, word: words[STATUS_WORD[status]], sentence: sentenceOf(source, status, language) },
    amount: money(invoice.totals.inclCents),
    amountLabel: isInvoice ? (payable ? words.toPay : words.totalIncl) : words.totalCredit,
    payUrl: payable ? payUrl : null,
    hasEInvoice,
    hasPicture: hasPicture(invoice),
    credited: invoice.credited
      ? words.credits(invoice.credited.number, formatDate(invoice.credited.issueDate, language))
      : '',
    reason: invoice.reason && `${words.reason}: ${invoice.reason}`,
    dates: datesOf(invoice, language),
    seller: partyView(invoice.seller, invoice, language),
    buyer: partyView(invoice.buyer, invoice, language),
    buyerLabel: isInvoice ? words.billedTo : words.creditedTo,
    lines: invoice.lines.map((line) => lineView(line, language)),
    groups: invoice.totals.groups.map((group) => ({
      rate: vatLabel(group.vatTreatment, language),
      base: money(group.baseCents),
      vat: money(group.vatCents),
    })),
    totals: [
      { label: words.totalExcl, amount: money(invoice.totals.exclCents) },
      { label: words.totalVat, amount: money(invoice.totals.vatCents) },
    ],
    notes: vatNotes(invoice, language),
    bank: payable && invoice.seller.iban ? bankView(invoice, language) : null,
    qr: payload ? qrSvg(await qrModules(payload), words.qrAlt) : '',
    footer: invoice.style.footer,
  };
}

function sentenceOf(
  { invoice, payment, timezone }: InvoicePageSource,
  status: PaymentStatus,
  language: Language,
): string {
  const words = WORDING[language];
  const due = formatDate(invoice.dueDate, language);
  if (invoice.prepayment) return paidSentence(invoice.prepayment, language);
  if (status === 'paid')
    return payment ? words.paidOn(formatDate(businessDate(payment.paidAt, timezone), language)) : '';
  if (status === 'overdue') return words.overdueSince(due);
  if (status === 'open') return words.dueOn(due);
  return status === 'credit' ? words.refund : words.nothingToPay;
}

function datesOf(invoice: FrozenInvoice, language: Language): { label: string; date: string; iso: string }[] {
  const words = WORDING[language];
  const isInvoice = invoice.kind === 'invoice';
  const { prepayment } = invoice;
  const settled = prepayment
    ? { label: words.paidLabel, iso: prepayment.date }
    : { label: words.dueDate, iso: invoice.dueDate };
  return [
    { label: isInvoice ? words.issueDate : words.creditDate, iso: invoice.issueDate },
    { label: words.supplyDate, iso: invoice.supplyDate },
    ...(isInvoice ? [settled] : []),
  ].map((each) => ({ ...each, date: formatDate(each.iso, language) }));
}

function partyView(party: Party, invoice: FrozenInvoice, language: Language): { name: string; lines: string[] } {
  const words = WORDING[language];
  const contact = party.companyName && party.companyName !== party.name ? `${words.attention} ${party.name}` : '';
  const isSeller = party === invoice.seller;
  return {
    name: party.companyName || party.name,
    lines: [
      contact,
      ...addressLines(party, invoice, language),
      party.kvkNumber && `${words.kvk} ${party.kvkNumber}`,
      party.btwId && `${words.vatId} ${party.btwId}`,
      isSeller ? party.email : '',
    ].filter(Boolean),
  };
}

function lineView(line: Line, language: Language) {
  const words = [formatQuantity(line.quantity, language), line.unit].filter(Boolean).join('\u00a0');
  const price = formatMoney(line.unitPriceCents, language);
  const vat = vatLabel(line.vatTreatment, language);
  return {
    description: line.description,
    quantity: words,
    price,
    vat,
    net: formatMoney(line.netCents, language),
    short: `${words} × ${price} · ${vat}`,
  };
}

function bankView(invoice: FrozenInvoice, language: Language): { label: string; shown: string; copied: string }[] {
  const words = WORDING[language];
  const { iban, bic, name } = invoice.seller;
  const cents = String(invoice.totals.inclCents).padStart(3, '0');
  const comma = language === 'nl' ? ',' : '.';
  return [
    { label: 'IBAN', shown: formatIban(iban), copied: iban },
    { label: 'BIC', shown: bic, copied: bic },
    { label: words.accountHolder, shown: name, copied: name },
    {
      label: words.amount,
      shown: formatMoney(invoice.totals.inclCents, language),
      // As a bank's form takes it.
      copied: `${cents.slice(0, -2)}${comma}${cents.slice(-2)}`,
    },
    { label: words.reference, shown: invoice.number, copied: invoice.number },
  ].filter(({ shown }) => shown);
}
