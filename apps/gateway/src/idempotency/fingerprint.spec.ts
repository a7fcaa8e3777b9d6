import fc from 'fast-check';
import { canonicalJson, fingerprintOf } from './fingerprint';

test('the order of fields does not matter, everything else does', () => {
  const base = fingerprintOf('POST', '/a', { x: 1, y: [1, { b: 2, a: 1 }] });
  expect(fingerprintOf('POST', '/a', { y: [1, { a: 1, b: 2 }], x: 1 })).toBe(base);
  for (const [method, path, body] of [
    ['POST', '/b', { x: 1, y: [1, { a: 1, b: 2 }] }],
    ['PUT', '/a', { x: 1, y: [1, { a: 1, b: 2 }] }],
    ['POST', '/a', { x: 1, y: [{ a: 1, b: 2 }, 1] }],
    ['POST', '/a', { x: '1', y: [1, { a: 1, b: 2 }] }],
  ] as const)
    expect(fingerprintOf(method, path, body)).not.toBe(base);
});

test('canonical JSON is JSON of the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) =>
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value))),
    ),
  );
});
