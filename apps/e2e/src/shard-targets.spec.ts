import { toAllShards, type ShardKeys } from './shard-targets';

const keys: ShardKeys = new Map<string, readonly string[] | 'one shard'>([
  ['d.invoices', ['organizationId']],
  ['d.drafts', ['organizationId', '_id']],
  ['d.settings', 'one shard'],
]);
const sent = (command: object): string | undefined => toAllShards({ ...command, $db: 'd' }, keys);

test.each<[object, string | undefined]>([
  [{ find: 'invoices', filter: { organizationId: 'o', seq: { $lte: 3 } } }, undefined],
  [{ find: 'invoices', filter: { organizationId: { $in: ['o', 'p'] } } }, undefined],
  [{ find: 'invoices', filter: { $and: [{ organizationId: 'o' }, { seq: 1 }] } }, undefined],
  [{ find: 'invoices', filter: { seq: 1 } }, 'd.invoices find seq'],
  [{ find: 'invoices' }, 'd.invoices find everything'],
  [{ find: 'invoices', filter: { organizationId: { $gt: '' } } }, 'd.invoices find organizationId'],
  [{ find: 'invoices', filter: { $or: [{ organizationId: 'o' }, { seq: 1 }] } }, 'd.invoices find everything'],
  [{ aggregate: 'invoices', pipeline: [{ $match: { organizationId: 'o' } }, { $count: 'n' }] }, undefined],
  [{ aggregate: 'invoices', pipeline: [{ $count: 'n' }] }, 'd.invoices aggregate everything'],
  [{ distinct: 'invoices', key: 'series', query: { seq: 1 } }, 'd.invoices distinct seq'],
  [{ insert: 'invoices', documents: [{ _id: 1, organizationId: 'o' }] }, undefined],
  [{ insert: 'invoices', documents: [{ _id: 1, organizationId: 'o' }, { _id: 2 }] }, 'd.invoices insert _id'],
  [{ update: 'drafts', updates: [{ q: { organizationId: 'o', _id: 1 }, u: {} }] }, undefined],
  [{ update: 'drafts', updates: [{ q: { organizationId: 'o' }, u: {} }] }, 'd.drafts update organizationId'],
  [{ update: 'drafts', updates: [{ q: { organizationId: 'o' }, u: {}, multi: true }] }, undefined],
  [{ delete: 'drafts', deletes: [{ q: { _id: 1 }, limit: 1 }] }, 'd.drafts delete _id'],
  [{ findAndModify: 'drafts', query: { dueAt: 1 } }, 'd.drafts findAndModify dueAt'],
  [{ find: 'settings', filter: {} }, undefined],
  [{ createIndexes: 'unknown', indexes: [] }, undefined],
])('%j', (command, expected) => {
  expect(sent(command)).toBe(expected);
});

test('a collection or a command that nobody has thought of is told', () => {
  expect(() => sent({ find: 'unknown' })).toThrow('d.unknown');
  expect(() => sent({ mapReduce: 'invoices' })).toThrow('mapReduce');
});
