import { countedAddress } from './client-address';

test('IPv4 counts as it is, in whatever form; IPv6 by the network of one subscriber', () => {
  expect(countedAddress('192.0.2.7')).toBe('192.0.2.7');
  expect(countedAddress('::ffff:192.0.2.7')).toBe('192.0.2.7');
  expect(countedAddress('2001:db8:1:2::1')).toBe('2001:db8:1:2::/64');
  expect(countedAddress('2001:0DB8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
  expect(countedAddress('2001:db8:1:3::1')).toBe('2001:db8:1:3::/64');
  expect(countedAddress('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
});
