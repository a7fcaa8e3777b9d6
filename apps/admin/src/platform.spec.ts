import { userInfo } from 'node:os';
import { operatorCall } from './platform';

afterEach(() => delete process.env['OPERATOR']);

test('an operator calls by name: of the account, or as OPERATOR says', () => {
  expect(operatorCall().principal).toEqual({ service: 'admin', userId: userInfo().username });
  process.env['OPERATOR'] = 'sanne';
  expect(operatorCall().principal).toEqual({ service: 'admin', userId: 'sanne' });
});
