import { isAllowedAddress, targetFault } from './public-target';

/** Hosts that no webhook may lead to, in every way of writing them that a URL accepts. */
const FORBIDDEN_HOSTS = [
  // Loopback, in all encodings.
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0177.0x0.0.1',
  '127.0.0.1.',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  // This network and broadcast.
  '0.0.0.0',
  '0',
  '0x0',
  '0.1.2.3',
  '255.255.255.255',
  '4294967295',
  // Private.
  '10.0.0.1',
  '10.1',
  '167772161',
  '0xa000001',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '192.168.257',
  '0xc0.0xa8.1.1',
  // Shared (CGNAT), link-local, cloud metadata.
  '100.64.0.1',
  '100.127.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '168.63.129.16',
  '100.100.100.200',
  // Special purpose, documentation, benchmarking, multicast, reserved.
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  // IPv6: unspecified, local, site-local, link-local, multicast, documentation, discard.
  '[::]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[fe80::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[3fff::1]',
  // IPv6 that hides IPv4: mapped, compatible, translated, 6to4, Teredo, ISATAP-like.
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:8.8.8.8]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::808:808]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::a00:1]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::1]',
  '[2001::1]',
  '[::ffff:0:127.0.0.1]',
];

const ALLOWED_HOSTS = [
  'example.com',
  'hooks.example.com',
  'example.com:8443',
  'EXAMPLE.com',
  'xn--bcher-kva.example',
  'bücher.example',
  'a-b.example.co.uk',
  'notlocalhost.example',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '8.8.8.8',
  '1.1.1.1',
  '134744072',
  '0x8080808',
  '172.15.0.1',
  '172.32.0.1',
  '100.63.255.255',
  '192.167.255.255',
  '[2606:4700:4700::1111]',
  '[2a00:1450:400e:80f::200e]',
  '[2001:4860:4860::8888]:8443',
];

test('the table is as long as it should be', () => {
  expect(new Set(FORBIDDEN_HOSTS).size).toBeGreaterThanOrEqual(60);
  expect(new Set(ALLOWED_HOSTS).size).toBeGreaterThanOrEqual(20);
});

test.each(FORBIDDEN_HOSTS)('https://%s/ is refused', (host) => {
  expect(targetFault(`https://${host}/hook`, false)).toEqual(expect.any(String));
});

test.each(ALLOWED_HOSTS)('https://%s/ is accepted', (host) => {
  expect(targetFault(`https://${host}/hook?key=1`, false)).toBeUndefined();
});

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '//example.com',
  '/hook',
  '',
  'https://',
  'https://user@example.com/',
  'https://user:pass@example.com/',
  'https://example.com:99999/',
  `https://example.com/${'a'.repeat(2_050)}`,
  'http://8.8.8.8/',
  'https://[fe80::1%25eth0]/',
  'https://exa mple.com/',
])('%s is no target', (url) => {
  expect(targetFault(url, true)).toEqual(expect.any(String));
});

test('loopback, by http too, only when the operator says so', () => {
  for (const url of ['http://127.0.0.1:9000/', 'http://localhost:9000/', 'https://[::1]/', 'http://app.localhost/']) {
    expect(targetFault(url, true)).toBeUndefined();
    expect(targetFault(url, false)).toEqual(expect.any(String));
  }
  for (const url of ['http://10.0.0.1/', 'http://[::ffff:127.0.0.1]/', 'http://0.0.0.0/', 'https://192.168.1.1/']) {
    expect(targetFault(url, true)).toEqual(expect.any(String));
  }
});

test('addresses as a resolver gives them', () => {
  for (const address of ['8.8.8.8', '2606:4700::1111']) expect(isAllowedAddress(address, false)).toBe(true);
  for (const address of ['::1', '127.0.0.1']) {
    expect(isAllowedAddress(address, true)).toBe(true);
    expect(isAllowedAddress(address, false)).toBe(false);
  }
  for (const address of ['fe80::1%eth0', '::ffff:127.0.0.1', '64:ff9b::1', '0.0.0.0', 'nonsense', '4000::1']) {
    expect(isAllowedAddress(address, true)).toBe(false);
  }
});
