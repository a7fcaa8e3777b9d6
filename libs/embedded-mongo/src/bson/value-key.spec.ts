import fc from 'fast-check';
import { Decimal128, Double } from 'bson';
import { values } from '../testing/arbitrary-values';
import { compareValues } from './compare';
import { KeyWriter, valueKey } from './value-key';

const numRuns = 3000 * Number(process.env.SEEDS ?? 1);
const sign = Math.sign;

describe('valueKey', () => {
  it('orders bytes as values are ordered', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(sign(Buffer.compare(valueKey(a), valueKey(b)))).toBe(sign(compareValues(a, b)));
      }),
      { numRuns },
    );
  });

  it('keeps the order of several fields, descending ones too', () => {
    const key = (a: Parameters<typeof valueKey>[0], b: Parameters<typeof valueKey>[0]): Buffer =>
      new KeyWriter().writeField(a, true).writeField(b, false).take();
    fc.assert(
      fc.property(values, values, values, values, (a, b, c, d) => {
        const order = -compareValues(a, c) || compareValues(b, d);
        expect(sign(Buffer.compare(key(a, b), key(c, d)))).toBe(sign(order) || 0);
      }),
      { numRuns },
    );
  });

  it('is one for equal numbers of any width', () => {
    const one = [1, 1n, new Double(1), Decimal128.fromString('1'), Decimal128.fromString('1.00')].map(valueKey);
    for (const key of one) expect(key).toEqual(one[0]);
  });

  it.each([
    [9007199254740992, 9007199254740993n],
    [9007199254740993n, Decimal128.fromString('9007199254740993.5')],
    [Decimal128.fromString('0.1'), 0.1],
    [-Infinity, Decimal128.fromString('-1E+400')],
    [1.7976931348623157e308, Decimal128.fromString('1E+400')],
    [Decimal128.fromString('-1E-400'), 0],
    [NaN, -Infinity],
  ])('has %s below %s', (less, more) => {
    expect(Buffer.compare(valueKey(less), valueKey(more))).toBe(-1);
  });

  it('is a total order', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const [x, y, z] = [a, b, c].sort(compareValues) as [typeof a, typeof a, typeof a];
        expect(compareValues(x, y)).toBeLessThanOrEqual(0);
        expect(compareValues(y, z)).toBeLessThanOrEqual(0);
        expect(compareValues(x, z)).toBeLessThanOrEqual(0);
      }),
      { numRuns },
    );
  });
});
