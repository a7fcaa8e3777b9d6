import { formatDate, formatIban, formatMoney, formatQuantity, formatRate } from './formats';

test.each([
  [0, '€\u00a00,00', '€0.00'],
  [5, '€\u00a00,05', '€0.05'],
  [-5, '€\u00a0−0,05', '−€0.05'],
  [12_100, '€\u00a0121,00', '€121.00'],
  [100_000, '€\u00a01.000,00', '€1,000.00'],
  [123_456_789, '€\u00a01.234.567,89', '€1,234,567.89'],
  [Number.MAX_SAFE_INTEGER, '€\u00a090.071.992.547.409,91', '€90,071,992,547,409.91'],
])('%d cents', (cents, dutch, english) => {
  expect(formatMoney(cents, 'nl')).toBe(dutch);
  expect(formatMoney(cents, 'en')).toBe(english);
});

test('quantities', () => {
  expect(['1', '-2', '1000', '0.000001', '1.50', '1234567.891'].map((each) => formatQuantity(each, 'nl'))).toEqual([
    '1',
    '−2',
    '1.000',
    '0,000001',
    '1,5',
    '1.234.567,891',
  ]);
  expect(formatQuantity('1234.5', 'en')).toBe('1,234.5');
});

test('dates, rates and account numbers', () => {
  expect(formatDate('2026-03-01', 'nl')).toBe('1 maart 2026');
  expect(formatDate('2026-12-31', 'en')).toBe('31 December 2026');
  expect(formatRate(2100, 'nl')).toBe('21%');
  expect(formatRate(950, 'nl')).toBe('9,5%');
  expect(formatIban('NL91ABNA0417164300').replace(/\u00a0/g, ' ')).toBe('NL91 ABNA 0417 1643 00');
});
