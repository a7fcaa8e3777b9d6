/** One POST with an Idempotency-Key, from its claim to its stored answer. */
export interface IdempotencyRecord {
  /** Key id + Idempotency-Key. */
  readonly _id: string;
  /** Of method, path and body. */
  readonly fingerprint: string;
  /** `running` under a lease; `open` after an unclear end; `done` with its answer. */
  readonly state: 'running' | 'open' | 'done';
  /** Counts takeovers, from 1. */
  readonly attempt: number;
  readonly leaseUntil: Date;
  /** The gateway process that runs it, and how long it is taken to be alive without a sign; absent on records from before these were kept. */
  readonly owner?: string;
  readonly aliveUntil?: Date;
  /** Becomes the id of what the request creates, in every attempt. */
  readonly opId: string;
  readonly status: number | null;
  readonly body: string | null;
  /** When the record may be dropped. */
  readonly expiresAt: Date;
}

/** Where the records are kept. Each method is one atomic, durable step of the store. */
export interface IdempotencyRecords {
  /** This gateway process. */
  readonly owner: string;
  /** Whether the process that runs it is known to be gone: its last heartbeat is older than it may be. */
  isGone: (record: IdempotencyRecord) => Promise<boolean>;
  /** False when the id is taken. */
  insert: (record: IdempotencyRecord) => Promise<boolean>;
  find: (id: string) => Promise<IdempotencyRecord | null>;
  /** To the next attempt, under a new lease. False when the record is no longer the one that was seen: another was first. */
  takeOver: (
    seen: IdempotencyRecord,
    taken: Pick<IdempotencyRecord, 'leaseUntil' | 'owner' | 'aliveUntil'>,
  ) => Promise<boolean>;
  /** Stores the answer unless one is stored already or the record is another operation's. */
  finish: (id: string, opId: string, answer: { status: number; body: string; expiresAt: Date }) => Promise<boolean>;
  /** Gives the lease back; fingerprint and opId stay. */
  release: (id: string, opId: string, attempt: number) => Promise<void>;
  /** Frees the key. */
  remove: (id: string, opId: string, attempt: number) => Promise<void>;
}
