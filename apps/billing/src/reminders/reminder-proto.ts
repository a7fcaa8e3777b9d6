import {
  ReminderState as State,
  type Reminder as Message,
  type ReminderClaim,
  type ReminderContent,
  type ReminderExceptions,
  type ReminderPlan as Plan,
  type SetReminderPlanRequest,
} from '@invoicing/contracts/invoicing/billing/v1/reminders';
import { isLanguage } from '@invoicing/design';
import type { Described } from './describe-reminder';
import type { Reminder, ReminderException, ReminderState } from './reminder';
import type { Claim, ReminderPlan } from './reminder-plan';

const STATES = {
  due: State.DUE,
  sent: State.SENT,
  failed: State.FAILED,
  withdrawn: State.WITHDRAWN,
} as const satisfies Record<ReminderState, State>;

const toClaim = ({ openCents, costsCents, interestCents, notice }: Claim): ReminderClaim => ({
  ...{ openCents, costsCents, interestCents },
  noticeCostsCents: notice?.costsCents,
  noticeUntil: notice?.until,
});

export const toReminder = (reminder: Reminder): Message => ({
  id: reminder._id,
  organizationId: reminder.organizationId,
  invoiceId: reminder.invoiceId,
  number: reminder.number,
  step: reminder.step + 1,
  channel: reminder.channel,
  state: STATES[reminder.state],
  why: reminder.why ?? '',
  claim: toClaim(reminder.claim),
  createdAt: reminder.createdAt,
  sentAt: reminder.sentAt,
});

export const toContent = (reminder: Reminder, described: Described): ReminderContent =>
  'notSent' in described
    ? { withdrawn: true, step: reminder.step + 1, last: false, again: false, claim: undefined, text: '' }
    : {
        ...{ withdrawn: false, step: reminder.step + 1, text: described.text },
        ...{ last: described.last, again: described.again },
        claim: toClaim(described.claim),
      };

export const toPlan = (
  organizationId: string,
  profileId: string | undefined,
  plan: ReminderPlan,
  warnings: string[],
): Plan => ({
  ...{ organizationId, profileId, enabled: plan.enabled },
  steps: plan.steps.map(({ texts, ...step }) => ({ ...step, texts: [...texts] })),
  rates: [...plan.rates],
  warnings,
});

export const fromPlan = ({ enabled, steps, rates }: SetReminderPlanRequest): ReminderPlan => ({
  enabled,
  steps: steps.map(({ texts, channel = 'email', ...step }) => ({
    ...step,
    // A channel that is none is refused with the rest.
    channel: channel as 'email' | 'post',
    // A language that is none is refused with the rest.
    texts: texts.map(({ language, text }) => ({ language: (isLanguage(language) ? language : '') as 'nl', text })),
  })),
  rates: rates.map(({ kind, ...rate }) => ({ ...rate, kind: kind as 'consumer' | 'business' })),
});

export const toExceptions = (exceptions: readonly ReminderException[]): ReminderExceptions => ({
  exceptions: exceptions.map(({ _id: id, kind, reason, by, createdAt: at }) => ({
    ...{ id, kind, reason, at },
    by: by.label ?? by.id,
  })),
});
