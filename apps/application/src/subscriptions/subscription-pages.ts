import {
  Frequency,
  SubscriptionStatus,
  type Occurrence,
  type Subscription,
} from '@invoicing/contracts/invoicing/billing/v1/subscriptions';
import { customerViews, productViews } from '../editor/choice-view';
import type { CustomersFound, ProductsFound } from '../editor/choices';
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
import { day, money } from '../pages/format';
import type { Faults } from '../pages/form-request';
import { olderAction } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';
import type { SubscriptionForm } from './subscription-form';

const UNITS: readonly (readonly [Frequency, keyof Texts])[] = [
  [Frequency.WEEKLY, 'freqWeekly'],
  [Frequency.MONTHLY, 'freqMonthly'],
  [Frequency.QUARTERLY, 'freqQuarterly'],
  [Frequency.YEARLY, 'freqYearly'],
];
const SENDING: readonly (readonly [string, keyof Texts])[] = [
  ['email', 'sendingEmail'],
  ['post', 'sendingPost'],
  ['both', 'sendingBoth'],
  ['', 'sendingDraft'],
];

type Names = ReadonlyMap<string, string>;

export function listPage(
  { t, at, may, language }: Workplace,
  subscriptions: readonly Subscription[],
  names: Names,
  cursor: string | undefined,
): PageBlock {
  return {
    title: t.subscriptions,
    actions: may('subscriptions.write')
      ? [{ label: t.newSubscription, href: at('subscriptions/new'), isPrimary: true }]
      : [],
    sections: [
      {
        table: {
          caption: t.subscriptions,
          columns: [{ label: t.customer }, { label: t.every }, { label: t.nextRun }, { label: t.state }],
          rows: subscriptions.map((each) => [
            linked(names.get(each.customerId) || t.subscription, at(`subscriptions/${each.id}`)),
            plain(rhythm(t, each.freq, each.interval)),
            plain(day(each.nextRunDate ?? '', language) || t.none),
            stateOf(t, each.status),
          ]),
          empty: t.noSubscriptions,
        },
        actions: olderAction(at('subscriptions'), '', cursor, t),
      },
    ],
  };
}

function rhythm(t: Texts, freq: Frequency, interval: number): string {
  const unit = t[UNITS.find(([value]) => value === freq)?.[1] ?? 'none'];
  return fill(interval > 1 ? t.everyMany : t.everyOne, { unit, count: String(interval) });
}

function stateOf(t: Texts, status: SubscriptionStatus): Cell {
  if (status === SubscriptionStatus.ACTIVE) return { text: t.stateActive, tone: 'good' };
  if (status === SubscriptionStatus.PAUSED) return { text: t.statePaused, tone: 'warning' };
  return { text: t.stateEnded, tone: 'plain' };
}

interface ShownSubscription {
  readonly subscription: Subscription;
  readonly occurrences: readonly Occurrence[];
  readonly names: Names;
  readonly notice: NoticeBlock | undefined;
}

export function subscriptionPage(place: Workplace, shown: ShownSubscription): PageBlock {
  const { t, at, may, language } = place;
  const { subscription, occurrences, names, notice } = shown;
  const { id, customerId, status, lastError } = subscription;
  const isOver = status === SubscriptionStatus.ENDED;
  const mayChange = may('subscriptions.write') && !isOver;
  const [, sending = 'none'] = SENDING.find(([value]) => value === sendingOf(subscription)) ?? [];
  return {
    title: names.get(customerId) || t.subscription,
    state: stateOf(t, status),
    back: { label: t.subscriptions, href: at('subscriptions') },
    notice: notice ?? (lastError ? { tone: 'bad', text: fill(t.lastRunFailed, { code: lastError }) } : undefined),
    actions: mayChange ? [{ label: t.edit, href: at(`subscriptions/${id}/edit`) }] : [],
    sections: [
      {
        facts: [
          [t.customer, linked(names.get(customerId) || t.customer, at(`customers/${customerId}`))],
          [t.every, plain(rhythm(t, subscription.freq, subscription.interval))],
          [t.startDate, plain(day(subscription.startDate, language))],
          [t.lastRun, plain(day(subscription.lastRunDate ?? '', language) || t.none)],
          [t.sending, plain(t[sending])],
          ...(subscription.reference ? ([[t.buyerReference, plain(subscription.reference)]] as const) : []),
          ...subscription.laterTerms.map(({ from }) => [t.laterTerms, plain(day(from, language))] as const),
        ],
      },
      ...(isOver ? [] : [occurrencesSection(place, occurrences)]),
      ...(mayChange ? haltSections(place, subscription) : []),
    ],
  };
}

const sendingOf = ({ autoSendEmail, autoSendPost }: Subscription): string =>
  autoSendEmail && autoSendPost ? 'both' : autoSendEmail ? 'email' : autoSendPost ? 'post' : '';

function haltSections({ t, at }: Workplace, { id, status }: Subscription): SectionBlock[] {
  const here = at(`subscriptions/${id}`);
  return [
    status === SubscriptionStatus.PAUSED
      ? { text: t.resumeText, forms: [{ action: `${here}/resume`, submit: t.resume }] }
      : { text: t.pauseText, forms: [{ action: `${here}/pause`, submit: t.pause, tone: '' }] },
    { text: t.endText, forms: [{ action: `${here}/end`, submit: t.endSubscription, tone: 'danger' }] },
  ];
}

/** The next invoices: when, and how much. */
export function occurrencesSection(
  { t, language, currency }: Workplace,
  occurrences: readonly Occurrence[] | undefined,
): SectionBlock {
  if (!occurrences) return { title: t.nextInvoices, text: t.noNextInvoices, isLive: true };
  return {
    title: t.nextInvoices,
    isLive: true,
    table: {
      caption: t.nextInvoices,
      columns: [{ label: t.date }, { label: t.totalIncl, isNumber: true }],
      rows: occurrences.map(({ date, totalInclCents }) => [
        plain(day(date, language)),
        plain(money(totalInclCents, currency, language)),
      ]),
      empty: t.none,
    },
  };
}

interface Editor {
  readonly form: SubscriptionForm;
  readonly hidden: Readonly<Record<string, string>>;
  readonly faults: Faults;
  readonly subscription?: Subscription;
  /** Absent once it is there: whose it is never changes. */
  readonly customers: CustomersFound | undefined;
  readonly products: ProductsFound;
  readonly occurrences: readonly Occurrence[] | undefined;
}

export function editorView(place: Workplace, editor: Editor) {
  const { t, at } = place;
  const { form, hidden, subscription, occurrences, faults, customers, products } = editor;
  const here = at(subscription ? `subscriptions/${subscription.id}` : 'subscriptions');
  const field: MakeField<Exclude<keyof SubscriptionForm, 'lines'>> = (name, label, more) => ({
    ...{ name, label, value: form[name], fault: faults.fields[name], autocomplete: 'off' },
    ...more,
  });
  const page: PageBlock = {
    title: subscription ? t.editSubscription : t.newSubscription,
    ...(subscription && { intro: t.editSubscriptionIntro }),
    back: { label: t.subscriptions, href: here },
    sections: [],
  };
  return {
    page,
    hidden,
    action: subscription ? `${here}/edit` : `${here}/new`,
    liveUrl: subscription ? `${here}/preview` : `${here}/new/preview`,
    buttons: [{ press: 'save', label: t.save, isPrimary: true }],
    ...(customers && customerViews(place, form, faults, customers)),
    ...productViews(place, form, products),
    head: headFields(place, field, subscription),
    terms: wordFields(place, field),
    linesHint: t.linesFollow,
    lines: linesView(place, form.lines, faults, products.names),
    live: occurrencesSection(place, occurrences),
  };
}

function headFields(
  place: Workplace,
  field: MakeField<Exclude<keyof SubscriptionForm, 'lines'>>,
  subscription: Subscription | undefined,
): readonly FieldBlock[] {
  const { t } = place;
  const choice = (options: readonly (readonly [string, keyof Texts])[]) =>
    options.map(([value, label]) => ({ value, label: t[label] }));
  return [
    // In whose name it is never changes either.
    ...(subscription ? [] : profileFields(place, field)),
    field('freq', t.period, { required: true, options: choice(UNITS) }),
    field('interval', t.intervalLabel, { required: true, inputMode: 'numeric', maxLength: 3 }),
    field('from', subscription ? t.changeFrom : t.startDate, {
      type: 'date',
      hint: subscription ? t.changeFromHint : t.startDateHint,
    }),
    field('sending', t.sending, { required: true, options: choice(SENDING) }),
    pricesField(place, field),
  ];
}
