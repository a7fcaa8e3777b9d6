import { outboxEntry, outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import {
  NEWEST_FIRST,
  compareAndSet,
  declareCollection,
  inOrganization,
  insertOrFind,
  newest,
  oneOf,
  openCollection,
  required,
  type Connection,
  type Model,
} from '@invoicing/mongo';
import { v5 as uuidv5 } from 'uuid';
import type { MailErrorCode } from './mail-transport';

export type MailStatus = 'pending' | 'sent' | 'failed';

/** One message, whatever happens to it. The message itself is made anew for each attempt, from what billing has frozen. */
export interface MailDocument {
  /** From the invoice's id: an invoice is mailed once, whoever asks. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly to: string;
  readonly subject: string;
  readonly attachments: string[];
  readonly status: MailStatus;
  readonly error: MailErrorCode | '';
  readonly attempts: number;
  /** While pending: when somebody may try (again). A running attempt moves it past its own end, which makes it a lease. */
  readonly dueAt?: Date;
  readonly createdAt: Date;
  readonly sentAt?: Date;
  /** YYYY-MM-DD: on which day it took its place in the organisation's quota. */
  readonly quotaDay?: string;
  /** That it failed for good, until that is told. */
  readonly outbox?: OutboxEntry[];
}

/** What becomes known of a message when it is composed. */
export type MailSummary = Pick<MailDocument, 'to' | 'subject' | 'attachments' | 'quotaDay'>;

export interface MailFilter {
  readonly to?: string | undefined;
  readonly organizationId?: string | undefined;
}

export type MailRef = Pick<MailDocument, 'organizationId' | '_id'>;

export const mailCollection = declareCollection<MailDocument>('mails', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    invoiceId: required(String),
    to: required(String),
    subject: required(String),
    attachments: required([String]),
    status: oneOf('pending', 'sent', 'failed'),
    error: required(String),
    attempts: required(Number),
    dueAt: Date,
    createdAt: required(Date),
    sentAt: Date,
    quotaDay: String,
    outbox: outboxField,
  },
  indexes: [
    [{ dueAt: 1 }, { sparse: true }],
    [NEWEST_FIRST],
    [{ to: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, ...NEWEST_FIRST }],
    outboxIndex,
  ],
});

const MAIL_NAMESPACE = '6f6a0f1e-6a1c-5d0e-9d0b-6d61696c0001';

export const mailIdOf = (invoiceId: string): string => uuidv5(invoiceId, MAIL_NAMESPACE);

export type MailStore = Awaited<ReturnType<typeof openMailStore>>;

/** Invoices that go by e-mail: one message each, with the attempts at sending it. `onEvents`: something is to be told. */
export async function openMailStore(connection: Connection, onEvents: () => void = () => {}) {
  const mails = await openCollection(connection, mailCollection);

  return { model: mails, ...readsOf(mails), ...changesOf(mails, onEvents) };
}

const readsOf = (mails: Model<MailDocument>) => ({
  find: ({ organizationId, _id }: MailRef): Promise<MailDocument | null> =>
    mails.findOne({ organizationId, _id }).lean<MailDocument>().exec(),

  due: (limit: number): Promise<MailRef[]> =>
    mails
      .find({ dueAt: { $lte: new Date() } }, { organizationId: 1 })
      .sort({ dueAt: 1 })
      .limit(limit)
      .lean<MailRef[]>()
      .exec(),

  list: ({ to, organizationId }: MailFilter, limit: number): Promise<MailDocument[]> =>
    newest(mails, { ...inOrganization(organizationId || undefined), ...(to && { to }) }, { limit }),
});

const changesOf = (mails: Model<MailDocument>, onEvents: () => void) => ({
  /** The mail document of an invoice; made when it is not there, for a first attempt at `dueAt` by the worker. */
  ensure: async (
    { organizationId, invoiceId }: { organizationId: string; invoiceId: string },
    dueAt: Date,
  ): Promise<MailDocument> => {
    return insertOrFind<MailDocument>(mails, {
      ...{ _id: mailIdOf(invoiceId), organizationId, invoiceId, to: '', subject: '', attachments: [] },
      ...{ status: 'pending', error: '', attempts: 0, dueAt, createdAt: new Date() },
    });
  },

  /** Takes a pending message for one attempt that ends before `leaseMs`; null when it is settled, or another has it. */
  claim: async ({ organizationId, _id }: MailRef, leaseMs: number): Promise<MailDocument | null> => {
    const now = Date.now();
    return mails
      .findOneAndUpdate(
        // The very first attempt need not wait for the worker's turn.
        { organizationId, _id, status: 'pending', $or: [{ attempts: 0 }, { dueAt: { $lte: new Date(now) } }] },
        { $inc: { attempts: 1 }, $set: { dueAt: new Date(now + leaseMs) } },
        { returnDocument: 'after' },
      )
      .lean<MailDocument>()
      .exec();
  },

  describe: async ({ organizationId, _id }: MailRef, summary: Partial<MailSummary>): Promise<void> => {
    await mails.updateOne({ organizationId, _id }, { $set: summary });
  },

  /** Prolongs the lease of attempt `attempts`; false when it is over, or a later attempt has begun. */
  renew: ({ organizationId, _id, attempts }: MailDocument, leaseMs: number): Promise<boolean> => {
    const held = { organizationId, _id, attempts, status: 'pending' as const };
    return compareAndSet(mails, held, { $set: { dueAt: new Date(Date.now() + leaseMs) } });
  },

  /** Attempt `attempts` got nowhere and does not count. */
  postpone: async (
    { organizationId, _id, attempts }: MailDocument,
    error: MailErrorCode,
    dueAt: Date,
  ): Promise<void> => {
    await mails.updateOne(
      { organizationId, _id, attempts, status: 'pending' },
      { $set: { error, dueAt }, $inc: { attempts: -1 } },
    );
  },

  /** It is out, even when the attempt's lease was lost meanwhile. */
  markSent: async ({ organizationId, _id }: MailRef): Promise<void> => {
    const $set = { status: 'sent' as const, error: '' as const, sentAt: new Date() };
    await mails.updateOne({ organizationId, _id }, { $set, $unset: { dueAt: 1 } });
  },

  /** Attempt `attempts` failed. Without `dueAt` for good, and that is told. A later attempt that has begun meanwhile is left alone. */
  markFailed: async (mail: MailDocument, error: MailErrorCode, dueAt: Date | undefined): Promise<void> => {
    const { organizationId, _id, attempts } = mail;
    const change = dueAt
      ? { $set: { error, dueAt } }
      : {
          $set: { error, status: 'failed' as const },
          $unset: { dueAt: 1 as const },
          $push: { outbox: mailFailed(mail, error, new Date()) },
        };
    await mails.updateOne({ organizationId, _id, attempts, status: 'pending' }, change);
    if (!dueAt) onEvents();
  },
});

/** A message that is tried again after it failed may fail again, at a later attempt: that is another event. */
const mailFailed = ({ _id, organizationId, invoiceId, attempts }: MailDocument, error: MailErrorCode, at: Date) =>
  outboxEntry(
    Event.fromPartial({
      id: uuidv5(`mail.failed:${attempts}`, _id),
      type: 'mail.failed',
      occurredAt: at,
      organizationId,
      source: 'notification',
      mailFailed: { mailId: _id, invoiceId, error, attempts },
    }),
  );
