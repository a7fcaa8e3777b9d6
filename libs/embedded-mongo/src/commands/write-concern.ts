import { CommandError } from '../command-error';
import { isNumber, toDouble } from '../bson/arithmetic';
import { isDoc, type Doc } from '../bson/value';

/** Every write is journaled before it is seen, so every concern that one server can meet is met. */
export function checkWriteConcern(body: Doc): void {
  const concern = body.writeConcern;
  if (!isDoc(concern)) return;
  const { w } = concern;
  if (w === undefined || w === 'majority') return;
  if (isNumber(w)) {
    if (toDouble(w) > 1) throw new CommandError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
    return;
  }
  throw new CommandError(
    'UnknownReplWriteConcern',
    `No write concern mode named '${String(w)}' found in replica set configuration`,
  );
}

const levels = new Set(['local', 'majority', 'available']);

/** What is visible is durable on the only server there is: local and majority are the same. */
export function checkReadConcern(body: Doc): void {
  const concern = body.readConcern;
  if (!isDoc(concern) || concern.level === undefined) return;
  const { level } = concern;
  if (typeof level !== 'string')
    throw new CommandError('TypeMismatch', "BSON field 'readConcern.level' is the wrong type");
  if (levels.has(level)) return;
  if (level === 'linearizable' || level === 'snapshot') {
    throw new CommandError(
      'NotAReplicaSet',
      `node needs to be a replica set member to use read concern level ${level}`,
    );
  }
  throw new CommandError(
    'FailedToParse',
    `Enumeration value '${level}' for field 'readConcern.level' is not a valid value.`,
  );
}
