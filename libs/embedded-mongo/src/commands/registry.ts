import { aggregateCommand } from './aggregate';
import { bulkWriteCommand } from './bulk-write';
import {
  createCommand,
  dropCommand,
  dropDatabaseCommand,
  listCollectionsCommand,
  listDatabasesCommand,
  renameCollectionCommand,
} from './collection-commands';
import { collModCommand } from './coll-mod';
import { copyStoreCommand } from './copy-store';
import { type Handler } from './command';
import { deleteCommand } from './delete';
import { explainCommand } from './explain';
import { findAndModifyCommand } from './find-and-modify';
import { createIndexesCommand, dropIndexesCommand, listIndexesCommand } from './index-commands';
import { insertCommand } from './insert';
import { countCommand, distinctCommand, findCommand, getMoreCommand, killCursorsCommand } from './read-commands';
import { searchCommands } from './search-commands';
import { serverCommands } from './server-commands';
import { collStatsCommand, dataSizeCommand, dbStatsCommand } from './storage-stats';
import { updateCommand } from './update';
import { validateCommand } from './validate';

/** Every command by its name; `aliases` in command-fields.ts has the others that it goes by on the wire. */
export const commands: Record<string, Handler> = {
  ...serverCommands,
  ...searchCommands,
  bulkWrite: bulkWriteCommand,
  insert: insertCommand,
  find: findCommand,
  getMore: getMoreCommand,
  killCursors: killCursorsCommand,
  update: updateCommand,
  delete: deleteCommand,
  findAndModify: findAndModifyCommand,
  aggregate: aggregateCommand,
  count: countCommand,
  distinct: distinctCommand,
  explain: explainCommand,
  create: createCommand,
  drop: dropCommand,
  dropDatabase: dropDatabaseCommand,
  renameCollection: renameCollectionCommand,
  collMod: collModCommand,
  collStats: collStatsCommand,
  dbStats: dbStatsCommand,
  dataSize: dataSizeCommand,
  validate: validateCommand,
  copyStore: copyStoreCommand,
  listCollections: listCollectionsCommand,
  listDatabases: listDatabasesCommand,
  createIndexes: createIndexesCommand,
  listIndexes: listIndexesCommand,
  dropIndexes: dropIndexesCommand,
};
