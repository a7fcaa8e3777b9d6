import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { isDoc, type Doc } from '../bson/value';
import { errorCode, type ErrorName } from '../error-codes';

/**
 * Every write is journaled before it is seen, so every concern that a set of one can meet is met. Any other is answered as
 * MongoDB does: the write is done, and the answer says that the concern is not satisfied.
 */
export function writeConcernFailure(body: Doc): Doc | undefined {
  const concern = body.writeConcern;
  if (!isDoc(concern)) return undefined;
  const { w } = concern;
  if (w === undefined || w === null || w === 'majority') return undefined;
  if (isNumber(w))
    return toDouble(w) > 1 ? failure('UnsatisfiableWriteConcern', 'Not enough data-bearing nodes') : undefined;
  const message = `No write concern mode named '${String(w)}' found in replica set configuration`;
  return failure('UnknownReplWriteConcern', message);
}

const failure = (codeName: ErrorName, errmsg: string): Doc => ({
  writeConcernError: { code: errorCode(codeName), codeName, errmsg, errInfo: {} },
});

const levels = new Set(['local', 'majority', 'available', 'linearizable']);

/** What is visible is durable on the only member there is: local, majority and linearizable are the same. */
export function checkReadConcern(body: Doc): void {
  const concern = body.readConcern;
  if (!isDoc(concern) || concern.level === undefined) return;
  const { level } = concern;
  if (typeof level !== 'string')
    throw new CommandError('TypeMismatch', "BSON field 'readConcern.level' is the wrong type");
  if (levels.has(level)) return;
  if (level === 'snapshot')
    throw new CommandError('InvalidOptions', 'readConcern level snapshot is not supported by this server');
  throw new CommandError(
    'FailedToParse',
    `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`,
  );
}
