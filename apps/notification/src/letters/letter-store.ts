import {
  NEWEST_FIRST,
  REAL_TIME,
  claimDue,
  declareCollection,
  inOrganization,
  insertOnce,
  newest,
  oneOf,
  openCollection,
  openHistory,
  pendingChangeIndex,
  recordedFields,
  required,
  type Connection,
  type Model,
  type OrganizationClocks,
  type Recorded,
} from '@invoicing/mongo';
import type { Actor } from '@invoicing/rules';
import { v5 as uuidv5 } from 'uuid';
import type { InvoiceRef } from '../billing-client';

export type LetterStatus = 'pending' | 'submitted' | 'sent' | 'failed';
export type LetterError = 'no_credits' | 'no_address' | 'rejected' | 'withdrawn';

export interface LetterDocument {
  /** From the invoice's id: an invoice is posted once; a reminder's letter has the reminder's. Its credit is reserved under this id, too. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  /** Of a letter that reminds. */
  readonly reminderId?: string;
  readonly status: LetterStatus;
  readonly error: LetterError | '';
  /** The carrier's id, once submitted. */
  readonly carrierId?: string;
  /** Submitted to the carrier of test organisations. */
  readonly test?: boolean;
  /** Failures since the last step forward. */
  readonly attempts: number;
  /** Until it is sent or failed: when somebody may take the next step. Moved on while one is taken, as a lease. */
  readonly dueAt?: Date;
  readonly createdAt: Date;
}

export type LetterRef = Pick<LetterDocument, 'organizationId' | '_id'>;

export const letterCollection = declareCollection<LetterDocument & Recorded>('letters', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    invoiceId: required(String),
    reminderId: String,
    status: oneOf('pending', 'submitted', 'sent', 'failed'),
    error: required(String),
    carrierId: String,
    test: Boolean,
    attempts: required(Number),
    dueAt: Date,
    createdAt: required(Date),
    ...recordedFields,
  },
  indexes: [
    [{ dueAt: 1 }, { sparse: true }],
    [NEWEST_FIRST],
    [{ organizationId: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, invoiceId: 1, status: 1 }],
    pendingChangeIndex,
  ],
});

const LETTER_NAMESPACE = '6f6a0f1e-6a1c-5d0e-9d0b-6c6574740001';
const LIST_LIMIT = 1_000;

export const letterIdOf = (invoiceId: string): string => uuidv5(invoiceId, LETTER_NAMESPACE);

export type LetterStore = Awaited<ReturnType<typeof openLetterStore>>;

/** Invoices that go by post, and how far each has come. */
export async function openLetterStore(connection: Connection, clocks: OrganizationClocks = REAL_TIME) {
  const letters = await openCollection(connection, letterCollection);
  const history = await openHistory(connection, [letters]);

  return {
    model: letters,
    now: clocks.now,

    /**
     * A letter that somebody asks for: the invoice's first one, or while that is only waiting the same; once it is on its way or has
     * failed, another one.
     */
    post: async (
      { organizationId, invoiceId }: { organizationId: string; invoiceId: string },
      id: string,
      by: Actor,
      label: string,
    ): Promise<LetterDocument> => {
      const same = { organizationId, invoiceId, status: 'pending' as const, reminderId: { $exists: false } };
      const made = await letters.findOne({ organizationId, _id: id }).lean<LetterDocument>().exec();
      const waiting = made ?? (await letters.findOne(same).lean<LetterDocument>().exec());
      if (waiting) return waiting;
      const isFirst = !(await letters.exists({ organizationId, _id: letterIdOf(invoiceId) }));
      return history.insert<LetterDocument & Recorded>(
        letters,
        {
          ...newLetter({ organizationId, invoiceId }, clocks),
          _id: isFirst ? letterIdOf(invoiceId) : id,
        },
        { by, action: 'invoice.posted', subject: { kind: 'invoice', id: invoiceId, label }, fields: [] },
      );
    },

    ensure: async (of: { organizationId: string; invoiceId: string }): Promise<void> => {
      await insertOnce<LetterDocument & Recorded>(letters, newLetter(of, clocks));
    },

    /** The letter of a reminder, as far as it has come. */
    remind: (of: ReminderRef): Promise<LetterDocument> => letterOfReminder(letters, of, clocks),

    /** Takes the letter that has been due longest, for a step that ends before `leaseMs`. */
    claimDue: (leaseMs: number): Promise<LetterDocument | null> =>
      claimDue(letters, { now: new Date(), leaseUntil: new Date(Date.now() + leaseMs), ahead: clocks.ahead() }),

    markSubmitted: async (
      { organizationId, _id }: LetterRef,
      to: { readonly carrierId: string; readonly test: boolean },
      dueAt: Date,
    ): Promise<void> => {
      await letters.updateOne(
        { organizationId, _id, status: 'pending' },
        { $set: { status: 'submitted', ...to, attempts: 0, dueAt } },
      );
    },

    postpone: async ({ organizationId, _id }: LetterRef, attempts: number, dueAt: Date): Promise<void> => {
      await letters.updateOne({ organizationId, _id, dueAt: { $exists: true } }, { $set: { attempts, dueAt } });
    },

    /** The end of it: sent, or failed with a code. */
    finish: async ({ organizationId, _id }: LetterRef, error: LetterError | ''): Promise<void> => {
      const status = error === '' ? 'sent' : 'failed';
      await letters.updateOne({ organizationId, _id }, { $set: { status, error }, $unset: { dueAt: 1 } });
    },

    list: (organizationId: string | undefined): Promise<LetterDocument[]> =>
      newest(letters, inOrganization(organizationId), { limit: LIST_LIMIT }),
  };
}

type ReminderRef = InvoiceRef & { readonly reminderId: string };

async function letterOfReminder(
  letters: Model<LetterDocument & Recorded>,
  { reminderId, ...of }: ReminderRef,
  clocks: OrganizationClocks,
): Promise<LetterDocument> {
  const made = { ...newLetter(of, clocks), _id: reminderId, reminderId };
  if (await insertOnce<LetterDocument & Recorded>(letters, made)) return made;
  const { organizationId } = of;
  return letters.findOne({ organizationId, _id: reminderId }).lean<LetterDocument>().orFail().exec();
}

/** The first letter of an invoice, due at once. */
function newLetter(
  { organizationId, invoiceId }: { organizationId: string; invoiceId: string },
  { now }: OrganizationClocks,
): LetterDocument {
  const createdAt = now(organizationId);
  const first = { _id: letterIdOf(invoiceId), organizationId, invoiceId, status: 'pending', error: '' } as const;
  return { ...first, attempts: 0, dueAt: createdAt, createdAt };
}
