import type { Violation } from '@invoicing/errors';

/** An organisation's account at a service that sends and receives on the Peppol network for it. */
export interface AccessPointAccount {
  /** UUID. */
  readonly id: string;
  readonly organizationId: string;
  /** Which kind: a key of `accessPointKinds`. */
  readonly accessPoint: string;
  /** Null for the sandbox. */
  readonly apiKey: string | null;
  /** The access point's id of who sends; null for the sandbox. */
  readonly senderId: string | null;
  /** Another address of its API than its own. */
  readonly baseUrl: string | null;
  readonly mode: 'live' | 'test';
  readonly connectedAt: Date;
}

export type AccessPointSettings = Pick<AccessPointAccount, 'apiKey' | 'senderId' | 'baseUrl'>;

/** An access point that organisations can connect. Adding one: its kind and its port here, and a line in access-point-kinds.ts. */
export interface AccessPointKind {
  /** What is wrong with the settings of an account. */
  readonly check: (settings: AccessPointSettings) => Violation[];
  /** Whether it reaches real companies; an organisation connects only what is of its own mode. */
  readonly mode: 'live' | 'test';
  readonly open: (account: AccessPointSettings) => AccessPoint;
}

/** What is handed over. */
export interface PeppolDocument {
  /** UUID of our delivery: the same document again must not be delivered twice. */
  readonly id: string;
  /** Scheme and id of the participant, e.g. `0208:0123456749`. */
  readonly recipient: string;
  /** UBL of BIS Billing 3. */
  readonly ubl: Buffer;
  readonly createdAt: Date;
  /** For the sandbox: it is not to arrive. */
  readonly isToFail?: boolean | undefined;
}

/** Delivered is what the receiving side has signed for; `messageId` is the network's id of it. */
export type AccessPointProgress =
  | { readonly state: 'underway' }
  | { readonly state: 'delivered'; readonly messageId: string }
  | { readonly state: 'failed'; readonly reason: string };

/** Something that an access point tells of its own accord. */
export interface AccessPointReport {
  /** Of our delivery; what is none of ours is dropped. */
  readonly deliveryId: string;
  readonly submissionId: string;
  /** `delivered` is a hint to ask for progress; `failed` is final. */
  readonly outcome: 'delivered' | 'failed' | 'underway';
  readonly reason: string;
}

/** An account that is open for use. Calls throw AppError: `invalid` and `unauthenticated` are final for this account, others may pass. */
export interface AccessPoint {
  /** Whether the account may send as who it says. Throws when it may not. */
  readonly verify: () => Promise<void>;
  /** Whether the network delivers invoices to a participant. */
  readonly receives: (participant: string) => Promise<boolean>;
  /**
   * Hands a document over, and answers the access point's id of the submission; empty when a repeat is recognised and the id is not told
   * again: a report tells it. Throws SubmissionRejected when this document never will be taken.
   */
  readonly submit: (document: PeppolDocument) => Promise<string>;
  /** How far the network has come with a submission. */
  readonly progress: (submissionId: string) => Promise<AccessPointProgress>;
  /** Gives each report that waits to `take`, and forgets it when that is done. */
  readonly takeReports: (take: (report: AccessPointReport) => Promise<void>) => Promise<void>;
  /** How long to wait before progress is first asked for. */
  readonly pollMs: number;
}

/** The access point will never take this document; its message says why. */
export class SubmissionRejected extends Error {}
