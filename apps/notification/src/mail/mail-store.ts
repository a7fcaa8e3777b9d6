import { Schema, type Connection, type QueryFilter } from 'mongoose';
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
}

/** What becomes known of a message when it is composed. */
export type MailSummary = Pick<MailDocument, 'to' | 'subject' | 'attachments'>;

export interface MailFilter {
  readonly to?: string | undefined;
  readonly organizationId?: string | undefined;
}

const schema = new Schema<MailDocument>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    invoiceId: { type: String, required: true },
    to: { type: String, default: '' },
    subject: { type: String, default: '' },
    attachments: { type: [String], default: [] },
    status: { type: String, required: true, enum: ['pending', 'sent', 'failed'] },
    error: { type: String, default: '' },
    attempts: { type: Number, default: 0 },
    dueAt: Date,
    createdAt: { type: Date, required: true },
    sentAt: Date,
  },
  { versionKey: false },
);
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ createdAt: -1 });
schema.index({ to: 1, createdAt: -1 });
schema.index({ organizationId: 1, createdAt: -1 });

const MAIL_NAMESPACE = '6f6a0f1e-6a1c-5d0e-9d0b-6d61696c0001';

export const mailIdOf = (invoiceId: string): string => uuidv5(invoiceId, MAIL_NAMESPACE);

export type MailStore = Awaited<ReturnType<typeof openMailStore>>;

export async function openMailStore(connection: Connection) {
  const mails = connection.model<MailDocument>('Mail', schema, 'mails');
  await mails.createIndexes();

  return {
    find: (id: string): Promise<MailDocument | null> => mails.findById(id).lean().exec(),

    /** The mail document of an invoice; made when it is not there, for a first attempt at `dueAt` by the worker. */
    ensure: async (of: { organizationId: string; invoiceId: string }, dueAt: Date): Promise<MailDocument> => {
      const _id = mailIdOf(of.invoiceId);
      const made = { ...of, to: '', subject: '', attachments: [], status: 'pending', error: '', attempts: 0 };
      return mails
        .findOneAndUpdate(
          { _id },
          { $setOnInsert: { ...made, dueAt, createdAt: new Date() } },
          { upsert: true, returnDocument: 'after' },
        )
        .lean()
        .orFail()
        .exec();
    },

    /** Takes a pending message for one attempt that ends before `leaseMs`; null when it is settled, or another has it. */
    claim: async (id: string, leaseMs: number): Promise<MailDocument | null> => {
      const now = Date.now();
      return mails
        .findOneAndUpdate(
          // The very first attempt need not wait for the worker's turn.
          { _id: id, status: 'pending', $or: [{ attempts: 0 }, { dueAt: { $lte: new Date(now) } }] },
          { $inc: { attempts: 1 }, $set: { dueAt: new Date(now + leaseMs) } },
          { returnDocument: 'after' },
        )
        .lean()
        .exec();
    },

    dueIds: async (limit: number): Promise<string[]> => {
      const found = await mails
        .find({ dueAt: { $lte: new Date() } }, { _id: 1 })
        .sort({ dueAt: 1 })
        .limit(limit)
        .lean()
        .exec();
      return found.map(({ _id }) => _id);
    },

    describe: async (id: string, summary: MailSummary): Promise<void> => {
      await mails.updateOne({ _id: id }, { $set: summary });
    },

    /** Prolongs the lease of attempt `attempts`; false when it is over, or a later attempt has begun. */
    renew: async (id: string, attempts: number, leaseMs: number): Promise<boolean> => {
      const held = { _id: id, attempts, status: 'pending' as const };
      const { matchedCount } = await mails.updateOne(held, { $set: { dueAt: new Date(Date.now() + leaseMs) } });
      return matchedCount > 0;
    },

    /** Attempt `attempts` got nowhere and does not count. */
    postpone: async (id: string, attempts: number, error: MailErrorCode, dueAt: Date): Promise<void> => {
      await mails.updateOne(
        { _id: id, attempts, status: 'pending' },
        { $set: { error, dueAt }, $inc: { attempts: -1 } },
      );
    },

    /** It is out, even when the attempt's lease was lost meanwhile. */
    markSent: async (id: string): Promise<void> => {
      const $set = { status: 'sent', error: '', sentAt: new Date() };
      await mails.updateOne({ _id: id }, { $set, $unset: { dueAt: 1 } });
    },

    /** Attempt `attempts` failed. Without `dueAt` for good. A later attempt that has begun meanwhile is left alone. */
    markFailed: async (id: string, attempts: number, error: MailErrorCode, dueAt: Date | undefined): Promise<void> => {
      const change = dueAt
        ? { $set: { error, dueAt } }
        : { $set: { error, status: 'failed' as const }, $unset: { dueAt: 1 as const } };
      await mails.updateOne({ _id: id, attempts, status: 'pending' }, change);
    },

    list: ({ to, organizationId }: MailFilter, limit: number): Promise<MailDocument[]> => {
      const filter: QueryFilter<MailDocument> = { ...(to && { to }), ...(organizationId && { organizationId }) };
      return mails.find(filter).sort({ createdAt: -1, _id: -1 }).limit(limit).lean().exec();
    },
  };
}
