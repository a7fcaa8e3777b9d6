import { keyVault } from './key-vault';

test('a sealed key says nothing and opens only for its account', () => {
  const vault = keyVault('a secret of the operator', false);
  const sealed = vault.seal('live_abcdefgh', 'account-1');
  expect(sealed).not.toContain('live_');
  expect(vault.open(sealed, 'account-1')).toBe('live_abcdefgh');
  expect(vault.seal('live_abcdefgh', 'account-1')).not.toBe(sealed);
  expect(() => vault.open(sealed, 'account-2')).toThrow();
  expect(() => keyVault('another secret', false).open(sealed, 'account-1')).toThrow();
  expect(() => keyVault(undefined, true).open(sealed, 'account-1')).toThrow(/PROVIDER_KEY_SECRET/);
});

test('without a secret, keys are kept as they are where that is allowed, and refused elsewhere', () => {
  const open = keyVault(undefined, true);
  expect(open.open(open.seal('test_abcdefgh', 'a'), 'a')).toBe('test_abcdefgh');
  expect(() => keyVault(undefined, false).seal('live_abcdefgh', 'a')).toThrow(/PROVIDER_KEY_SECRET/);
});
