import { setTimeout as sleep } from 'node:timers/promises';
import { maxDocumentBytes } from '../bson/write-document';
import { sessionTimeoutMinutes } from '../replication/sessions';
import { maxMessageBytes } from '../wire/message';
import { countField, docField, type Handler } from './command';
import { maxWriteBatch } from './write-errors';

/** MongoDB 8.0's wire protocol. */
const wireVersion = 25;

/** Who this server is. With the topology version that the client knows already it waits for a change, which none ever is. */
export const hello: Handler = async ({ name, body, engine, peer }) => {
  const known = docField(body, 'topologyVersion');
  const waitMs = countField(body, 'maxAwaitTimeMS');
  if (known && waitMs !== undefined && engine.replicaSet.isCurrent(known)) {
    await sleep(waitMs, undefined, { signal: peer.closed, ref: false }).catch(() => undefined); // closed: nobody waits
  }
  return {
    helloOk: true,
    ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
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

export const replSetGetStatus: Handler = ({ engine, peer }) => engine.replicaSet.status(peer.address);
