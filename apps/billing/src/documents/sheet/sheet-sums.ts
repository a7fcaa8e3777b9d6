import { formatDate, formatMoney } from '@invoicing/design';
import { methodName } from '../wording/payment-method';
import { vatLabel } from '../wording/vat-wording';
import { WORDING } from '../wording/wording';
import type { AccountEntry, SheetSource } from './sheet-source';
import { openCents, sheetState } from './sheet-state';

export interface SumsView {
  readonly vat: {
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
  };
  /** What leads to the last sum. */
  readonly sums: readonly { readonly label: string; readonly amount: string }[];
  readonly total: { readonly label: string; readonly amount: string };
}

/** VAT per group, and the way from the lines to what is to be paid. */
export function sumsOf(source: SheetSource): SumsView {
  const { totals, language } = source.invoice;
  const words = WORDING[language];
  const money = (cents: number): string => formatMoney(cents, language);
  const taxed = [
    { label: words.totalExcl, amount: money(totals.exclCents) },
    { label: words.totalVat, amount: money(totals.vatCents) },
  ];
  const settled = settledOf(source);
  const whole = settled.length > 0 ? [{ label: words.totalIncl, amount: money(totals.inclCents) }] : [];
  return {
    vat: {
      headings: [words.vatTable, words.base, words.vat],
      rows: totals.groups.map(({ vatTreatment, baseCents, vatCents }) => [
        vatLabel(vatTreatment, language),
        money(baseCents),
        money(vatCents),
      ]),
    },
    sums: [...taxed, ...whole, ...settled],
    total: totalOf(source, settled.length > 0),
  };
}

function totalOf(source: SheetSource, isSettled: boolean): SumsView['total'] {
  const { invoice } = source;
  const words = WORDING[invoice.language];
  const { inclCents } = invoice.totals;
  if (invoice.kind === 'credit_note')
    return { label: words.totalCredit, amount: formatMoney(inclCents, invoice.language) };
  const open = openCents(source);
  const amount = formatMoney(Math.abs(open), invoice.language);
  if (sheetState(source) === 'overpaid') return { label: words.overpaid, amount };
  if (isSettled) return { label: open === inclCents ? words.toPay : words.stillToPay, amount };
  return { label: inclCents > 0 ? words.toPay : words.totalIncl, amount: formatMoney(inclCents, invoice.language) };
}

/** Payments before and after the issue, credit notes and the like, each as what it takes off. */
function settledOf({ invoice, account }: SheetSource): SumsView['sums'] {
  const { language, prepayment } = invoice;
  const entries: readonly AccountEntry[] =
    account?.entries ??
    (prepayment
      ? [{ kind: 'payment', date: prepayment.date, settlesCents: prepayment.amountCents, method: prepayment.method }]
      : []);
  return entries.map((entry) => ({ label: entryLabel(entry), amount: formatMoney(-entry.settlesCents, language) }));

  function entryLabel({ kind, date, method, number }: AccountEntry): string {
    const words = WORDING[language];
    const day = formatDate(date, language);
    if (kind === 'payment') return method ? words.paymentBy(day, methodName(method, language)) : words.paymentOf(day);
    if (kind === 'credit_note') return words.creditOf(number ?? day);
    const sentence = {
      refund: 'refundOf',
      chargeback: 'chargebackOf',
      write_off: 'writeOffOf',
      reversal: 'reversalOf',
      move: 'moveOf',
    } as const;
    return words[sentence[kind]](day);
  }
}
