import { CommandError } from '../command-error';
import { type Engine } from '../engine';
import { type Reply } from '../wire/connection';
import { type Peer } from '../wire/peer';
import { MingoNeeded } from '../aggregate/mingo';
import { type Doc, type Value } from '../bson/value';
import { type RawCommand } from '../bson/read-document';
import { canonicalName, checkCommand } from './check-command';
import { commands } from './registry';
import { sessionKey } from '../replication/sessions';
import { isView, notOnView } from './views';
import { retryOf } from './retry';
import { checkReadConcern } from './write-concern';

const adminOnly = new Set([
  'listDatabases',
  'renameCollection',
  'replSetGetStatus',
  'getParameter',
  'setParameter',
  'bulkWrite',
  'configureFailPoint',
  'copyStore',
  'hostInfo',
  'getLog',
]);

/** What a member answers also while it is not the primary. */
const anyMember = new Set(
  'hello ping buildInfo connectionStatus endSessions getParameter replSetGetStatus replSetFreeze configureFailPoint'.split(
    ' ',
  ),
);

/** How many statements a write command has. */
function statements(name: string, body: Doc, documents: Buffer[] | undefined): number {
  const list = documents ?? body[`${name}s`];
  return Array.isArray(list) ? list.length : 0;
}

const notOnViews = new Set(
  'insert update delete findAndModify createIndexes dropIndexes listIndexes validate collStats'.split(' '),
);

function refuseView(engine: Engine, db: string, name: Value | undefined): void {
  if (typeof name === 'string' && isView(engine.collection(db, name))) throw notOnView(db, name);
}

/** Finds the command's handler and runs it, after what is checked for every command. */
export async function dispatch(engine: Engine, { body, documents }: RawCommand, peer: Peer): Promise<Reply> {
  const name = Object.keys(body)[0] ?? '';
  const canonical = canonicalName(name);
  const handler = Object.hasOwn(commands, canonical) ? commands[canonical] : undefined;
  if (!handler) throw new CommandError('CommandNotFound', `no such command: '${name}'`);
  const db = body.$db;
  if (typeof db !== 'string') throw new CommandError('Location40571', 'OP_MSG requests require a $db argument');
  checkCommand(canonical, body);
  if (adminOnly.has(name) && db !== 'admin')
    throw new CommandError('Unauthorized', `${name} may only be run against the admin database.`);
  engine.metrics.ran(canonical, statements(canonical, body, documents));
  checkReadConcern(body);
  if (notOnViews.has(canonical)) refuseView(engine, db, body[name]);
  if (!engine.replicaSet.isPrimary && !anyMember.has(canonical)) throw engine.replicaSet.notPrimary();
  const command = {
    name,
    db,
    body,
    documents,
    engine,
    peer,
    session: body.lsid === undefined ? undefined : sessionKey(body.lsid),
    retry: retryOf(canonical, body),
  };
  try {
    return await handler(command);
  } catch (error) {
    // Raised while compiling, before anything was done.
    if (!(error instanceof MingoNeeded)) throw error;
    await error.load();
    return dispatch(engine, { body, documents }, peer);
  }
}
