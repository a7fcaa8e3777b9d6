import { AddressLimiter } from './address-limiter';

test('an address is heard again when its minute is over; others are heard all along', () => {
  let now = 0;
  const limiter = new AddressLimiter(3, () => now);
  expect([1, 2, 3].map(() => limiter.add('a'))).toEqual([0, 0, 0]);
  expect(limiter.add('a')).toBe(60);
  expect(limiter.add('b')).toBe(0);
  now = 59_500;
  expect(limiter.add('a')).toBe(1);
  now = 60_000;
  expect(limiter.add('a')).toBe(0);
});
