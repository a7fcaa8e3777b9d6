import { CommandError } from '../command-error';
import { maxDocumentBytes } from '../bson/write-document';
import { sessionTimeoutMinutes } from '../replication/sessions';
import { maxMessageBytes } from '../wire/message';
import { countField, docField, type Handler } from './command';
import { wireVersion } from './version';
import { maxWriteBatch } from './write-errors';

/** Who this server is. With the topology version that the client knows already it waits for a change. */
const hello: Handler = async ({ name, body, engine, peer }) => {
  const known = docField(body, 'topologyVersion');
  const waitMs = countField(body, 'maxAwaitTimeMS');
  if (known && waitMs !== undefined) await engine.replicaSet.changed(known, waitMs, peer.closed);
  const { isPrimary } = engine.replicaSet;
  return {
    helloOk: true,
    ...(name === 'hello' ? { isWritablePrimary: isPrimary } : { ismaster: isPrimary }),
    ...engine.replicaSet.describe(peer.address),
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: maxWriteBatch,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: sessionTimeoutMinutes,
    connectionId: peer.id,
    minWireVersion: 0,
    maxWireVersion: wireVersion,
    readOnly: false,
  };
};

/** Fail over without a failure, as MongoDB's tests have it: only a store with test commands can be told to. */
const replSetStepDown: Handler = ({ name, engine }) => {
  if (!engine.failPoints) throw new CommandError('CommandNotFound', `no such command: '${name}'`);
  engine.replicaSet.stepDown();
  return {};
};

const replSetInitiate: Handler = () => {
  throw new CommandError('AlreadyInitialized', 'already initialized');
};

export const replicationCommands: Record<string, Handler> = {
  hello,
  replSetGetStatus: ({ engine, peer }) => engine.replicaSet.status(peer.address),
  replSetInitiate,
  replSetStepDown,
  // The member may always elect itself again.
  replSetFreeze: () => ({}),
};
