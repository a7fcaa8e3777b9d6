import { Binary, Decimal128, Double, Long, MaxKey, ObjectId, Timestamp, UUID } from 'bson';
import { describe as shown } from './describe';
import { type Value } from './value';

describe('describe', () => {
  it.each<[unknown, string]>([
    [1, '1'],
    [new Double(1), '1.0'],
    [0.1, '0.1'],
    [-1.5, '-1.5'],
    [3e9, '3000000000.0'],
    [1e16, '1e+16.0'],
    [1.5e-7, '1.5e-07'],
    [NaN, 'nan.0'],
    [Long.fromNumber(7).toBigInt(), '7'],
    [Decimal128.fromString('1.10'), '1.10'],
    ['say "x"', '"say "x""'],
    ['x'.repeat(200), `"${'x'.repeat(150)}..."`],
    [null, 'null'],
    [[], '[]'],
    [{}, '{}'],
    [{ a: [1, { b: true }] }, '{ a: [ 1, { b: true } ] }'],
    [new Date(5), 'new Date(5)'],
    [new ObjectId('0123456789abcdef01234567'), "ObjectId('0123456789abcdef01234567')"],
    [new Timestamp({ t: 3, i: 4 }), 'Timestamp(3, 4)'],
    [new UUID('00112233-4455-6677-8899-aabbccddeeff').toBinary(), 'UUID("00112233-4455-6677-8899-aabbccddeeff")'],
    [new Binary(Buffer.from([1, 0xab]), 0), 'BinData(0, 01AB)'],
    [new MaxKey(), 'MaxKey'],
  ])('%p is %s', (value, expected) => {
    expect(shown(value as Value)).toBe(expected);
  });
});
