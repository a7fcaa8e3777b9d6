import { v5 as uuidv5 } from 'uuid';
import type { Actor } from '@invoicing/rules';
import type { Claim, ReminderPlan } from './reminder-plan';

export type ReminderState = 'due' | 'sent' | 'failed' | 'withdrawn';

/** Why a reminder was not sent. */
export type NotSent =
  | 'no_recipient'
  | 'recipient_rejected'
  | 'no_address'
  | 'no_credits'
  | 'letter_rejected'
  | 'paid'
  | 'excepted'
  | 'payment_in_process'
  | 'superseded'
  | 'off';

/** One step of a plan for one invoice. */
export interface Reminder {
  /** From the invoice and the step: there is one, whoever makes it. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly profileId: string;
  readonly number: string;
  /** Of the plan, from 0. */
  readonly step: number;
  readonly channel: 'email' | 'post';
  readonly state: ReminderState;
  readonly why?: NotSent | undefined;
  /** What it asks for; as it was said last. */
  readonly claim: Claim;
  /** Its sending was asked for: only who sends it knows what became of it. */
  readonly asked?: boolean | undefined;
  /** It was asked for in the sandbox: it goes though the plan is off. */
  readonly unplanned?: boolean | undefined;
  /** YYYY-MM-DD: the day that it was made for, and is dated. */
  readonly day: string;
  readonly createdAt: Date;
  readonly sentAt?: Date | undefined;
  /** While due: when somebody sends it, or asks again what became of it. */
  readonly dueAt?: Date | undefined;
}

/** A plan as it is kept. */
export interface KeptPlan extends ReminderPlan {
  /** The profile's id, or the organisation's. */
  readonly _id: string;
  readonly organizationId: string;
  /** Absent: the organisation's. */
  readonly profileId?: string | undefined;
  /** When its organisation is looked through next; on the organisation's only. */
  readonly dueAt?: Date | undefined;
}

/** A customer or an invoice that is not reminded. */
export interface ReminderException {
  /** The customer's or the invoice's id. */
  readonly _id: string;
  readonly organizationId: string;
  readonly kind: 'customer' | 'invoice';
  readonly reason: string;
  readonly by: Actor;
  readonly createdAt: Date;
}

// Ours alone, so that no id of another kind can be the same.
const NAMESPACE = '8d2f6a7e-53c1-5b0f-9c67-72656d690001';

export const reminderId = (invoiceId: string, step: number): string => uuidv5(`${invoiceId}:${step}`, NAMESPACE);

/** What an organisation that said nothing has; off. */
export const USUAL_PLAN: ReminderPlan = {
  enabled: false,
  steps: [
    { afterDays: 7, channel: 'email', costs: false, interest: false, texts: [] },
    { afterDays: 14, channel: 'email', costs: false, interest: false, texts: [] },
    { afterDays: 28, channel: 'email', costs: false, interest: false, texts: [] },
  ],
  rates: [],
};
