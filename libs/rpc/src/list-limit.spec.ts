import { listLimit } from './list-limit';

const limits = { usual: 50, most: 100 };

test('nothing asked for is the usual number, all else is what was asked for', () => {
  expect(listLimit(0, limits)).toBe(50);
  expect(listLimit(1, limits)).toBe(1);
  expect(listLimit(100, limits)).toBe(100);
});

test.each([-1, 101, 2 ** 31 - 1])('%d is refused', (asked) =>
  expect(() => listLimit(asked, limits)).toThrow('/limit: must be from 0 to 100'),
);
