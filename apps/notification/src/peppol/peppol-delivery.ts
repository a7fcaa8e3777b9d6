import type { OutboxEntry } from '@invoicing/events';
import type { Actor } from '@invoicing/rules';

/** A document's way over the network. */
export interface PeppolDelivery {
  /** UUID. From the invoice's id; where it is sent again, that of the operation. The access point knows the delivery by it. */
  readonly _id: string;
  readonly organizationId: string;
  readonly invoiceId: string;
  readonly status: PeppolStatus;
  readonly error: PeppolError | '';
  /** What the access point said, or what is to be done. */
  readonly reason: string;
  /** Somebody is to be told when it fails: the law asks for it, or a person did. */
  readonly isOwed: boolean;
  /** The participant, e.g. `0208:0123456749`; empty while that is not known. */
  readonly recipient: string;
  readonly lookedUpAt?: Date;
  /** The account that it was handed over by. */
  readonly accountId?: string;
  /** The access point's id of it; absent while that was not told. */
  readonly submissionId?: string;
  /** The network's id of the message, by which the delivery is proven. */
  readonly messageId?: string;
  readonly submittedAt?: Date;
  readonly deliveredAt?: Date;
  /** Tries of the step that it is at. */
  readonly attempts: number;
  /** Until it is over: when somebody may take the next step. Moved on while one is taken, as a lease. */
  readonly dueAt?: Date;
  readonly createdAt: Date;
  /** Who asked for it by hand. */
  readonly by?: Actor;
  /** In the sandbox: it is not to arrive. */
  readonly isToFail?: boolean;
  readonly outbox?: OutboxEntry[];
}

export type PeppolStatus = 'pending' | 'submitted' | 'delivered' | 'failed' | 'skipped';

export type PeppolError =
  | 'not_connected'
  | 'no_e_invoice'
  | 'recipient_not_found'
  | 'rejected'
  | 'undelivered'
  | 'not_acknowledged'
  | 'unavailable';

export type PeppolRef = Pick<PeppolDelivery, 'organizationId' | '_id'>;

/** Why a delivery ends without having arrived. */
export interface PeppolFailure {
  readonly error: PeppolError;
  readonly reason: string;
}

/** Sentences for people, in English, where the access point has said nothing. */
export const PEPPOL_REASONS: Readonly<Record<PeppolError, string>> = {
  not_connected: 'no access point is connected: connect one, then send the invoice over Peppol',
  no_e_invoice: 'the document makes no valid e-invoice: complete the data of both parties',
  recipient_not_found: 'the customer receives no invoices on the Peppol network',
  rejected: 'the access point refused the document',
  undelivered: 'the network could not deliver it',
  not_acknowledged: 'the network did not acknowledge it within a week',
  unavailable: 'the access point did not take it in days',
};

const LONGEST_REASON = 500;

export const peppolFailure = (error: PeppolError, said = ''): PeppolFailure => ({
  error,
  reason: (said.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim() || PEPPOL_REASONS[error]).slice(0, LONGEST_REASON),
});
