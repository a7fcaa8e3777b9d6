import { keyVault } from './key-vault';

test('a key opens with the secret that it was sealed with', () => {
  const sealed = keyVault('a secret of the operator', false).seal('live_abcdefgh', 'account-1');
  expect(keyVault('a secret of the operator', true).open(sealed, 'account-1')).toBe('live_abcdefgh');
  expect(() => keyVault(undefined, true).open(sealed, 'account-1')).toThrow(/PROVIDER_KEY_SECRET/);
});

test('without a secret, keys are kept as they are where that is allowed, and refused elsewhere', () => {
  const open = keyVault(undefined, true);
  expect(open.open(open.seal('test_abcdefgh', 'a'), 'a')).toBe('test_abcdefgh');
  expect(() => keyVault(undefined, false).seal('live_abcdefgh', 'a')).toThrow(/PROVIDER_KEY_SECRET/);
});
