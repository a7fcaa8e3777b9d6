import { secretSealer, type SealingKey } from './secret-sealer';

const sealer = (secret: string | undefined, changes: Partial<SealingKey> = {}) =>
  secretSealer({
    secret,
    setting: 'SOME_KEY',
    purpose: { service: 'checkout', values: 'provider-api-keys' },
    ...changes,
  });

test('a sealed secret says nothing, and opens with the key, for its owner and its purpose only', () => {
  const one = sealer('a secret of the operator');
  const sealed = one.seal('live_abcdefgh', 'account-1');
  expect(sealed).not.toContain('live_');
  expect(one.open(sealed, 'account-1')).toBe('live_abcdefgh');
  expect(one.seal('live_abcdefgh', 'account-1')).not.toBe(sealed);
  expect(() => one.open(sealed, 'account-2')).toThrow();
  expect(() => sealer('another secret').open(sealed, 'account-1')).toThrow();
  const elsewhere = { purpose: { service: 'notification', values: 'webhook-secrets' } };
  expect(() => sealer('a secret of the operator', elsewhere).open(sealed, 'account-1')).toThrow();
  expect(() => sealer(undefined).open(sealed, 'account-1')).toThrow(/SOME_KEY is not set/);
});

test('a sealed secret that was changed does not open', () => {
  const one = sealer('a secret of the operator');
  const bytes = Buffer.from(one.seal('live_abcdefgh', 'a').slice(3), 'base64');
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes);
    changed[at]! ^= 1;
    expect(() => one.open(`v1:${changed.toString('base64')}`, 'a')).toThrow();
    expect(() => one.open(`v1:${bytes.subarray(0, at).toString('base64')}`, 'a')).toThrow();
  }
});

test('without a key secrets stay as they are, and stay readable once there is one', () => {
  const stored = sealer(undefined).seal('v1:odd', 'a');
  expect(stored).toContain('v1:odd');
  expect(sealer(undefined).open(stored, 'a')).toBe('v1:odd');
  expect(sealer('key').open(stored, 'a')).toBe('v1:odd');
});

test('what the version before stored opens', () => {
  const before = sealer('a key of before');
  expect(before.open('v1:txqQRQVnxKJfGWTlUobMn7eeb+1j6PDeULv0v2JwnnSX6MDs0Mrmro0=', 'account-1')).toBe('live_abcdefgh');
  const webhook = 'gcm1.BL1N19K2aQjKn_83_-rOEQX2Ow8MMeN3VY_zeP5hay9w7pR_xA';
  expect(before.open(webhook, 'endpoint-1')).toBe('whsec_abc');
  expect(() => before.open(webhook, 'endpoint-2')).toThrow();
  expect(() => sealer(undefined).open(webhook, 'endpoint-1')).toThrow(/SOME_KEY is not set/);
  expect(before.open('whsec_stored-without-a-key', 'endpoint-1')).toBe('whsec_stored-without-a-key');
  expect(before.open('plain:test_abcdefgh', 'account-1')).toBe('test_abcdefgh');
});
