import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { maxDocumentBytes } from '../bson/write-document';
import { maxMessageBytes } from '../wire/message';
import { integerField, type Command, type Handler } from './command';
import { getLog, hostInfo, serverStatus } from './server-status';
import { version, wireVersion } from './version';
import { maxWriteBatch } from './write-errors';

const hello: Handler = ({ name, connectionId }) => ({
  helloOk: true,
  ...(name === 'hello' ? { isWritablePrimary: true } : { ismaster: true }),
  maxBsonObjectSize: maxDocumentBytes,
  maxMessageSizeBytes: maxMessageBytes,
  maxWriteBatchSize: maxWriteBatch,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  connectionId,
  minWireVersion: 0,
  maxWireVersion: wireVersion,
  readOnly: false,
});

const buildInfo: Handler = () => ({
  version,
  gitVersion: 'embedded-mongo',
  modules: ['embedded-mongo'],
  allocator: 'lmdb',
  javascriptEngine: 'none',
  sysInfo: 'deprecated',
  versionArray: [...version.split('.').map(Number), 0],
  bits: 64,
  debug: false,
  maxBsonObjectSize: maxDocumentBytes,
  storageEngines: ['lmdb'],
});

const connectionStatus: Handler = () => ({
  authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] },
});

const ok: Handler = () => ({});

const notReplicated: Handler = ({ name }) => {
  throw new CommandError('NoReplicationEnabled', `not running with --replSet: ${name}`);
};

const noTransactions: Handler = () => {
  throw new CommandError('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
};

const getParameter: Handler = ({ body }) => {
  const known: Doc = { featureCompatibilityVersion: { version: '7.0' } };
  const wanted = Object.keys(known).filter((name) => body[name] !== undefined || body.getParameter === '*');
  if (wanted.length === 0) throw new CommandError('InvalidOptions', 'no option found to get');
  return Object.fromEntries(wanted.map((name) => [name, known[name]!]));
};

/** Only how often expired documents are looked for. */
const setParameter: Handler = ({ body, engine }) => {
  const seconds = integerField(body, 'ttlMonitorSleepSecs');
  if (seconds === undefined) throw new CommandError('InvalidOptions', 'no option found to set');
  if (seconds < 1) throw new CommandError('BadValue', 'ttlMonitorSleepSecs must be at least 1');
  engine.sweeper.every(seconds * 1000);
  return {};
};

const whatsMyUri: Handler = ({ connectionId }: Command) => ({ you: `client:${connectionId}` });

export const serverCommands: Record<string, Handler> = {
  hello,
  ping: ok,
  buildInfo,
  serverStatus,
  hostInfo,
  getLog,
  connectionStatus,
  endSessions: ok,
  startSession: () => ({ timeoutMinutes: 30 }),
  refreshSessions: ok,
  killSessions: ok,
  logout: ok,
  getParameter,
  setParameter,
  whatsmyuri: whatsMyUri,
  replSetGetStatus: notReplicated,
  replSetInitiate: notReplicated,
  commitTransaction: noTransactions,
  abortTransaction: noTransactions,
};
