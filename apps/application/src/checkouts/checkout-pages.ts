import type { PricedLines } from '@invoicing/contracts/invoicing/billing/v1/invoices';
import { CheckoutStatus, type Attempt, type Checkout } from '@invoicing/contracts/invoicing/checkout/v1/checkout';
import { productViews } from '../editor/choice-view';
import type { ProductsFound } from '../editor/choices';
import { linesView } from '../editor/line-view';
import { pricesField, profileFields, wordFields, type MakeField } from '../editor/term-fields';
import {
  linked,
  plain,
  type Cell,
  type FieldBlock,
  type NoticeBlock,
  type PageBlock,
  type SectionBlock,
} from '../pages/blocks';
import { moment, money } from '../pages/format';
import type { Faults } from '../pages/form-request';
import type { Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { CheckoutForm } from './checkout-form';

const QR_SIZE = 220;

export function listPage(place: Workplace, checkouts: readonly Checkout[]): PageBlock {
  const { t, at, may, currency, language, timeZone } = place;
  return {
    title: t.checkouts,
    actions: may('checkouts.write') ? [{ label: t.newCheckout, href: at('checkouts/new'), isPrimary: true }] : [],
    sections: [
      {
        table: {
          caption: t.checkouts,
          columns: [
            { label: t.title },
            { label: t.amount, isNumber: true },
            { label: t.createdAt },
            { label: t.expires },
            { label: t.state },
          ],
          rows: checkouts.map((each) => [
            linked(each.title, at(`checkouts/${each.id}`)),
            plain(money(each.amountInclCents, currency, language)),
            plain(moment(each.createdAt, language, timeZone)),
            plain(moment(each.expiresAt, language, timeZone) || t.none),
            stateOf(t, each.status),
          ]),
          empty: t.noCheckouts,
        },
      },
    ],
  };
}

function stateOf(t: Texts, status: CheckoutStatus): Cell {
  if (status === CheckoutStatus.PAID) return { text: t.statePaid, tone: 'good' };
  if (status === CheckoutStatus.OPEN) return { text: t.stateOpen, tone: 'warning' };
  return { text: t.stateExpired, tone: 'plain' };
}

interface ShownCheckout {
  readonly checkout: Checkout;
  readonly attempts: readonly Attempt[];
  readonly notice: NoticeBlock | undefined;
  /** SVG. */
  readonly qr: string | undefined;
}

export function checkoutPage(place: Workplace, { checkout, attempts, notice, qr }: ShownCheckout): PageBlock {
  const { t, at, currency, language, timeZone } = place;
  const { invoiceId, title, status, url } = checkout;
  return {
    title,
    state: stateOf(t, status),
    back: { label: t.checkouts, href: at('checkouts') },
    notice,
    sections: [
      ...(qr
        ? [
            {
              title: t.link,
              text: t.checkoutLinkText,
              copies: [{ label: t.link, value: url }],
              picture: {
                source: `data:image/svg+xml;base64,${Buffer.from(qr).toString('base64')}`,
                alt: t.qrAlt,
                width: QR_SIZE,
                height: QR_SIZE,
              },
              actions: [{ label: t.look, href: url }],
            },
          ]
        : []),
      {
        facts: [
          [t.amount, plain(money(checkout.amountInclCents, currency, language))],
          [t.createdAt, plain(moment(checkout.createdAt, language, timeZone))],
          [t.expires, plain(moment(checkout.expiresAt, language, timeZone) || t.none)],
          ...(invoiceId ? ([[t.invoice, linked(t.look, at(`invoices/${invoiceId}`))]] as const) : []),
        ],
      },
      attemptsSection(place, attempts),
      ...(status === CheckoutStatus.OPEN && place.may('checkouts.write')
        ? [
            {
              text: t.cancelCheckoutText,
              forms: [
                { action: at(`checkouts/${checkout.id}/cancel`), submit: t.cancelCheckout, tone: 'danger' as const },
              ],
            },
          ]
        : []),
    ],
  };
}

const STATES: Readonly<Record<string, readonly [keyof Texts, Cell['tone']]>> = {
  starting: ['attemptOpen', 'warning'],
  open: ['attemptOpen', 'warning'],
  pending: ['attemptPending', 'warning'],
  paid: ['statePaid', 'good'],
  failed: ['stateFailed', 'bad'],
  canceled: ['attemptCanceled', 'plain'],
  expired: ['stateExpired', 'plain'],
  mismatched: ['attemptMismatched', 'bad'],
};

function attemptsSection({ t, currency, language, timeZone }: Workplace, attempts: readonly Attempt[]): SectionBlock {
  return {
    title: t.attempts,
    table: {
      caption: t.attempts,
      columns: [
        { label: t.date },
        { label: t.method },
        { label: t.by },
        { label: t.amount, isNumber: true },
        { label: t.reference },
        { label: t.state },
      ],
      rows: attempts.map((each) => {
        const [text, tone] = STATES[each.status] ?? ['none', 'plain'];
        return [
          plain(moment(each.createdAt, language, timeZone)),
          plain(each.method),
          plain(each.payerName || t.none),
          plain(money(each.amountCents, currency, language)),
          plain(each.paymentId || t.none),
          { text: t[text], tone },
        ];
      }),
      empty: t.noAttempts,
    },
  };
}

/** What somebody will be asked to pay. */
export function amountSection({ t, currency, language }: Workplace, priced: PricedLines | undefined): SectionBlock {
  if (!priced?.totals) return { text: t.noTotals, isLive: true };
  return { facts: [[t.totalIncl, plain(money(priced.totals.inclCents, currency, language))]], isLive: true };
}

interface Editor {
  readonly form: CheckoutForm;
  readonly hidden: Readonly<Record<string, string>>;
  readonly faults: Faults;
  readonly products: ProductsFound;
  readonly priced: PricedLines | undefined;
}

export function editorView(place: Workplace, editor: Editor) {
  const { t, at } = place;
  const { form, hidden, faults, priced, products } = editor;
  const field: MakeCheckoutField = (name, label, more) => ({
    ...{ name, label, value: form[name], fault: faults.fields[name], autocomplete: 'off' },
    ...more,
  });
  const page: PageBlock = {
    title: t.newCheckout,
    intro: t.newCheckoutIntro,
    back: { label: t.checkouts, href: at('checkouts') },
    sections: [],
  };
  return {
    page,
    hidden,
    action: at('checkouts/new'),
    liveUrl: at('checkouts/new/preview'),
    buttons: [{ press: 'save', label: t.makeCheckout, isPrimary: true }],
    ...productViews(place, form, products),
    head: headFields(place, field),
    terms: [
      field('email', t.payerEmail, { type: 'email', inputMode: 'email', maxLength: 254, hint: t.payerEmailHint }),
      field('redirectUrl', t.redirectUrl, { type: 'url', maxLength: 2_000, hint: t.redirectUrlHint }),
      ...wordFields(place, field),
    ],
    lines: linesView(place, form.lines, faults, products.names),
    live: amountSection(place, priced),
  };
}

type MakeCheckoutField = MakeField<Exclude<keyof CheckoutForm, 'lines'>>;

function headFields(place: Workplace, field: MakeCheckoutField): readonly FieldBlock[] {
  const { t } = place;
  return [
    field('title', t.title, { required: true, maxLength: 200, hint: t.checkoutTitleHint }),
    ...profileFields(place, field),
    field('days', t.daysOpen, { required: true, inputMode: 'numeric', maxLength: 2 }),
    pricesField(place, field),
  ];
}
