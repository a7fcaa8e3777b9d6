import { Schema, type Connection } from 'mongoose';
import { v5 as uuidv5 } from 'uuid';

export type LetterStatus = 'pending' | 'submitted' | 'sent' | 'failed';
export type LetterError = 'no_credits' | 'no_address' | 'rejected';

export interface LetterDocument {
  /** From the invoice's id: an invoice is posted once. The reservation of its credit has this id too. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly status: LetterStatus;
  readonly error: LetterError | '';
  /** The carrier's id, once submitted. */
  readonly carrierId?: string;
  /** Failures since the last step forward. */
  readonly attempts: number;
  /** Until it is sent or failed: when somebody may take the next step. Moved on while one is taken, as a lease. */
  readonly dueAt?: Date;
  readonly createdAt: Date;
}

const schema = new Schema<LetterDocument>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    invoiceId: { type: String, required: true },
    status: { type: String, required: true, enum: ['pending', 'submitted', 'sent', 'failed'] },
    error: { type: String, default: '' },
    carrierId: String,
    attempts: { type: Number, default: 0 },
    dueAt: Date,
    createdAt: { type: Date, required: true },
  },
  { versionKey: false },
);
schema.index({ dueAt: 1 }, { sparse: true });
schema.index({ createdAt: -1 });
schema.index({ organizationId: 1, createdAt: -1 });

const LETTER_NAMESPACE = '6f6a0f1e-6a1c-5d0e-9d0b-6c6574740001';
const LIST_LIMIT = 1_000;

export const letterIdOf = (invoiceId: string): string => uuidv5(invoiceId, LETTER_NAMESPACE);

export type LetterStore = Awaited<ReturnType<typeof openLetterStore>>;

export async function openLetterStore(connection: Connection) {
  const letters = connection.model<LetterDocument>('Letter', schema, 'letters');
  await letters.createIndexes();

  return {
    ensure: async (of: { organizationId: string; invoiceId: string }): Promise<void> => {
      const made = { ...of, status: 'pending', error: '', attempts: 0, dueAt: new Date(), createdAt: new Date() };
      await letters.updateOne({ _id: letterIdOf(of.invoiceId) }, { $setOnInsert: made }, { upsert: true });
    },

    /** Takes the letter that has been due longest, for a step that ends before `leaseMs`. */
    claimDue: (leaseMs: number): Promise<LetterDocument | null> =>
      letters
        .findOneAndUpdate(
          { dueAt: { $lte: new Date() } },
          { $set: { dueAt: new Date(Date.now() + leaseMs) } },
          { sort: { dueAt: 1 }, returnDocument: 'after' },
        )
        .lean()
        .exec(),

    markSubmitted: async (id: string, carrierId: string, dueAt: Date): Promise<void> => {
      await letters.updateOne(
        { _id: id, status: 'pending' },
        { $set: { status: 'submitted', carrierId, attempts: 0, dueAt } },
      );
    },

    postpone: async (id: string, attempts: number, dueAt: Date): Promise<void> => {
      await letters.updateOne({ _id: id, dueAt: { $exists: true } }, { $set: { attempts, dueAt } });
    },

    /** The end of it: sent, or failed with a code. */
    finish: async (id: string, error: LetterError | ''): Promise<void> => {
      const status = error === '' ? 'sent' : 'failed';
      await letters.updateOne({ _id: id }, { $set: { status, error }, $unset: { dueAt: 1 } });
    },

    list: (organizationId: string | undefined): Promise<LetterDocument[]> =>
      letters
        .find(organizationId === undefined ? {} : { organizationId })
        .sort({ createdAt: -1, _id: -1 })
        .limit(LIST_LIMIT)
        .lean()
        .exec(),
  };
}
