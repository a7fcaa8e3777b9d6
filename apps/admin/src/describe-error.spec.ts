import { readFileSync } from 'node:fs';
import { AppError, validationError } from '@invoicing/errors';
import { describeError } from './describe-error';

const FLAGS = ['--kvk-number', '--org', '--events'];

test.each([
  ['/details/kvkNumber', 'validation\n  --kvk-number is wrong'],
  ['/organizationId', 'validation\n  --org is wrong'],
  ['/events/0', 'validation\n  --events is wrong'],
  ['/lines/0/quantity', 'validation\n  /lines/0/quantity is wrong'],
  ['/file', 'validation\n  <file> is wrong'],
  ['', 'validation\n   is wrong'],
])('%s is named as its flag, or stays a pointer', (path, said) => {
  expect(describeError(validationError([{ path, message: 'is wrong' }]), FLAGS)).toBe(said);
});

test('a file that is not there is named in our words, and so is one that is no JSON', () => {
  const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
  const failure = (path: string): string => {
    try {
      return String(read(path));
    } catch (error) {
      return describeError(error, FLAGS);
    }
  };
  expect(failure('/nowhere/lines.json')).toBe('there is no file /nowhere/lines.json');
  expect(failure(__filename)).toMatch(/^the file is not JSON: /);
});

test('a service that is away is said to be away, and a code keeps its meaning', () => {
  expect(describeError(new AppError('unavailable', 'unavailable', 'x'), [])).toMatch(/is the platform running/);
  expect(describeError(new AppError('forbidden', 'test_only', 'only a test organisation'), [])).toBe(
    'test_only: only a test organisation',
  );
});
