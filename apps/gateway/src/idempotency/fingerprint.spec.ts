import { fingerprintOf } from './fingerprint';

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

test('records of before still know the same request', () => {
  const body = { b: [1, 'é€𝄞', null, { z: true, a: -0.5 }], a: { '': 'x', '10': 1, '9': 2 }, c: 1e21, d: 1e-7 };
  expect(fingerprintOf('POST', '/api/v1/invoices', body)).toBe(
    'b2349d79c11d97b6dc000ac15217ab643be9fff9061f8dcfeb263ad92053877d',
  );
  expect(fingerprintOf('POST', '/api/v1/invoices', null)).toBe(
    'f7a77ac832fa822eafcf9079592f898dc867bd0180d6ffb11b1db51dfb96fdd4',
  );
});
