import { outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import {
  NEWEST_FIRST,
  REAL_TIME,
  actorSchema,
  claimDue,
  compareAndSet,
  declareCollection,
  embedded,
  insertOnce,
  newestPage,
  oneOf,
  openCollection,
  required,
  type Connection,
  type Model,
  type OrganizationClocks,
} from '@invoicing/mongo';
import { knownActor } from '@invoicing/rules';
import { invoiceReminded } from '../billing-events';
import type { KeptPlan, Reminder, ReminderException } from './reminder';
import type { Claim, ReminderStep } from './reminder-plan';
import type { ReminderExceptions, ReminderPlans, Reminders } from './reminder-ports';
import type { InterestRate } from './statutory-interest';

export type ReminderDocument = Omit<Reminder, 'dueAt'> & { readonly dueAt?: Date; readonly outbox?: OutboxEntry[] };
type PlanDocument = Omit<KeptPlan, 'dueAt'> & { readonly dueAt?: Date };

const reminderCollection = declareCollection<ReminderDocument>('reminders', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    invoiceId: required(String),
    customerId: required(String),
    profileId: required(String),
    number: required(String),
    step: required(Number),
    channel: oneOf('email', 'post'),
    state: oneOf('due', 'sent', 'failed', 'withdrawn'),
    why: String,
    claim: required(
      embedded<Claim>({
        openCents: required(Number),
        costsCents: required(Number),
        interestCents: required(Number),
        notice: embedded<NonNullable<Claim['notice']>>({ costsCents: required(Number), until: required(String) }),
      }),
    ),
    asked: Boolean,
    unplanned: Boolean,
    day: required(String),
    createdAt: required(Date),
    sentAt: Date,
    dueAt: Date,
    outbox: outboxField,
  },
  indexes: [
    [{ organizationId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, invoiceId: 1, ...NEWEST_FIRST }],
    [{ dueAt: 1 }, { sparse: true }],
    outboxIndex,
  ],
});

const planCollection = declareCollection<PlanDocument>('reminder_plans', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    profileId: String,
    enabled: required(Boolean),
    steps: required([
      embedded<ReminderStep>({
        afterDays: required(Number),
        channel: oneOf('email', 'post'),
        costs: required(Boolean),
        interest: required(Boolean),
        texts: required([
          embedded<ReminderStep['texts'][number]>({ language: oneOf('nl', 'en', 'de', 'fr'), text: required(String) }),
        ]),
      }),
    ]),
    rates: required([
      embedded<InterestRate>({ kind: oneOf('consumer', 'business'), from: required(String), bps: required(Number) }),
    ]),
    dueAt: Date,
  },
  indexes: [[{ organizationId: 1 }], [{ enabled: 1, organizationId: 1 }], [{ dueAt: 1 }, { sparse: true }]],
});

const exceptionCollection = declareCollection<ReminderException>('reminder_exceptions', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    kind: oneOf('customer', 'invoice'),
    reason: required(String),
    by: required(actorSchema),
    createdAt: required(Date),
  },
  indexes: [[{ organizationId: 1, createdAt: 1 }]],
});

export const openReminders = (connection: Connection): Promise<Model<ReminderDocument>> =>
  openCollection(connection, reminderCollection);

/** Reminders, with the event that one was sent. */
export function mongoReminders(model: Model<ReminderDocument>, onEvents: () => void): Reminders {
  return {
    insert: ({ notice: _, ...reminder }: Reminder & { notice?: never }) =>
      insertOnce(model, reminder as ReminderDocument),
    find: (organizationId, id) => model.findOne({ organizationId, _id: id }, { outbox: 0 }).lean<Reminder>().exec(),
    ofInvoice: (organizationId, invoiceId) =>
      model.find({ organizationId, invoiceId }, { outbox: 0 }).lean<Reminder[]>().exec(),
    change: async (seen, to, issued) => {
      const { organizationId, _id } = seen;
      const due = { organizationId, _id, state: 'due' as const };
      if (to.state === 'due') {
        const asked = to.asked && { asked: true, claim: knownClaim(to.asked.claim) };
        return compareAndSet(model, due, { $set: { dueAt: to.dueAt, ...asked } });
      }
      const $unset = { dueAt: 1 as const };
      if (to.state !== 'sent') return compareAndSet(model, due, { $set: to, $unset });
      // What was said last is what was sent.
      const said = await model.findOne(due, { outbox: 0 }).lean<Reminder>().exec();
      if (!said) return false;
      const outbox = [invoiceReminded(issued, { ...said, sentAt: to.sentAt })];
      const changed = await compareAndSet(model, due, { $set: { ...to, outbox }, $unset });
      if (changed) onEvents();
      return changed;
    },
    page: (organizationId, { invoiceId }, wanted) =>
      newestPage<ReminderDocument, Reminder>(
        model,
        { organizationId, ...(invoiceId !== undefined && { invoiceId }) },
        { ...wanted, without: ['outbox'] },
      ),
    claimDue: async (now, leaseUntil, organizationId) => {
      const where = organizationId === undefined ? {} : { organizationId };
      return (await claimDue(model, { where, now, leaseUntil })) as Reminder | null;
    },
  };
}

const knownClaim = ({ notice, ...claim }: Claim): Claim => ({ ...claim, ...(notice && { notice }) });

/** How organisations and their profiles remind, and when each is looked through next, by its own clock. */
export async function mongoReminderPlans(
  connection: Connection,
  clocks: OrganizationClocks = REAL_TIME,
): Promise<ReminderPlans> {
  const model = await openCollection(connection, planCollection);
  return {
    of: (organizationId) => model.find({ organizationId }, { dueAt: 0 }).lean<KeptPlan[]>().exec(),
    put: async ({ _id, organizationId, profileId, enabled, steps, rates, dueAt }) => {
      const $set = { enabled, steps, rates, ...(profileId !== undefined && { profileId }), ...(dueAt && { dueAt }) };
      await model.updateOne({ organizationId, _id }, { $set }, { upsert: true });
    },
    organizations: () => model.distinct('organizationId', { enabled: true }).exec(),
    claimDue: async (now, leaseUntil) =>
      (await claimDue(model, { now, leaseUntil, ahead: clocks.ahead() })) as KeptPlan | null,
    lookAgain: async (organizationId, at) => {
      await model.updateMany({ organizationId, dueAt: { $exists: true } }, { $set: { dueAt: at } });
    },
  };
}

/** Who is not reminded. */
export async function mongoReminderExceptions(connection: Connection): Promise<ReminderExceptions> {
  const model = await openCollection(connection, exceptionCollection);
  return {
    list: (organizationId) => model.find({ organizationId }).sort({ createdAt: 1 }).lean<ReminderException[]>().exec(),
    put: async (exception) => void (await insertOnce(model, { ...exception, by: knownActor(exception.by) })),
    remove: async (organizationId, id) => void (await model.deleteOne({ organizationId, _id: id })),
    among: async (organizationId, ids) => {
      const found = await model
        .find({ organizationId, _id: { $in: [...ids] } }, { _id: 1 })
        .lean<{ _id: string }[]>()
        .exec();
      return new Set(found.map(({ _id }) => _id));
    },
  };
}
