import { inColumns } from './columns';
import { textOf } from './output';

const subscription = {
  id: 's-1',
  organizationId: 'o',
  customerId: 'c',
  freq: 'monthly',
  status: 'active',
  revision: 3,
};

test('a noun has one set of columns, whatever verb lists it, alone or beside a cursor', () => {
  const alone = inColumns('subscriptions', [subscription]);
  expect(alone).toEqual([{ id: 's-1', customerId: 'c', freq: 'monthly', status: 'active' }]);
  expect(inColumns('subscription', { subscriptions: [subscription], cursor: 'next' })).toEqual({
    subscriptions: alone,
    cursor: 'next',
  });
  expect(inColumns('subscription', { subscriptions: [], cursor: null })).toEqual({ subscriptions: [] });
});

test('what a noun has beside itself has columns of its own', () => {
  const delivery = { id: 'd', at: new Date('2026-11-22T09:18:00Z'), eventType: 'invoice.paid', status: 'failed' };
  expect(inColumns('webhook', { deliveries: [delivery] })).toEqual({
    deliveries: [{ at: '2026-11-22 09:18', eventType: 'invoice.paid', status: 'failed', id: 'd' }],
  });
  expect(inColumns('reminder', { exceptions: [{ kind: 'invoice', id: 'i', reason: 'x', by: {} }] })).toEqual({
    exceptions: [{ kind: 'invoice', id: 'i', reason: 'x' }],
  });
});

test('a cell is one line: lists are words, long ones say how many, times end with the minute', () => {
  const scopes = Array.from({ length: 13 }, (_, at) => `customers:read${at}`);
  const lastUsedAt = new Date('2026-11-22T09:18:00.665Z');
  const [row] = inColumns('key', [{ prefix: 'ik_test_x', scopes, lastUsedAt }]) as Record<string, string>[];
  expect(row).toMatchObject({ prefix: 'ik_test_x', lastUsedAt: '2026-11-22 09:18' });
  expect(row!['scopes']).toMatch(/^13: customers:read0, .*…$/);
  expect(textOf([row]).split('\n')).toHaveLength(5);
  expect(inColumns('webhook', [{ events: ['invoice.paid', 'invoice.issued'] }])).toEqual([
    { events: 'invoice.paid, invoice.issued' },
  ]);
});

test('what is no list, or has no columns of its own, is shown as it is', () => {
  const one = { id: 's-1', lines: [{ a: 1 }], organizationId: 'o' };
  expect(inColumns('subscription', one)).toEqual(one);
  expect(inColumns('draft', [{ anything: 1 }])).toEqual([{ anything: 1 }]);
  expect(inColumns('org', 'words')).toBe('words');
});
