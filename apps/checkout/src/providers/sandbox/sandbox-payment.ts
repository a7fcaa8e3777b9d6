import { type Connection } from 'mongoose';
import { randomBytes } from 'node:crypto';
import { isDuplicateKey } from '@invoicing/mongo';

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
  readonly refundedCents: number;
}

export type NewSandboxPayment = Pick<
  SandboxPayment,
  'idempotencyKey' | 'amountCents' | 'currency' | 'description' | 'method' | 'returnUrl' | 'callbackUrl'
>;

export interface SandboxPayments {
  create: (payment: NewSandboxPayment) => Promise<SandboxPayment>;
  find: (id: string) => Promise<SandboxPayment | null>;
  /** What the payer chose; only while the payment is open or pending. */
  decide: (id: string, outcome: SandboxStatus) => Promise<void>;
  /** Gives back once; answers false when the payment is not paid. */
  refund: (id: string) => Promise<boolean>;
}

// As long as a bank gives a payer.
const OPEN_MS = 3_600_000;

/** The sandbox provider's own books, shared by all replicas. */
export async function openSandboxPayments(connection: Connection): Promise<SandboxPayments> {
  const collection = connection.db!.collection<SandboxPayment>('sandbox_payments');
  await collection.createIndex({ idempotencyKey: 1 }, { unique: true });

  return {
    create: async (payment) => {
      const made: SandboxPayment = {
        _id: `sb_${randomBytes(18).toString('base64url')}`,
        ...payment,
        status: 'open',
        createdAt: new Date(),
        paidAt: null,
        refundedCents: 0,
      };
      try {
        await collection.insertOne(made);
        return made;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await collection.findOne({ idempotencyKey: payment.idempotencyKey })) as SandboxPayment;
      }
    },
    find: async (id) => {
      const found = await collection.findOne({ _id: id });
      if (found?.status !== 'open' || Date.now() - found.createdAt.getTime() < OPEN_MS) return found;
      await collection.updateOne({ _id: id, status: 'open' }, { $set: { status: 'expired' } });
      return collection.findOne({ _id: id });
    },
    decide: async (id, outcome) => {
      await collection.updateOne(
        { _id: id, status: { $in: outcome === 'pending' ? ['open'] : ['open', 'pending'] } },
        { $set: { status: outcome, paidAt: outcome === 'paid' ? new Date() : null } },
      );
    },
    refund: async (id) => {
      const found = await collection.findOne({ _id: id, status: 'paid' });
      if (found) await collection.updateOne({ _id: id }, { $set: { refundedCents: found.amountCents } });
      return found !== null;
    },
  };
}
