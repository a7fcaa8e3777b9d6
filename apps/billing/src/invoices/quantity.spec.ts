import fc from 'fast-check';
import { formatQuantity, parseQuantity } from './quantity';

const read = (text: string): string => {
  const parsed = parseQuantity(text);
  return typeof parsed === 'string' ? parsed : formatQuantity(parsed);
};

test.each([
  ['1', '1'],
  ['-2', '-2'],
  ['+2', '2'],
  ['1.5000000000', '1.5'],
  ['0.000001', '0.000001'],
  ['1e-6', '0.000001'],
  ['1e3', '1000'],
  ['1.5E+2', '150'],
  ['12.5e1', '125'],
  ['-0', '0'],
  ['0e99', '0'],
  ['007', '7'],
  ['1e9', '1000000000'],
  ['100000000000e-2', '1000000000'],
])('%s is %s', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test.each([
  '',
  ' ',
  'abc',
  '1,5',
  '.5',
  '5.',
  '1e',
  '0x10',
  'Infinity',
  'NaN',
  '--1',
  '1 000',
  '1e9999',
  '9'.repeat(50),
])('%p is no decimal', (text) => {
  expect(read(text)).toBe('must be a decimal number');
});

test.each(['1e-7', '0.1234567', '1.0000001'])('%s has too many decimals', (text) => {
  expect(read(text)).toBe('must have at most 6 decimals');
});

test.each(['1000000000.000001', '-1000000001', '1e10', '1e999'])('%s is too large', (text) => {
  expect(read(text)).toBe('must be at most 1000000000 either way');
});

test('what a JSON number of at most 6 decimals says is kept exactly', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e15, max: 1e15 }), fc.integer({ min: 0, max: 6 }), (coefficient, scale) => {
      const parsed = parseQuantity(`${coefficient}e-${scale}`);
      fc.pre(typeof parsed !== 'string');
      const { coefficient: c, scale: s } = parsed as Exclude<typeof parsed, string>;
      expect(c * 10n ** BigInt(scale)).toBe(BigInt(coefficient) * 10n ** BigInt(s));
      expect(read(formatQuantity({ coefficient: c, scale: s }))).toBe(formatQuantity({ coefficient: c, scale: s }));
    }),
  );
});
