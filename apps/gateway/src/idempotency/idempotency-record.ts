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
  /** Becomes the id of what the request creates, in every attempt. */
  readonly opId: string;
  readonly status: number | null;
  readonly body: string | null;
  /** When the record may be dropped. */
  readonly expiresAt: Date;
}

/** Where the records are kept. Each method is one atomic, durable step of the store. */
export interface IdempotencyRecords {
  /** False when the id is taken. */
  insert: (record: IdempotencyRecord) => Promise<boolean>;
  find: (id: string) => Promise<IdempotencyRecord | null>;
  /** To the next attempt, under a new lease. False when the record is no longer the one that was seen: another was first. */
  takeOver: (seen: IdempotencyRecord, leaseUntil: Date) => Promise<boolean>;
  /** Stores the answer unless one is stored already or the record is another operation's. */
  finish: (id: string, opId: string, answer: { status: number; body: string; expiresAt: Date }) => Promise<boolean>;
  /** Gives the lease back; fingerprint and opId stay. */
  release: (id: string, opId: string, attempt: number) => Promise<void>;
  /** Frees the key. */
  remove: (id: string, opId: string, attempt: number) => Promise<void>;
}
