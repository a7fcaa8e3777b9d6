import { outboxField, outboxIndex } from '@invoicing/events';
import {
  NEWEST_FIRST,
  actorSchema,
  claimDue,
  compareAndSet,
  declareCollection,
  inOrganization,
  insertOrFind,
  newest,
  oneOf,
  openCollection,
  openHistory,
  pendingChangeIndex,
  recordedFields,
  required,
  type Connection,
  type History,
  type Model,
  type OrganizationClocks,
  type QueryFilter,
  type Recorded,
  type UpdateQuery,
} from '@invoicing/mongo';
import { knownActor, type Actor } from '@invoicing/rules';
import { v5 as uuidv5 } from 'uuid';
import type { InvoiceRef } from '../billing-client';
import type { PeppolDelivery, PeppolError, PeppolFailure, PeppolRef } from './peppol-delivery';
import { peppolDelivered, peppolFailed } from './peppol-events';

type Kept = PeppolDelivery & Recorded;

export const peppolCollection = declareCollection<Kept>('peppol_deliveries', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    invoiceId: required(String),
    status: oneOf('pending', 'submitted', 'delivered', 'failed', 'skipped'),
    error: required(String),
    reason: required(String),
    isOwed: required(Boolean),
    recipient: required(String),
    lookedUpAt: Date,
    accountId: String,
    submissionId: String,
    messageId: String,
    submittedAt: Date,
    deliveredAt: Date,
    attempts: required(Number),
    dueAt: Date,
    createdAt: required(Date),
    by: actorSchema,
    isToFail: Boolean,
    outbox: outboxField,
    ...recordedFields,
  },
  indexes: [
    [{ dueAt: 1 }, { sparse: true }],
    [NEWEST_FIRST],
    [{ organizationId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, invoiceId: 1, ...NEWEST_FIRST }],
    outboxIndex,
    pendingChangeIndex,
  ],
});

const DELIVERIES = '6f6a0f1e-6a1c-5d0e-9d0b-706565700001';

export const peppolIdOf = (invoiceId: string): string => uuidv5(invoiceId, DELIVERIES);

export type PeppolDeliveryStore = Awaited<ReturnType<typeof openPeppolDeliveryStore>>;

/** Documents that go over Peppol, and how far each has come. `onEvents`: something is to be told. */
export async function openPeppolDeliveryStore(
  connection: Connection,
  onEvents: () => void,
  clocks: OrganizationClocks,
) {
  const model = await openCollection(connection, peppolCollection);
  const history = await openHistory(connection, [model]);
  return {
    model,
    now: clocks.now,
    ...readsOf(model),
    ...beginningsOf(model, history, clocks),
    ...claimsOf(model, clocks),
    ...stepsOf(model, onEvents, clocks),
  };
}

const readsOf = (model: Model<Kept>) => ({
  find: ({ organizationId, _id }: PeppolRef): Promise<PeppolDelivery | null> =>
    model.findOne({ organizationId, _id }).lean<PeppolDelivery>().exec(),

  /** Whoever's it is: an access point knows it by this id alone. */
  findById: (_id: string): Promise<PeppolDelivery | null> => model.findOne({ _id }).lean<PeppolDelivery>().exec(),

  list: (
    { organizationId, invoiceId }: { organizationId?: string | undefined; invoiceId?: string | undefined },
    limit: number,
  ): Promise<PeppolDelivery[]> =>
    newest<Kept, PeppolDelivery>(
      model,
      { ...inOrganization(organizationId), ...(invoiceId && { invoiceId }) } as QueryFilter<Kept>,
      { limit },
    ),
});

const beginningsOf = (model: Model<Kept>, history: History, { now }: OrganizationClocks) => {
  const begun = (
    { organizationId, invoiceId }: InvoiceRef,
    _id: string,
    isOwed: boolean,
    dueInMs = 0,
  ): PeppolDelivery => {
    const createdAt = now(organizationId);
    const first = { status: 'pending', error: '', reason: '', recipient: '', attempts: 0 } as const;
    const dueAt = new Date(createdAt.getTime() + dueInMs);
    return { _id, organizationId, invoiceId, ...first, isOwed, dueAt, createdAt };
  };
  return {
    /** The delivery of a document that was issued; made when it is not there, for a first step by the worker in `dueInMs`. */
    ensure: (of: InvoiceRef, isOwed: boolean, dueInMs: number): Promise<PeppolDelivery> =>
      insertOrFind<PeppolDelivery>(
        model as unknown as Model<PeppolDelivery>,
        begun(of, peppolIdOf(of.invoiceId), isOwed, dueInMs),
      ),

    /** Another one, which somebody asked for; the same id again is the same. */
    again: (
      of: InvoiceRef,
      id: string,
      by: Actor,
      label: string,
      rehearsal: Pick<PeppolDelivery, 'isToFail'> = {},
    ): Promise<PeppolDelivery> =>
      history.insert<Kept>(
        model,
        { ...begun(of, id, true), ...rehearsal, by: knownActor(by) },
        { by, action: 'invoice.sent_over_peppol', subject: { kind: 'invoice', id: of.invoiceId, label }, fields: [] },
      ),
  };
};

const claimsOf = (model: Model<Kept>, { now, ahead }: OrganizationClocks) => ({
  /** Takes the one that has been due longest, for a step that ends before `leaseMs`. */
  claimDue: (leaseMs: number): Promise<PeppolDelivery | null> =>
    claimDue(model, { now: new Date(), leaseUntil: new Date(Date.now() + leaseMs), ahead: ahead() }),

  /** Takes this one, though it is not due; false when somebody else did. */
  claim: ({ organizationId, _id, dueAt }: PeppolDelivery, leaseMs: number): Promise<boolean> => {
    const leased = new Date(now(organizationId).getTime() + leaseMs);
    return compareAndSet(model, { organizationId, _id, dueAt } as QueryFilter<Kept>, { $set: { dueAt: leased } });
  },
});

const COULD_NOT_GO: readonly PeppolError[] = ['not_connected', 'no_e_invoice', 'recipient_not_found'];

/** Each changes the delivery only while it is at the step that was taken: of two that took it, one does nothing. */
const stepsOf = (model: Model<Kept>, onEvents: () => void, { now }: OrganizationClocks) => {
  const change = ({ organizationId, _id, status }: PeppolDelivery, update: UpdateQuery<Kept>): Promise<boolean> =>
    compareAndSet(model, { organizationId, _id, status } as QueryFilter<Kept>, update);
  return {
    /** What became known of the recipient. */
    addressed: async (of: PeppolDelivery, known: Pick<PeppolDelivery, 'recipient' | 'lookedUpAt'>): Promise<void> => {
      await change(of, { $set: known });
    },

    submitted: async (of: PeppolDelivery, accountId: string, submissionId: string, dueAt: Date): Promise<void> => {
      const told = { ...(submissionId && { submissionId }), submittedAt: now(of.organizationId) };
      const $set = { status: 'submitted' as const, error: '' as const, reason: '', accountId, ...told };
      await change(of, { $set: { ...$set, attempts: 0, dueAt } });
    },

    /** An access point told of it: progress is to be asked for now. */
    hinted: async (of: PeppolDelivery, submissionId: string): Promise<void> => {
      await change(of, { $set: { dueAt: now(of.organizationId), ...(submissionId && { submissionId }) } });
    },

    postpone: async (of: PeppolDelivery, dueAt: Date, why?: PeppolFailure): Promise<void> => {
      await change(of, { $set: { attempts: of.attempts + 1, dueAt, ...why } });
    },

    delivered: async (of: PeppolDelivery, messageId: string): Promise<void> => {
      const deliveredAt = now(of.organizationId);
      const $set = { status: 'delivered' as const, error: '' as const, reason: '', messageId, deliveredAt };
      const $push = { outbox: peppolDelivered(of, messageId, deliveredAt) };
      if (await change(of, { $set, $unset: { dueAt: 1 }, $push } as UpdateQuery<Kept>)) onEvents();
    },

    /** For good. What could not go and is not owed to anybody is skipped, and not told. */
    failed: async (of: PeppolDelivery, why: PeppolFailure): Promise<void> => {
      const isSkipped = !of.isOwed && COULD_NOT_GO.includes(why.error);
      const $set = { ...why, status: isSkipped ? ('skipped' as const) : ('failed' as const) };
      const told = !isSkipped && { $push: { outbox: peppolFailed(of, why, now(of.organizationId)) } };
      if (await change(of, { $set, $unset: { dueAt: 1 }, ...told } as UpdateQuery<Kept>)) onEvents();
    },
  };
};
