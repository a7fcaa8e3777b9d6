import { secretBox } from './secret-box';

test('a sealed secret opens only with the key and for its owner', () => {
  const box = secretBox('key');
  const sealed = box.seal('whsec_abc', 'endpoint-1');
  expect(sealed).not.toContain('whsec_abc');
  expect(box.seal('whsec_abc', 'endpoint-1')).not.toBe(sealed);
  expect(box.open(sealed, 'endpoint-1')).toBe('whsec_abc');
  expect(() => box.open(sealed, 'endpoint-2')).toThrow();
  expect(() => secretBox('other').open(sealed, 'endpoint-1')).toThrow();
  expect(() => secretBox(undefined).open(sealed, 'endpoint-1')).toThrow('WEBHOOK_SECRET_KEY');
});

test('without a key secrets stay as they are, and stay readable once there is one', () => {
  const stored = secretBox(undefined).seal('whsec_abc', 'endpoint-1');
  expect(stored).toBe('whsec_abc');
  expect(secretBox('key').open(stored, 'endpoint-1')).toBe('whsec_abc');
});
