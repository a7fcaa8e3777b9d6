import { creditSentence } from '../wording/credit-sentence';
import { formatDate, formatIban, formatMoney } from '@invoicing/design';
import { paidSentence } from '../wording/payment-method';
import { WORDING } from '../wording/wording';
import { qrModules, qrSvg, sepaQrPayload } from '../sepa-qr';
import type { SheetSource } from './sheet-source';
import { asksToPay, openCents, sheetState } from './sheet-state';

/** The last box of a sheet: how to pay, or how it was settled. */
export interface PanelView {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly link: { readonly text: string; readonly url: string } | null;
  /** A SEPA credit transfer code as SVG. */
  readonly qr: { readonly svg: string; readonly alt: string; readonly caption: string } | null;
}

/** The panel of a sheet; null when it has nothing to say. */
export async function panelOf(source: SheetSource): Promise<PanelView | null> {
  const { invoice } = source;
  const words = WORDING[invoice.language];
  const asks = asksToPay(source);
  const text = asks ? askingText(source) : settledText(source);
  const link = invoice.publicUrl && !source.isDraft ? invoice.publicUrl : '';
  if (!text && !link) return null;
  return {
    title: asks ? words.payTitle : sheetState(source) === 'paid' ? words.thanks : words.details,
    text,
    facts: asks && invoice.seller.iban ? bankFacts(source) : [],
    link: link ? { text: asks ? words.payOnlineLink : words.viewOnlineLink, url: link } : null,
    qr: asks ? await qrOf(source) : null,
  };
}

/** How much, by when, and how. */
function askingText(source: SheetSource): string {
  const { invoice } = source;
  const words = WORDING[invoice.language];
  const open = openCents(source);
  const amount = formatMoney(open, invoice.language);
  const due = formatDate(invoice.dueDate, invoice.language);
  const isOverdue = sheetState(source) === 'overdue';
  if (!invoice.seller.iban) return isOverdue ? words.overdueText(due) : `${words.dueOn(due)}.`;
  if (isOverdue) return `${words.overdueText(due)} ${words.payNow(amount)}`;
  return open < invoice.totals.inclCents ? words.payRest(amount, due) : words.payBy(amount, due);
}

/** Why nothing is asked for; empty on a draft. */
export function settledText(source: SheetSource): string {
  const { invoice, account } = source;
  const words = WORDING[invoice.language];
  const state = sheetState(source);
  if (state === 'draft') return '';
  if (state === 'credit_note') return creditSentence(invoice);
  if (state === 'credited') return words.creditedText;
  if (state === 'overpaid') return words.overpaidText;
  if (state === 'settled') return words.nothingToPay;
  const last = account?.entries.filter(({ kind }) => kind === 'payment').at(-1) ?? invoice.prepayment;
  const paid = last ? `${paidSentence({ date: last.date, method: last.method ?? '' }, invoice.language)}. ` : '';
  return `${paid}${words.nothingLeft}`;
}

function bankFacts({ invoice: { seller, number, language } }: SheetSource): PanelView['facts'] {
  const words = WORDING[language];
  return [
    { label: 'IBAN', value: formatIban(seller.iban) },
    { label: 'BIC', value: seller.bic },
    { label: words.accountHolder, value: seller.name },
    { label: words.reference, value: number },
  ].filter(({ value }) => value);
}

async function qrOf(source: SheetSource): Promise<PanelView['qr']> {
  const { invoice } = source;
  const words = WORDING[invoice.language];
  const payload = sepaQrPayload(invoice, openCents(source));
  if (!payload) return null;
  return { svg: qrSvg(await qrModules(payload), words.qrAlt), alt: words.qrAlt, caption: words.payWithQr };
}
