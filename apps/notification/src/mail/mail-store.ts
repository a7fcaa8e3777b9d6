import { outboxEntry, outboxField, outboxIndex, type OutboxEntry } from '@invoicing/events';
import { Event } from '@invoicing/contracts/invoicing/events/v1/events';
import {
  NEWEST_FIRST,
  REAL_TIME,
  actorSchema,
  compareAndSet,
  declareCollection,
  dueFilter,
  embedded,
  inOrganization,
  insertOrFind,
  joinedInserts,
  nativeCollection,
  newest,
  oneOf,
  openCollection,
  openHistory,
  pendingChangeIndex,
  recordedFields,
  required,
  type Collection,
  type Connection,
  type Document,
  type History,
  type Model,
  type OrganizationClocks,
  type Recorded,
} from '@invoicing/mongo';
import { knownActor, type Actor, type TestScenario } from '@invoicing/rules';
import { v5 as uuidv5 } from 'uuid';
import type { MailErrorCode } from './mail-transport';

/** The first message about an invoice, or a reminder of it, which has the reminder's id. */
export interface MailKind {
  readonly reminderId?: string | undefined;
  readonly testScenario?: TestScenario | undefined;
}

export type MailStatus = 'pending' | 'sent' | 'failed';

/** One message, whatever happens to it. The message itself is made anew for each attempt, from what billing has frozen. */
export interface MailDocument {
  /** From the invoice's id: an invoice is mailed once, whoever asks. That of the operation where it is sent again. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly to: string;
  readonly subject: string;
  readonly attachments: string[];
  readonly status: MailStatus;
  readonly error: MailErrorCode | '';
  /** What the recipient's mail server said when it sent the message back. */
  readonly reason?: string;
  readonly attempts: number;
  /** While pending: when somebody may try (again). A running attempt moves it past its own end, which makes it a lease. */
  readonly dueAt?: Date;
  readonly createdAt: Date;
  readonly sentAt?: Date;
  /** YYYY-MM-DD: on which day it took its place in the organisation's quota. */
  readonly quotaDay?: string;
  /** That it failed for good, until that is told. */
  readonly outbox?: OutboxEntry[];
  /** Who asked for it to be sent again, and where to; the first message about an invoice goes to its buyer. */
  readonly resend?: Resend;
  /** What its test organisation wished to happen to it. */
  readonly testScenario?: TestScenario;
  /** UUID: it is this reminder of the invoice. */
  readonly reminderId?: string;
}

/** A wish to send an invoice again. */
export interface Resend {
  readonly to: string;
  readonly by: Actor;
}

/** What an attempt learns of its message; written with its outcome. */
export type KnownOfMail = Partial<Pick<MailDocument, 'to' | 'subject' | 'attachments' | 'quotaDay'>>;

export interface MailFilter {
  readonly invoiceId?: string | undefined;
  readonly to?: string | undefined;
  readonly organizationId?: string | undefined;
}

export type MailRef = Pick<MailDocument, 'organizationId' | '_id'>;

export const mailCollection = declareCollection<MailDocument & Recorded>('mails', {
  shardKey: { organizationId: 1, _id: 1 },
  fields: {
    organizationId: required(String),
    invoiceId: required(String),
    to: required(String),
    subject: required(String),
    attachments: required([String]),
    status: oneOf('pending', 'sent', 'failed'),
    error: required(String),
    reason: String,
    attempts: required(Number),
    dueAt: Date,
    createdAt: required(Date),
    sentAt: Date,
    quotaDay: String,
    outbox: outboxField,
    testScenario: String,
    resend: embedded<Resend>({ to: required(String), by: required(actorSchema) }),
    reminderId: String,
    ...recordedFields,
  },
  indexes: [
    [{ dueAt: 1 }, { sparse: true }],
    [NEWEST_FIRST],
    [{ to: 1, ...NEWEST_FIRST }],
    [{ organizationId: 1, ...NEWEST_FIRST }],
    outboxIndex,
    [{ organizationId: 1, invoiceId: 1, ...NEWEST_FIRST }],
    pendingChangeIndex,
  ],
});

const MAIL_NAMESPACE = '6f6a0f1e-6a1c-5d0e-9d0b-6d61696c0001';

export const mailIdOf = (invoiceId: string): string => uuidv5(invoiceId, MAIL_NAMESPACE);

export type MailStore = Awaited<ReturnType<typeof openMailStore>>;

/** Invoices that go by e-mail: one message each, with the attempts at sending it. `onEvents`: something is to be told. */
export async function openMailStore(
  connection: Connection,
  onEvents: () => void = () => {},
  clocks: OrganizationClocks = REAL_TIME,
) {
  const mails = await openCollection(connection, mailCollection);
  const history = await openHistory(connection, [mails]);
  return {
    model: mails,
    now: clocks.now,
    ...readsOf(mails, clocks),
    ...beginningsOf(mails, clocks),
    ...attemptsOf(mails, clocks),
    ...outcomesOf(mails, onEvents, clocks),
    ...resendsOf(mails, history, clocks),
  };
}

type Mails = Model<MailDocument & Recorded>;

const readsOf = (mails: Mails, { ahead }: OrganizationClocks) => ({
  find: ({ organizationId, _id }: MailRef): Promise<MailDocument | null> =>
    mails.findOne({ organizationId, _id }).lean<MailDocument>().exec(),

  due: (limit: number): Promise<MailRef[]> =>
    mails
      .find(dueFilter<MailDocument & Recorded>(new Date(), ahead()), { organizationId: 1 })
      .sort({ dueAt: 1 })
      .limit(limit)
      .lean<MailRef[]>()
      .exec(),

  list: ({ to, organizationId, invoiceId }: MailFilter, limit: number): Promise<MailDocument[]> =>
    newest(
      mails,
      { ...inOrganization(organizationId || undefined), ...(invoiceId && { invoiceId }), ...(to && { to }) },
      { limit },
    ),
});

const resendsOf = (mails: Mails, history: History, { now }: OrganizationClocks) => ({
  /** A message of its own about an invoice, for a first attempt at once; the same id again is the same message. */
  resend: (
    { organizationId, invoiceId }: AboutInvoice,
    id: string,
    { to, by }: Resend,
    label: string,
  ): Promise<MailDocument> =>
    history.insert<MailDocument & Recorded>(
      mails,
      {
        ...{ _id: id, organizationId, invoiceId, to, subject: '', attachments: [] },
        ...{ status: 'pending', error: '', attempts: 0, dueAt: now(organizationId) },
        createdAt: now(organizationId),
        resend: { to, by: knownActor(by) },
      },
      { by, action: 'invoice.resent', subject: { kind: 'invoice', id: invoiceId, label }, fields: [] },
    ),
});

/** The first message about an invoice, or a reminder of it, `attempts` of which have begun. */
function newMail(
  { organizationId, invoiceId }: AboutInvoice,
  { reminderId, testScenario }: MailKind,
  { createdAt, dueInMs, attempts }: { readonly createdAt: Date; readonly dueInMs: number; readonly attempts: number },
): MailDocument {
  return {
    ...{ _id: reminderId ?? mailIdOf(invoiceId), organizationId, invoiceId, to: '', subject: '', attachments: [] },
    ...{ status: 'pending', error: '', attempts, createdAt },
    dueAt: new Date(createdAt.getTime() + dueInMs),
    ...(testScenario && { testScenario }),
    ...(reminderId && { reminderId }),
  };
}

interface AboutInvoice {
  readonly organizationId: string;
  readonly invoiceId: string;
}

function beginningsOf(mails: Mails, { now }: OrganizationClocks) {
  const native = nativeCollection(mails);
  const insert = joinedInserts(native as unknown as Collection<Document & MailDocument>);
  const keep = (mail: MailDocument): Promise<MailDocument> =>
    insertOrFind<MailDocument>(mails as unknown as Model<MailDocument>, mail, insert);
  return {
    /** Notes that an invoice is to be mailed, unless that is noted already: for a first attempt by the worker in `dueInMs`. */
    ensure: async (of: AboutInvoice, dueInMs: number, kind: MailKind = {}): Promise<void> =>
      void (await keep(newMail(of, kind, { createdAt: now(of.organizationId), dueInMs, attempts: 0 }))),

    /**
     * The mail document of an invoice. When it was not there, whoever asks has it for the first attempt (`isTaken`), which ends before
     * `leaseMs`: then it is the worker's.
     */
    begin: async (
      of: AboutInvoice,
      leaseMs: number,
      kind: MailKind,
    ): Promise<{ readonly mail: MailDocument; readonly isTaken: boolean }> => {
      const made = newMail(of, kind, { createdAt: now(of.organizationId), dueInMs: leaseMs, attempts: 1 });
      const mail = await keep(made);
      return { mail, isTaken: mail === made };
    },

    /** Takes back what was begun about a document that there is not. */
    discard: async ({ organizationId, _id, attempts }: MailDocument): Promise<void> => {
      await native.deleteOne({ organizationId, _id, attempts, status: 'pending' });
    },
  };
}

const attemptsOf = (mails: Mails, { now }: OrganizationClocks) => ({
  /** Takes a pending message for one attempt that ends before `leaseMs`; null when it is settled, or another has it. */
  claim: async ({ organizationId, _id }: MailRef, leaseMs: number): Promise<MailDocument | null> => {
    const time = now(organizationId).getTime();
    return mails
      .findOneAndUpdate(
        // The very first attempt need not wait for the worker's turn.
        { organizationId, _id, status: 'pending', $or: [{ attempts: 0 }, { dueAt: { $lte: new Date(time) } }] },
        { $inc: { attempts: 1 }, $set: { dueAt: new Date(time + leaseMs) } },
        { returnDocument: 'after' },
      )
      .lean<MailDocument>()
      .exec();
  },

  /** Prolongs the lease of attempt `attempts`; false when it is over, or a later attempt has begun. */
  renew: ({ organizationId, _id, attempts }: MailDocument, leaseMs: number): Promise<boolean> => {
    const held = { organizationId, _id, attempts, status: 'pending' as const };
    return compareAndSet(mails, held, { $set: { dueAt: new Date(now(organizationId).getTime() + leaseMs) } });
  },
});

const outcomesOf = (mails: Mails, onEvents: () => void, { now }: OrganizationClocks) => ({
  /** Attempt `attempts` got nowhere and does not count. */
  postpone: async (
    { organizationId, _id, attempts }: MailDocument,
    error: MailErrorCode,
    dueAt: Date,
    known: KnownOfMail,
  ): Promise<void> => {
    await mails.updateOne(
      { organizationId, _id, attempts, status: 'pending' },
      { $set: { ...known, error, dueAt }, $inc: { attempts: -1 } },
    );
  },

  /** It is out, even when the attempt's lease was lost meanwhile. */
  markSent: async ({ organizationId, _id }: MailRef, known: KnownOfMail): Promise<void> => {
    const $set = { ...known, status: 'sent' as const, error: '' as const, sentAt: now(organizationId) };
    await nativeCollection(mails).updateOne({ organizationId, _id }, { $set, $unset: { dueAt: 1 } });
  },

  /** It was sent, and came back: that is told, once. Undefined when no message of this id was sent. Whoever reports it knows the id alone. */
  markBounced: async (mailId: string, reason: string): Promise<MailDocument | undefined> => {
    const mail = await mails.findOne({ _id: mailId }).lean<MailDocument>().exec();
    if (mail?.status !== 'sent') return undefined;
    const { organizationId, _id } = mail;
    const $push = { outbox: mailFailed(mail, 'bounced', now(organizationId), reason) };
    const $set = { status: 'failed' as const, error: 'bounced' as const, reason };
    const isFirst = await compareAndSet(mails, { organizationId, _id, status: 'sent' }, { $set, $push });
    if (isFirst) onEvents();
    return mail;
  },

  /** Attempt `attempts` failed. Without `dueAt` for good, and that is told. A later attempt that has begun meanwhile is left alone. */
  markFailed: async (
    mail: MailDocument,
    error: MailErrorCode,
    dueAt: Date | undefined,
    known: KnownOfMail,
  ): Promise<void> => {
    const { organizationId, _id, attempts } = mail;
    const change = dueAt
      ? { $set: { ...known, error, dueAt } }
      : {
          $set: { ...known, error, status: 'failed' as const },
          $unset: { dueAt: 1 as const },
          // What was taken back did not fail.
          ...(error !== 'withdrawn' && { $push: { outbox: mailFailed(mail, error, now(organizationId)) } }),
        };
    await mails.updateOne({ organizationId, _id, attempts, status: 'pending' }, change);
    if (!dueAt) onEvents();
  },
});

/** A message that is tried again after it failed may fail again, at a later attempt: that is another event. */
const mailFailed = (
  { _id, organizationId, invoiceId, attempts, testScenario }: MailDocument,
  error: MailErrorCode,
  at: Date,
  reason = '',
) =>
  outboxEntry(
    Event.fromPartial({
      id: uuidv5(error === 'bounced' ? 'mail.failed:bounced' : `mail.failed:${attempts}`, _id),
      type: 'mail.failed',
      occurredAt: at,
      organizationId,
      source: 'notification',
      testScenario,
      mailFailed: { mailId: _id, invoiceId, error, attempts, reason },
    }),
  );
