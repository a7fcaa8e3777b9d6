import { Binary } from 'bson';
import { randomBytes } from 'node:crypto';
import { CommandError } from '../command-error';
import { type Doc, type Value } from '../bson/value';
import { sessionTimeoutMinutes } from '../replication/sessions';
import { docsField, type Command, type Handler } from './command';

const startSession: Handler = ({ engine }) => {
  const bytes = randomBytes(16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x40; // a UUID of version 4
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const id: Doc = { id: new Binary(bytes, Binary.SUBTYPE_UUID) };
  engine.sessions.use(id);
  return { id, timeoutMinutes: sessionTimeoutMinutes };
};

const each =
  (act: (command: Command, lsid: Value) => void): Handler =>
  (command) => {
    for (const lsid of docsField(command.body, command.name)) act(command, lsid);
    return {};
  };

const end = ({ engine }: Command, lsid: Value): void => engine.cursors.killOf(engine.sessions.end(lsid));

const noTransactions: Handler = () => {
  throw new CommandError('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
};

/** Logical sessions. What they still have open is closed with them; what they wrote can be asked for again until it expires. */
export const sessionCommands: Record<string, Handler> = {
  startSession,
  refreshSessions: each(({ engine }, lsid) => void engine.sessions.use(lsid)),
  endSessions: each(end),
  killSessions: each(end),
  commitTransaction: noTransactions,
  abortTransaction: noTransactions,
};
