import { CommandError } from '../command-error';
import { readDocument } from '../bson/read-document';
import { type Doc } from '../bson/value';
import { writeDocument } from '../bson/write-document';
import { type KeyRange, type Store } from '../storage/store';
import { prefixRange } from '../storage/keys';
import { type WriteTransaction } from '../storage/write-transaction';
import { sessionTimeoutMinutes } from './sessions';

/** What a client says of a write that it may send again. */
export interface Retry {
  /** The session's UUID in hexadecimal. */
  session: string;
  txnNumber: bigint;
  /** The number of the command's first statement: commands of one txnNumber differ in it. */
  statement: number;
}

/** In the catalog's collection, number 0: a session's last write with its answers, for as long as it may be sent again. */
const prefix = Buffer.concat([Buffer.alloc(4), Buffer.from('s')]);
export const sessionRecords: KeyRange = prefixRange(prefix);

/** txnNumber and milliseconds, 8 bytes each, then the answers as a document. */
const headerBytes = 16;

/** When the outcome of a write was recorded, in epoch milliseconds. */
const recordedAt = (record: Buffer): number => Number(record.readBigInt64BE(8));

/** Whether the session of a recorded write has ended by its time limit. */
export const isExpired = (record: Buffer, now = Date.now()): boolean =>
  now - recordedAt(record) > sessionTimeoutMinutes * 60_000;

/**
 * Runs a write once for a session and transaction number. The answer is put beside what was written, in the same commit: so a
 * client whose answer was lost gets it again, also after a restart, and nothing is applied twice. As in MongoDB what changed
 * nothing is not recorded and runs again, and a session remembers only its last transaction number.
 */
export function once(transaction: WriteTransaction, retry: Retry, work: () => Doc): Doc {
  const { store } = transaction;
  const key = Buffer.concat([prefix, Buffer.from(retry.session, 'hex')]);
  const before = store.get(key);
  const last = before?.readBigInt64BE(0);
  if (last !== undefined && retry.txnNumber < last) throw tooOld(retry, last);
  const answers = last === retry.txnNumber ? answersOf(before!) : {};
  const known = answers[retry.statement];
  if (known) return known as Doc;
  const mark = transaction.mark();
  const reply = work();
  if (transaction.mark() > mark) transaction.put(key, record(retry, { ...answers, [retry.statement]: reply }), before);
  return reply;
}

const answersOf = (bytes: Buffer): Doc => readDocument(bytes.subarray(headerBytes));

function record({ txnNumber }: Retry, answers: Doc): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeBigInt64BE(txnNumber, 0);
  header.writeBigInt64BE(BigInt(Date.now()), 8);
  return Buffer.concat([header, writeDocument(answers)]);
}

const tooOld = ({ session, txnNumber }: Retry, last: bigint): CommandError =>
  new CommandError(
    'TransactionTooOld',
    `Retryable write with txnNumber ${txnNumber} is prohibited on session ${session} because a newer retryable write with txnNumber ${last} has already started on this session.`,
  );

/** The records of sessions that nobody has written in for half an hour. */
export function* expiredRecords(store: Store): Generator<{ key: Buffer; value: Buffer }> {
  const now = Date.now();
  for (const entry of store.entries(sessionRecords)) if (isExpired(entry.value, now)) yield entry;
}
