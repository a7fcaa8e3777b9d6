import { randomBytes } from 'node:crypto';
import { type TestScenario } from '@invoicing/rules';
import {
  declareCollection,
  REAL_TIME,
  embedded,
  insertOnce,
  oneOf,
  openCollection,
  optionalList,
  required,
  type Connection,
  type OrganizationClocks,
} from '@invoicing/mongo';

export type SandboxStatus = 'open' | 'pending' | 'paid' | 'failed' | 'canceled' | 'expired';

export interface SandboxPayment {
  readonly _id: string;
  readonly idempotencyKey: string;
  readonly amountCents: number;
  readonly currency: string;
  readonly description: string;
  readonly method: string;
  readonly returnUrl: string;
  readonly callbackUrl: string;
  readonly status: SandboxStatus;
  readonly createdAt: Date;
  readonly paidAt: Date | null;
  /** Given back or taken back; absent on payments from before it was kept. */
  readonly refundedCents: number;
  readonly movements?: readonly SandboxMovement[];
  /** Whose time it is in; absent on payments from before test organisations had clocks. */
  readonly organizationId?: string;
  /** How the bank behaves. */
  readonly testScenario?: TestScenario | undefined;
}

/** Money of a payment that went back. */
export interface SandboxMovement {
  readonly id: string;
  readonly kind: 'refund' | 'chargeback';
  readonly amountCents: number;
  readonly at: Date;
  /** What the seller calls its refund; null when it was made at the bank. */
  readonly entryId: string | null;
}

export type NewSandboxPayment = Pick<
  SandboxPayment,
  | 'idempotencyKey'
  | 'amountCents'
  | 'currency'
  | 'description'
  | 'method'
  | 'returnUrl'
  | 'callbackUrl'
  | 'organizationId'
  | 'testScenario'
>;

export interface SandboxPayments {
  create: (payment: NewSandboxPayment) => Promise<SandboxPayment>;
  find: (id: string) => Promise<SandboxPayment | null>;
  /** What the payer chose, and the bank may decline; only while the payment is open or pending. */
  decide: (payment: SandboxPayment, outcome: SandboxStatus) => Promise<void>;
  /**
   * Gives money back, or takes it back for the payer; once for each `entryId`. Absent amount: all that is left. Answers null when the payment
   * is not paid, or not so much of it is left.
   */
  giveBack: (
    id: string,
    wanted: { readonly kind: SandboxMovement['kind']; readonly amountCents?: number; readonly entryId?: string },
  ) => Promise<SandboxMovement | null>;
}

// As long as a bank gives a payer.
const OPEN_MS = 3_600_000;

const sandboxPaymentCollection = declareCollection<SandboxPayment>('sandbox_payments', {
  // Play money of test organisations, and another company's books: found by the payment alone.
  shardKey: 'one shard',
  fields: {
    idempotencyKey: required(String),
    amountCents: required(Number),
    currency: required(String),
    description: required(String),
    method: required(String),
    returnUrl: required(String),
    callbackUrl: required(String),
    status: oneOf('open', 'pending', 'paid', 'failed', 'canceled', 'expired'),
    createdAt: required(Date),
    paidAt: Date,
    refundedCents: required(Number),
    organizationId: String,
    testScenario: String,
    movements: optionalList(
      embedded<SandboxMovement>({
        id: required(String),
        kind: oneOf('refund', 'chargeback'),
        amountCents: required(Number),
        at: required(Date),
        entryId: String,
      }),
    ),
  },
  indexes: [[{ idempotencyKey: 1 }, { unique: true }]],
});

/** The sandbox provider's own books, shared by all replicas. */
export async function openSandboxPayments(
  connection: Connection,
  clocks: OrganizationClocks = REAL_TIME,
): Promise<SandboxPayments> {
  const payments = await openCollection(connection, sandboxPaymentCollection);

  return {
    create: async (payment) => {
      const made: SandboxPayment = {
        _id: `sb_${randomBytes(18).toString('base64url')}`,
        ...payment,
        status: 'open',
        createdAt: clocks.now(payment.organizationId),
        paidAt: null,
        refundedCents: 0,
      };
      if (await insertOnce(payments, made)) return made;
      const { idempotencyKey } = payment;
      return payments.findOne({ idempotencyKey }).lean<SandboxPayment>().orFail().exec();
    },
    find: async (id) => {
      const found = await payments.findOne({ _id: id }).lean<SandboxPayment>().exec();
      if (found?.status !== 'open') return found;
      if (clocks.now(found.organizationId).getTime() - found.createdAt.getTime() < OPEN_MS) return found;
      await payments.updateOne({ _id: id, status: 'open' }, { $set: { status: 'expired' } });
      return payments.findOne({ _id: id }).lean<SandboxPayment>().exec();
    },
    decide: async ({ _id: id, organizationId, testScenario }, wanted) => {
      const outcome = wanted === 'paid' && testScenario === 'payment_declined' ? 'failed' : wanted;
      await payments.updateOne(
        { _id: id, status: { $in: outcome === 'pending' ? ['open'] : ['open', 'pending'] } },
        { $set: { status: outcome, paidAt: outcome === 'paid' ? clocks.now(organizationId) : null } },
      );
    },
    giveBack: async (id, { kind, amountCents: wanted, entryId = null }) => {
      for (;;) {
        const found = await payments.findOne({ _id: id, status: 'paid' }).lean<SandboxPayment>().exec();
        if (!found) return null;
        const made = found.movements?.find((each) => entryId !== null && each.entryId === entryId);
        if (made) return made;
        const left = found.amountCents - found.refundedCents;
        const amountCents = wanted ?? left;
        if (!Number.isSafeInteger(amountCents) || amountCents < 1 || amountCents > left) return null;
        const prefix = kind === 'refund' ? 'sbr_' : 'sbc_';
        const movement = {
          id: prefix + randomBytes(12).toString('base64url'),
          kind,
          amountCents,
          at: clocks.now(found.organizationId),
          entryId,
        };
        const { matchedCount } = await payments.updateOne(
          { _id: id, refundedCents: found.refundedCents },
          { $inc: { refundedCents: amountCents }, $push: { movements: movement } },
        );
        if (matchedCount === 1) return movement;
      }
    },
  };
}
