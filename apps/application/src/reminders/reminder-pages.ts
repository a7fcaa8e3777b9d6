import {
  ReminderState,
  type Reminder,
  type ReminderException,
  type ReminderPlan,
} from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { linked, plain, type Cell, type NoticeBlock, type PageBlock, type SectionBlock } from '../pages/blocks';
import { day, moment, money } from '../pages/format';
import { olderAction } from '../pages/list-request';
import { fill, type Texts } from '../pages/texts';
import type { Workplace } from '../pages/visit';

interface Shown {
  readonly reminders: readonly Reminder[];
  readonly cursor: string | undefined;
  readonly exceptions: readonly ReminderException[];
  readonly names: ReadonlyMap<string, string>;
  readonly plan: ReminderPlan;
  readonly notice: NoticeBlock | undefined;
}

const STATES: Readonly<Record<string, readonly [keyof Texts, Cell['tone']]>> = {
  [ReminderState.DUE]: ['reminderDue', 'plain'],
  [ReminderState.SENT]: ['stateSent', 'good'],
  [ReminderState.FAILED]: ['stateFailed', 'bad'],
  [ReminderState.WITHDRAWN]: ['reminderWithdrawn', 'plain'],
};
const WHY: Readonly<Record<string, keyof Texts>> = {
  no_recipient: 'reminderNoRecipient',
  recipient_rejected: 'reminderRejected',
  paid: 'statePaid',
  excepted: 'reminderExcepted',
  payment_in_process: 'attemptPending',
  superseded: 'reminderSuperseded',
  off: 'reminderOff',
};

export function remindersPage(place: Workplace, shown: Shown): PageBlock {
  const { t, at, may } = place;
  return {
    title: t.reminders,
    intro: planText(place, shown.plan),
    state: shown.plan.enabled ? { text: t.stateActive, tone: 'good' } : { text: t.reminderOff, tone: 'plain' },
    notice: shown.notice,
    actions: may('settings.write')
      ? [{ label: t.reminderPlan, href: at('reminders/plan'), isPrimary: !shown.plan.enabled }]
      : [],
    sections: [listSection(place, shown), exceptionsSection(place, shown)],
  };
}

/** The plan in a sentence. */
export function planText({ t, language }: Workplace, { enabled, steps }: ReminderPlan): string {
  if (!enabled) return t.reminderOffText;
  const days = new Intl.ListFormat(language).format(steps.map(({ afterDays }) => String(afterDays)));
  return fill(t.reminderOnText, { days });
}

function listSection(place: Workplace, { reminders, cursor }: Shown): SectionBlock {
  const { t, at, language, timeZone, currency } = place;
  return {
    title: t.remindersSent,
    table: {
      caption: t.remindersSent,
      columns: [
        { label: t.invoice },
        { label: t.reminderStep, isNumber: true },
        { label: t.when },
        { label: t.openAmount, isNumber: true },
        { label: t.reminderExtra, isNumber: true },
        { label: t.state },
      ],
      rows: reminders.map((each) => [
        linked(each.number, at(`invoices/${each.invoiceId}`)),
        plain(String(each.step)),
        plain(moment(each.sentAt ?? each.createdAt, language, timeZone)),
        plain(money(each.claim?.openCents ?? 0, currency, language)),
        plain(money((each.claim?.costsCents ?? 0) + (each.claim?.interestCents ?? 0), currency, language)),
        stateCell(t, each),
      ]),
      empty: t.noReminders,
    },
    actions: olderAction(at('reminders'), '', cursor, t),
  };
}

function stateCell(t: Texts, { state, why }: Reminder): Cell {
  const [label, tone] = STATES[state] ?? ['none', 'plain'];
  return { text: [t[label], WHY[why] && t[WHY[why]]].filter(Boolean).join(': '), tone };
}

function exceptionsSection(place: Workplace, { exceptions, names }: Shown): SectionBlock {
  const { t, at, language, may } = place;
  const mayChange = may('payments.record');
  return {
    title: t.reminderExceptions,
    text: t.reminderExceptionsText,
    table: {
      caption: t.reminderExceptions,
      columns: [
        { label: t.reminderWhom },
        { label: t.reason },
        { label: t.by },
        { label: t.date },
        ...(mayChange ? [{ label: t.change }] : []),
      ],
      rows: exceptions.map(({ kind, id, reason, by, at: since }) => [
        kind === 'customer'
          ? linked(names.get(id) || t.customer, at(`customers/${id}`))
          : linked(t.invoice, at(`invoices/${id}`)),
        plain(reason),
        plain(by),
        plain(day(since?.toISOString().slice(0, 10) ?? '', language)),
        ...(mayChange
          ? [
              {
                text: t.remindAgain,
                form: {
                  ...{ action: at('reminders/except'), submit: t.remindAgain, tone: '' as const },
                  hidden: { [kind]: id, remove: 'yes' },
                },
              },
            ]
          : []),
      ]),
      empty: t.noReminderExceptions,
    },
  };
}
