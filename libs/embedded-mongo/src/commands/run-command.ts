import { CommandError } from '../command-error';
import { errorCode, type ErrorName } from '../error-codes';
import { type RawCommand } from '../bson/read-document';
import { isDoc, type Doc, type Value } from '../bson/value';
import { type Engine } from '../engine';
import { type Attempt } from '../replication/fail-points';
import { type Reply } from '../wire/connection';
import { type Peer } from '../wire/peer';
import { CursorReply } from '../wire/message';
import { namesOf } from './check-command';
import { dispatch } from './dispatch';
import { writeConcernFailure } from './write-concern';

/** Errors after which a write may be sent again (the drivers' specification of retryable writes). */
const retryable = new Set(
  (
    [
      'HostUnreachable', 'HostNotFound', 'NetworkTimeout', 'ShutdownInProgress', 'PrimarySteppedDown', 'ExceededTimeLimit',
      'SocketException', 'NotWritablePrimary', 'InterruptedAtShutdown', 'InterruptedDueToReplStateChange',
      'NotPrimaryNoSecondaryOk', 'NotPrimaryOrSecondary',
    ] satisfies ErrorName[]
  ).map(errorCode),
); // prettier-ignore

const notPrimary = new Set(
  (
    [
      'NotWritablePrimary', 'InterruptedDueToReplStateChange', 'PrimarySteppedDown', 'NotPrimaryNoSecondaryOk', 'NotPrimaryOrSecondary',
    ] satisfies ErrorName[]
  ).map(errorCode),
); // prettier-ignore

const retryLabel = { errorLabels: ['RetryableWriteError'] };

/** One command as a member of a replica set runs it: in its session, under the fail points, and with the labels and write concern errors that its answer carries. */
export async function runCommand(engine: Engine, request: RawCommand, peer: Peer): Promise<Reply> {
  const { body } = request;
  learnApplication(body, peer);
  const retryableWrite = body.txnNumber !== undefined && body.autocommit === undefined;
  try {
    const session = body.lsid === undefined ? undefined : engine.sessions.use(body.lsid);
    const { failPoints, failEvery } = engine;
    const injected = failPoints && (await failPoints.before(attempt(body, peer)));
    const name = Object.keys(body)[0] ?? '';
    const fate = failEvery?.before(name, session, retryableWrite);
    const reply = await dispatch(engine, request, peer);
    if (fate) throw fate;
    return withConcern(reply, injected ?? writeConcernFailure(body), retryableWrite);
  } catch (error) {
    throw error instanceof CommandError ? annotated(engine, error, retryableWrite) : error;
  }
}

/** Members that are not, or no longer, the primary say with which topology; and what may be sent again is labelled so. */
function annotated({ replicaSet }: Engine, error: CommandError, retryableWrite: boolean): CommandError {
  const extra: Doc = { ...error.extra };
  if (notPrimary.has(error.code)) extra.topologyVersion = replicaSet.topologyVersion;
  if (retryableWrite && retryable.has(error.code)) extra.errorLabels ??= retryLabel.errorLabels;
  return new CommandError(error.codeName, error.message, extra);
}

/** The first hello of a connection says which application it belongs to. */
function learnApplication({ client }: Doc, peer: Peer): void {
  const name = isDoc(client) && isDoc(client.application) ? client.application.name : undefined;
  if (typeof name === 'string') peer.application = name;
}

function attempt(body: Doc, { application }: Peer): Attempt {
  const first = Object.keys(body)[0] ?? '';
  return { names: namesOf(first), namespace: `${String(body.$db)}.${String(body[first])}`, application };
}

/** A write that was done, but not as durably as was asked. */
function withConcern(reply: Reply, failure: Doc | undefined, retryableWrite: boolean): Reply {
  if (!failure) return reply;
  const { writeConcernError, errorLabels } = failure;
  const code: Value | undefined = isDoc(writeConcernError) ? writeConcernError.code : undefined;
  const labels = errorLabels ?? (retryableWrite && retryable.has(Number(code)) ? retryLabel.errorLabels : undefined);
  const fields: Doc = { writeConcernError: writeConcernError!, ...(labels !== undefined && { errorLabels: labels }) };
  return reply instanceof CursorReply ? reply.with(fields) : { ...reply, ...fields };
}
