import { type Fields } from './check-fields';

const one = 'There is one server.';
const spill = 'Nothing is spilled to disk: what does not fit is refused (292).';
const open = 'Old clients still send it.';

/** What every command takes. */
export const commonFields: Fields = {
  $db: { kind: 'any' },
  lsid: { kind: 'object' },
  txnNumber: { kind: 'long' },
  stmtId: { kind: 'any', ignored: 'A statement is known by its place in the command.' },
  autocommit: { kind: 'bool' },
  startTransaction: { kind: 'bool' },
  readConcern: { kind: 'object' },
  writeConcern: { kind: 'object' },
  maxTimeMS: { kind: 'maxTime' },
  maxTimeMSOpOnly: { kind: 'any', ignored: 'Only servers send it to each other.' },
  comment: { kind: 'any', ignored: 'It is for the log and the profiler; there is none.' },
  apiVersion: { kind: 'string' },
  apiStrict: { kind: 'bool', ignored: 'Every command of version 1 that is here behaves as in version 1.' },
  apiDeprecationErrors: { kind: 'bool', ignored: 'Nothing of version 1 is deprecated.' },
  clientOperationKey: { kind: 'any', ignored: one },
  $clusterTime: { kind: 'any', ignored: one },
  $readPreference: { kind: 'any', ignored: one },
  $queryOptions: { kind: 'any', ignored: one },
  $client: { kind: 'any', ignored: 'The connection has said who it is.' },
};

const write: Fields = {
  ordered: { kind: 'bool' },
  bypassDocumentValidation: { kind: 'boolOrNumber' },
  stmtIds: { kind: 'array', ignored: 'A statement is known by its place in the command.' },
};

const updateStatement: Fields = {
  q: { kind: 'object', required: true },
  u: { kind: 'update', required: true },
  c: { kind: 'object' },
  arrayFilters: { kind: 'objects' },
  hint: { kind: 'hint' },
  multi: { kind: 'bool' },
  upsert: { kind: 'bool' },
  collation: { kind: 'object' },
  sort: { kind: 'object' },
};

const deleteStatement: Fields = {
  q: { kind: 'object', required: true },
  limit: { kind: 'deleteLimit', required: true },
  hint: { kind: 'hint' },
  collation: { kind: 'object' },
};

const find: Fields = {
  filter: { kind: 'document' },
  projection: { kind: 'document' },
  sort: { kind: 'document' },
  hint: { kind: 'hint' },
  collation: { kind: 'document' },
  skip: { kind: 'number', least: 0 },
  limit: { kind: 'number', least: 0 },
  batchSize: { kind: 'number', least: 0 },
  singleBatch: { kind: 'optionalBool' },
  allowDiskUse: { kind: 'optionalBool', ignored: spill },
  min: { kind: 'document' },
  max: { kind: 'document' },
  returnKey: { kind: 'optionalBool' },
  showRecordId: { kind: 'optionalBool' },
  tailable: { kind: 'optionalBool' },
  awaitData: { kind: 'optionalBool' },
  oplogReplay: { kind: 'optionalBool', ignored: 'MongoDB ignores it too since 4.4.' },
  noCursorTimeout: { kind: 'optionalBool' },
  allowPartialResults: { kind: 'optionalBool', ignored: 'There are no shards that could be missing.' },
  let: { kind: 'object' },
  readOnce: { kind: 'optionalBool', ignored: 'It is about the cache of another storage engine.' },
};

const cursor: Fields = { batchSize: { kind: 'number', least: 0 } };

/** Every command that takes a closed list of fields, as in MongoDB; what is not here is in `openCommands`. */
export const commandFields: Readonly<Record<string, Fields>> = {
  insert: { documents: { kind: 'objects' }, ...write },
  update: { updates: { kind: 'objects', required: true, statement: updateStatement }, let: { kind: 'object' }, ...write },
  delete: { deletes: { kind: 'objects', required: true, statement: deleteStatement }, let: { kind: 'object' }, ...write },
  find,
  findAndModify: {
    query: { kind: 'object' },
    fields: { kind: 'object' },
    sort: { kind: 'object' },
    hint: { kind: 'hint' },
    collation: { kind: 'object' },
    arrayFilters: { kind: 'objects' },
    remove: { kind: 'boolOrNumber' },
    update: { kind: 'update' },
    upsert: { kind: 'boolOrNumber' },
    new: { kind: 'boolOrNumber' },
    bypassDocumentValidation: { kind: 'boolOrNumber' },
    let: { kind: 'object' },
  },
  aggregate: {
    pipeline: { kind: 'any', required: true },
    explain: { kind: 'boolOrNumber' },
    allowDiskUse: { kind: 'boolOrNumber', ignored: spill },
    cursor: { kind: 'any' },
    hint: { kind: 'hint' },
    collation: { kind: 'object' },
    bypassDocumentValidation: { kind: 'boolOrNumber' },
    let: { kind: 'object' },
  },
  count: {
    query: { kind: 'object' },
    limit: { kind: 'number' },
    skip: { kind: 'number', least: 0 },
    hint: { kind: 'hint' },
    collation: { kind: 'object' },
    fields: { kind: 'any', ignored: open },
  },
  distinct: {
    key: { kind: 'string', required: true },
    query: { kind: 'object' },
    hint: { kind: 'hint' },
    collation: { kind: 'object' },
  },
  getMore: { collection: { kind: 'string', required: true }, batchSize: { kind: 'number', least: 0 } },
  killCursors: { cursors: { kind: 'array', required: true } },
  explain: { verbosity: { kind: 'string' } },
  create: {
    capped: { kind: 'boolOrNumber' },
    size: { kind: 'number' },
    max: { kind: 'number' },
    validator: { kind: 'object' },
    validationLevel: { kind: 'string' },
    validationAction: { kind: 'string' },
    clusteredIndex: { kind: 'any' },
    collation: { kind: 'object' },
    viewOn: { kind: 'string' },
    pipeline: { kind: 'objects' },
    timeseries: { kind: 'object' },
    expireAfterSeconds: { kind: 'any' },
    changeStreamPreAndPostImages: { kind: 'object' },
    encryptedFields: { kind: 'object' },
    idIndex: { kind: 'object', ignored: 'The index on _id is always the same.' },
    autoIndexId: { kind: 'boolOrNumber', ignored: open },
    storageEngine: { kind: 'object', ignored: 'It is about another storage engine.' },
    indexOptionDefaults: { kind: 'object', ignored: 'It is about another storage engine.' },
  },
  drop: {},
  dropDatabase: {},
  renameCollection: { to: { kind: 'string', required: true }, dropTarget: { kind: 'any' } },
  collMod: {
    index: {
      kind: 'object',
      statement: {
        name: { kind: 'string' },
        keyPattern: { kind: 'object' },
        expireAfterSeconds: { kind: 'number' },
        hidden: { kind: 'boolOrNumber' },
        prepareUnique: { kind: 'boolOrNumber' },
        unique: { kind: 'boolOrNumber' },
      },
    },
    validator: { kind: 'object' },
    validationLevel: { kind: 'string' },
    validationAction: { kind: 'string' },
    viewOn: { kind: 'string' },
    pipeline: { kind: 'objects' },
    timeseries: { kind: 'object' },
    expireAfterSeconds: { kind: 'any' },
    cappedSize: { kind: 'number' },
    cappedMax: { kind: 'number' },
    changeStreamPreAndPostImages: { kind: 'object' },
  },
  collStats: { scale: { kind: 'number' } },
  dbStats: { scale: { kind: 'number' }, freeStorage: { kind: 'number', ignored: 'Free pages are those of the file, not of a database.' } },
  dataSize: {
    keyPattern: { kind: 'object' },
    min: { kind: 'object' },
    max: { kind: 'object' },
    estimate: { kind: 'boolOrNumber', ignored: 'The exact size is as cheap.' },
  },
  validate: {
    full: { kind: 'boolOrNumber', ignored: 'Every validation is a full one.' },
    checkBSONConformance: { kind: 'boolOrNumber', ignored: 'Every validation decodes every document.' },
    background: { kind: 'boolOrNumber', ignored: 'Nothing is locked.' },
    metadata: { kind: 'boolOrNumber' },
    repair: { kind: 'boolOrNumber' },
  },
  listCollections: {
    filter: { kind: 'object' },
    nameOnly: { kind: 'boolOrNumber' },
    authorizedCollections: { kind: 'boolOrNumber', ignored: 'Everybody may see all.' },
    cursor: { kind: 'object', statement: cursor },
  },
  listDatabases: {
    filter: { kind: 'object' },
    nameOnly: { kind: 'boolOrNumber' },
    authorizedDatabases: { kind: 'any', ignored: 'Everybody may see all.' },
  },
  createIndexes: {
    indexes: { kind: 'objects', required: true },
    ignoreUnknownIndexOptions: { kind: 'boolOrNumber' },
    commitQuorum: { kind: 'any', ignored: one },
  },
  listIndexes: { cursor: { kind: 'object', statement: cursor } },
  dropIndexes: { index: { kind: 'any', required: true } },
  connectionStatus: { showPrivileges: { kind: 'boolOrNumber', ignored: 'There are no users.' } },
  buildInfo: {},
  hostInfo: {},
  getLog: {},
  endSessions: {},
  startSession: {},
  refreshSessions: {},
  killSessions: {},
  commitTransaction: { recoveryToken: { kind: 'object' } },
  abortTransaction: { recoveryToken: { kind: 'object' } },
}; // prettier-ignore

/** Commands that take any field, and why. */
export const openCommands: Readonly<Record<string, string>> = {
  hello: 'Clients and newer drivers say more of themselves in it than is declared.',
  ping: 'MongoDB looks at none of its fields.',
  serverStatus: 'Its fields name sections of the answer.',
  getParameter: 'Its fields are the names of parameters.',
  setParameter: 'Its fields are the names of parameters.',
  whatsmyuri: 'MongoDB looks at none of its fields.',
  logout: 'MongoDB looks at none of its fields.',
  replSetGetStatus: 'MongoDB looks at none of its fields.',
  replSetInitiate: 'MongoDB looks at none of its fields.',
};

/** Other names of commands. MongoDB's refusals say the first. */
export const aliases: Readonly<Record<string, string>> = {
  isMaster: 'hello',
  ismaster: 'hello',
  buildinfo: 'buildInfo',
  findandmodify: 'findAndModify',
  collstats: 'collStats',
  dbstats: 'dbStats',
  datasize: 'dataSize',
};
