import { CommandError } from '../command-error';
import { isDoc, type Doc, type Value } from '../bson/value';
import { toDouble, isNumber } from '../bson/arithmetic';
import { sessionKey } from '../replication/sessions';
import { type Retry } from '../replication/retryable-writes';

const retryable = new Set(['insert', 'update', 'delete', 'findAndModify', 'bulkWrite']);

/** What a command's `txnNumber` asks for: of a retryable write to be done once; of a transaction, which is refused, nothing. */
export function retryOf(name: string, body: Doc): Retry | undefined {
  if (body.startTransaction !== undefined || body.autocommit !== undefined)
    throw new CommandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  const { txnNumber, lsid } = body;
  if (txnNumber === undefined) return undefined;
  if (lsid === undefined)
    throw new CommandError('InvalidOptions', 'Transaction number requires a session ID to also be specified');
  if (!retryable.has(name))
    throw new CommandError(
      'Location50768',
      `txnNumber may only be provided for multi-document transactions and retryable write commands. autocommit:false was not provided, and ${name} is not a retryable write command.`,
    );
  if (isMulti(body))
    throw new CommandError('InvalidOptions', 'Cannot use (or request) retryable writes with multi=true');
  const first: Value | undefined = Array.isArray(body.stmtIds) ? body.stmtIds[0] : body.stmtId;
  const statement = isNumber(first) ? toDouble(first!) : 0;
  return { session: sessionKey(lsid), txnNumber: BigInt(toDouble(txnNumber)), statement };
}

/** Statements that may concern many documents cannot be done once, as they cannot in MongoDB. */
function isMulti({ updates, deletes, ops }: Doc): boolean {
  const statements = [updates, deletes, ops].flatMap((list) => (Array.isArray(list) ? list : []));
  return statements.some(
    (each) => isDoc(each) && (each.multi === true || (Array.isArray(deletes) && isZero(each.limit))),
  );
}

const isZero = (value: Value | undefined): boolean => isNumber(value) && toDouble(value!) === 0;
