import { hashKeyText, isKeyText, newKeyText, visiblePrefix } from './key-text';

test('a key has its mode, 43 digits of secret and a checksum of 6', () => {
  for (const mode of ['live', 'test'] as const)
    for (let round = 0; round < 200; round++) {
      const key = newKeyText(mode);
      expect(key).toMatch(new RegExp(`^ik_${mode}_[0-9A-Za-z]{49}$`));
      expect(isKeyText(key)).toBe(true);
    }
  expect(new Set(Array.from({ length: 1_000 }, () => newKeyText('live'))).size).toBe(1_000);
});

test('any one wrong character is noticed without asking the store', () => {
  const key = newKeyText('live');
  for (let at = 0; at < key.length; at++) {
    const other = key[at] === 'a' ? 'b' : 'a';
    expect(isKeyText(key.slice(0, at) + other + key.slice(at + 1))).toBe(false);
  }
  for (const text of ['', 'ik_live_', `${key} `, `${key}a`, key.slice(1), key.replace('live', 'test')])
    expect(isKeyText(text)).toBe(false);
});

test('what is stored and shown does not reveal the key', () => {
  const key = newKeyText('test');
  expect(hashKeyText(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(visiblePrefix(key)).toBe(key.slice(0, 14));
});
