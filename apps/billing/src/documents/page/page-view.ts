import { brand, formatDate, formatIban, formatMoney, frameView, type Language } from '@invoicing/design';
import { hasPicture, type InvoiceToShow, sheetSourceOf } from '../sheet/invoice-sheet';
import { factsOf } from '../sheet/sheet-facts';
import { linesOf } from '../sheet/sheet-lines';
import { settledText } from '../sheet/sheet-panel';
import { buyerOf, sellerOf } from '../sheet/sheet-parties';
import type { SheetSource } from '../sheet/sheet-source';
import { asksToPay, openCents, sheetState, type SheetState } from '../sheet/sheet-state';
import { sumsOf } from '../sheet/sheet-sums';
import { qrModules, qrSvg, sepaQrPayload } from '../sepa-qr';
import { type Wording, WORDING } from '../wording/wording';

/** What the page of one invoice is made from. */
export interface InvoicePageSource extends InvoiceToShow {
  readonly hasEInvoice: boolean;
}

const STATUS_WORD: Record<SheetState, keyof Wording & `status${string}`> = {
  draft: 'statusDraft',
  credit_note: 'statusCredit',
  open: 'statusOpen',
  overdue: 'statusOverdue',
  partly_paid: 'statusPartlyPaid',
  paid: 'statusPaid',
  overpaid: 'statusOverpaid',
  credited: 'statusCredited',
  settled: 'statusSettled',
};

/** Everything the template shows, as ready text, said as the document says it; only `qr` is markup. */
export async function pageView(shown: InvoicePageSource, language: Language, payUrl: string | null) {
  const source = sheetSourceOf({ ...shown, invoice: { ...shown.invoice, language } });
  const { invoice } = source;
  const words = WORDING[language];
  const state = sheetState(source);
  const asks = asksToPay(source);
  const payload = asks ? sepaQrPayload(invoice, openCents(source)) : null;
  const isInvoice = invoice.kind === 'invoice';
  return {
    language,
    words,
    base: invoice.publicToken,
    frame: frameOf(shown, language),
    title: `${isInvoice ? words.invoice : words.creditNote} ${invoice.number}`,
    status: {
      name: state,
      word: words[STATUS_WORD[state]],
      sentence: asks ? askingSentence(source) : settledText(source),
    },
    asked: askedOf(source),
    payUrl: asks && payUrl !== null ? inLanguage(payUrl, language) : null,
    hasEInvoice: shown.hasEInvoice,
    hasPicture: hasPicture(invoice),
    ...factsOf(source),
    parties: [{ label: words.from, ...sellerOf(invoice) }, buyerOf(invoice)],
    note: invoice.note ?? '',
    lines: linesView(source),
    sums: sumsOf(source),
    bank: asks && invoice.seller.iban ? bankView(source) : null,
    qr: payload ? qrSvg(await qrModules(payload), words.qrAlt) : '',
  };
}

/** The profile as it was when the document was issued. */
export const brandOf = ({ style, seller }: Pick<InvoicePageSource['invoice'], 'style' | 'seller'>) =>
  brand({ ...style, name: style.profileName || seller.name, seller });

const frameOf = ({ invoice, test }: InvoicePageSource, language: Language) =>
  frameView(brandOf(invoice), {
    language,
    isTest: test === true,
    logoUrl: `${invoice.publicToken}/logo`,
    languageUrl: (code) => `${invoice.publicToken}?lang=${code}`,
  });

/** Who reads the invoice in a language pays in it. */
function inLanguage(address: string, language: Language): string {
  const url = new URL(address);
  url.searchParams.set('lang', language);
  return url.href;
}

/** The one amount on top: what is to be paid, or was paid too much; else what the document comes to. */
function askedOf(source: SheetSource): { readonly label: string; readonly amount: string } {
  const { invoice } = source;
  const { inclCents } = invoice.totals;
  const words = WORDING[invoice.language];
  const money = (cents: number): string => formatMoney(cents, invoice.language);
  const open = openCents(source);
  if (asksToPay(source)) return { label: open === inclCents ? words.toPay : words.stillToPay, amount: money(open) };
  if (sheetState(source) === 'overpaid') return { label: words.overpaid, amount: money(-open) };
  return { label: invoice.kind === 'invoice' ? words.totalIncl : words.totalCredit, amount: money(inclCents) };
}

function askingSentence(source: SheetSource): string {
  const { language, dueDate } = source.invoice;
  const words = WORDING[language];
  const due = formatDate(dueDate, language);
  return sheetState(source) === 'overdue' ? words.overdueSince(due) : words.dueOn(due);
}

/** More lines than these are shown when they are asked for. */
const SHOWN_LINES = 12;

/** The sheet's table; where there is no room for its columns, they stand under the description. */
function linesView({ invoice }: SheetSource) {
  const { headings, rows, notes } = linesOf(invoice);
  return {
    headings,
    notes,
    folded: rows.length > SHOWN_LINES,
    rows: rows.map(({ cells }) => {
      const [description = '', quantity = '', price = '', ...rest] = cells;
      const amount = rest.pop() ?? '';
      const short = [`${quantity} × ${price}`, ...rest].filter(Boolean).join(' · ');
      return { description, figures: [quantity, price, ...rest], amount, short };
    }),
  };
}

function bankView(source: SheetSource): { label: string; shown: string; copied: string }[] {
  const { seller, number, language } = source.invoice;
  const words = WORDING[language];
  const open = openCents(source);
  const cents = String(open).padStart(3, '0');
  const mark = language === 'en' ? '.' : ',';
  return [
    { label: 'IBAN', shown: formatIban(seller.iban), copied: seller.iban },
    { label: 'BIC', shown: seller.bic, copied: seller.bic },
    { label: words.accountHolder, shown: seller.name, copied: seller.name },
    {
      label: words.amount,
      shown: formatMoney(open, language),
      // As a bank's form takes it.
      copied: `${cents.slice(0, -2)}${mark}${cents.slice(-2)}`,
    },
    { label: words.reference, shown: number, copied: number },
  ].filter(({ shown }) => shown);
}
