import fc from 'fast-check';
import { Binary, Decimal128, Double, MaxKey, MinKey, ObjectId, Timestamp, UUID } from 'bson';
import { type Value } from '../bson/value';

const numbers = fc.oneof(
  fc.constantFrom<Value>(0, 1, -1, 2, 0.5, -0.5, NaN, Infinity, -Infinity, 2147483647, -2147483648, 9007199254740993n, 9007199254740992n, 9223372036854775807n, -9223372036854775808n, 0.1, 1e308, -1e308, 5e-324),
  fc.constantFrom<Value>(...[0, 1, 2, -1].map((value) => new Double(value))),
  fc.constantFrom<Value>(...['0', '1', '1.0', '2', '0.1', '0.10', '-1', '9007199254740993', '1E+400', '-1E+400', '1E-400', 'NaN', 'Infinity', '0.5'].map((text) => Decimal128.fromString(text))),
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
); // prettier-ignore

const strings = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'ab', 'a\0', 'a\0b', 'A', 'é', '\u{10000}', '\uffff', '\ue000'),
  fc.string({ maxLength: 4, unit: 'binary' }),
);

const ids = [new ObjectId('000000000000000000000001'), new ObjectId('ff0000000000000000000001')];
const uuids = ['00112233-4455-4677-8899-aabbccddeeff', 'ff112233-4455-4677-8899-aabbccddeeff'].map((text) =>
  new UUID(text).toBinary(),
);

const scalars: fc.Arbitrary<Value> = fc.oneof(
  { weight: 4, arbitrary: numbers },
  { weight: 3, arbitrary: strings },
  fc.constantFrom<Value>(null, true, false, ...ids, ...uuids, new MinKey(), new MaxKey()),
  fc.integer({ min: -3, max: 3 }).map((ms) => new Date(ms * 86_400_000)),
  fc.integer({ min: 0, max: 3 }).map((t) => new Timestamp({ t, i: 1 })),
  fc.uint8Array({ maxLength: 3 }).map((bytes) => new Binary(Buffer.from(bytes), 0)),
);

/** Values of every BSON type that meet often: few distinct ones, and those at the edges of number and text ordering. */
export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 6, arbitrary: scalars },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc
        .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('value')), {
          maxLength: 3,
          selector: ([name]) => name,
        })
        .map((fields) => Object.fromEntries(fields)),
    },
  ),
})).value;
