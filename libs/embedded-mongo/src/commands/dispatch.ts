import { CommandError } from '../command-error';
import { type Engine } from '../engine';
import { type Reply } from '../wire/connection';
import { MingoNeeded } from '../aggregate/mingo';
import { type Doc } from '../bson/value';
import { type RawCommand } from '../bson/read-document';
import { canonicalName, checkCommand } from './check-command';
import { commands } from './registry';
import { checkReadConcern, checkWriteConcern } from './write-concern';

const adminOnly = new Set([
  'listDatabases',
  'renameCollection',
  'replSetGetStatus',
  'getParameter',
  'setParameter',
  'hostInfo',
  'getLog',
]);

/** How many statements a write command has. */
function statements(name: string, body: Doc, documents: Buffer[] | undefined): number {
  const list = documents ?? body[`${name}s`];
  return Array.isArray(list) ? list.length : 0;
}

/** Finds the command's handler and runs it, after what is checked for every command. */
export async function dispatch(engine: Engine, { body, documents }: RawCommand, connectionId: number): Promise<Reply> {
  const name = Object.keys(body)[0] ?? '';
  const canonical = canonicalName(name);
  const handler = Object.hasOwn(commands, canonical) ? commands[canonical] : undefined;
  if (!handler) throw new CommandError('CommandNotFound', `no such command: '${name}'`);
  const db = body.$db;
  if (typeof db !== 'string') throw new CommandError('Location40571', 'OP_MSG requests require a $db argument');
  checkCommand(canonical, body);
  if (adminOnly.has(name) && db !== 'admin')
    throw new CommandError('Unauthorized', `${name} may only be run against the admin database.`);
  if (body.txnNumber !== undefined || body.startTransaction !== undefined) {
    throw new CommandError(
      'IllegalOperation',
      'Transaction numbers are only allowed on a replica set member or mongos',
    );
  }
  engine.metrics.ran(canonical, statements(canonical, body, documents));
  checkReadConcern(body);
  checkWriteConcern(body);
  const command = { name, db, body, documents, engine, connectionId };
  try {
    return await handler(command);
  } catch (error) {
    // Raised while compiling, before anything was done.
    if (!(error instanceof MingoNeeded)) throw error;
    await error.load();
    return dispatch(engine, { body, documents }, connectionId);
  }
}
