import { CommandError } from '../command-error';
import { type Doc } from '../bson/value';
import { maxDocumentBytes } from '../bson/write-document';
import { integerField, type Command, type Handler } from './command';
import { failPointCommands } from './fail-point-commands';
import { replicationCommands } from './replication-commands';
import { getLog, hostInfo, serverStatus } from './server-status';
import { sessionCommands } from './session-commands';
import { version } from './version';

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

const getParameter: Handler = ({ body }) => {
  const known: Doc = { featureCompatibilityVersion: { version: '8.0' } };
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

const whatsMyUri: Handler = ({ peer }: Command) => ({ you: `client:${peer.id}` });

export const serverCommands: Record<string, Handler> = {
  ...replicationCommands,
  ping: ok,
  buildInfo,
  serverStatus,
  hostInfo,
  getLog,
  connectionStatus,
  logout: ok,
  getParameter,
  setParameter,
  whatsmyuri: whatsMyUri,
  ...sessionCommands,
  ...failPointCommands,
};
