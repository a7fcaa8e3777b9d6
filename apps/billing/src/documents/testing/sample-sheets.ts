import { LANGUAGES, type Language } from '@invoicing/design';
import type { AccountEntry, SheetAccount, SheetSource } from '../sheet/sheet-source';
import { sampleParties } from './sample-parties';
import {
  berliner,
  creditNote,
  discountedInvoice,
  dutchInvoice,
  exemptInvoice,
  inclusiveInvoice,
  intraCommunityInvoice,
  mixedInvoice,
  prepaid,
  reverseChargeInvoice,
  sampleInvoice,
  unrulyInvoice,
} from './sample-invoices';

/** A sheet of every state, length and language, by the name of its files. */
export function sampleSheets(): ReadonlyMap<string, SheetSource> {
  const all = LANGUAGES.flatMap((language) => [
    ...Object.entries(statesIn(language)).map(([name, source]) => [`${language}-${name}`, source] as const),
    ...[1, 6, 30, 120, 500].map(
      (count) => [`${language}-open-${count}-lines`, { invoice: ofLines(count, language) }] as const,
    ),
  ]);
  return new Map<string, SheetSource>([
    ...all,
    ['nl-mixed-treatments', { invoice: mixedInvoice }],
    ['nl-every-script', { invoice: scripts }],
    ['nl-unruly', { invoice: unrulyInvoice }],
    ['de-reverse-charge', { invoice: { ...reverseChargeInvoice, language: 'de' } }],
    ['fr-intra-community', { invoice: { ...intraCommunityInvoice, language: 'fr' } }],
    ['nl-exempt', { invoice: exemptInvoice }],
    ...Object.entries(sampleParties()).map(([name, invoice]) => [`to-${name}`, { invoice }] as const),
  ]);
}

const TODAY = '2026-12-01';
const LATE = '2026-12-21';

function statesIn(language: Language): Record<string, SheetSource> {
  const invoice = { ...dutchInvoice, language, ...(language === 'de' && { buyer: berliner }) };
  const { inclCents } = invoice.totals;
  const payment = (settlesCents: number, method = 'ideal'): AccountEntry => ({
    kind: 'payment',
    date: '2026-11-28',
    settlesCents,
    method,
  });
  const credit: AccountEntry = { kind: 'credit_note', date: '2026-11-30', settlesCents: 57_427, number: 'C2026-0003' };
  const account = (entries: readonly AccountEntry[], today = TODAY): SheetAccount => ({
    openCents: inclCents - entries.reduce((sum, { settlesCents }) => sum + settlesCents, 0),
    entries,
    today,
  });
  const whole = { ...credit, settlesCents: inclCents };
  return {
    draft: { invoice: { ...invoice, number: '' }, isDraft: true },
    open: { invoice },
    overdue: { invoice, account: account([], LATE) },
    'partly-paid': { invoice, account: account([payment(200_000)]) },
    'partly-credited': { invoice, account: account([credit]) },
    paid: { invoice, account: account([credit, payment(inclCents - 57_427, 'banktransfer')]) },
    overpaid: { invoice, account: account([payment(inclCents), payment(10_000)]) },
    'charged-back': { invoice, account: account([payment(inclCents), { ...payment(-inclCents), kind: 'chargeback' }]) },
    credited: { invoice, account: account([whole]) },
    prepaid: { invoice: prepaid(invoice) },
    'nothing-to-pay': { invoice: { ...sampleInvoice([{ description: 'Proef', unitPriceCents: 0 }]), language } },
    'credit-note': { invoice: { ...creditNote, language } },
    test: { invoice, isTest: true },
    'written-off': { invoice, account: account([{ ...payment(inclCents), kind: 'write_off' }]) },
    refunded: { invoice, account: account([payment(inclCents), { ...payment(-inclCents), kind: 'refund' }, whole]) },
    everything: { invoice: { ...inclusiveInvoice, language } },
    discounts: { invoice: { ...discountedInvoice, language } },
  };
}

const ofLines = (count: number, language: Language) => ({
  ...sampleInvoice(
    Array.from({ length: count }, (_, at) => ({
      description: `Levering ${at + 1}${at % 9 === 4 ? ', inclusief voorbereiding, reistijd en nazorg op locatie bij de vestigingen in Utrecht en Zeist' : ''}`,
      quantity: String(1 + (at % 7) * 0.5),
      unitPriceCents: 4_500 + at * 137,
      vatTreatment: at % 5 === 3 ? ('reduced_9' as const) : ('standard_21' as const),
      unit: at % 2 ? 'uur' : '',
    })),
  ),
  language,
});

/** What the fonts behind Inter are for. */
const scripts = sampleInvoice([
  { description: 'Hebreeuws: שלום עולם (1016)', unitPriceCents: 1_000 },
  { description: 'Arabisch: مرحبا بالعالم، فاتورة رقم 42', unitPriceCents: 1_000 },
  { description: 'Chinees: 发票 發票 · Japans: 請求書 カタカナ ひらがな · Koreaans: 계산서', unitPriceCents: 1_000 },
  { description: 'Thais: ใบแจ้งหนี้ · Grieks: Τιμολόγιο · Cyrillisch: Рахунок', unitPriceCents: 1_000 },
  { description: 'Ligatuur: ofﬁcieel · Symbolen: ☐ ☎ ✓ → ℃ № ½ ♥ · Vlag en beeld: 🇳🇱 🎉', unitPriceCents: 1_000 },
  { description: 'Zonder lettertype: አማርኛ ᚠᚢᚦ', unitPriceCents: 1_000 },
]);
