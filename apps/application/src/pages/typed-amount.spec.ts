import fc from 'fast-check';
import { centsField, typedCents, typedDecimal } from './typed-amount';
import { money } from './format';

test('what is shown can be typed, in both languages', () =>
  fc.assert(
    fc.property(
      fc.integer({ min: -10_000_000_000, max: 10_000_000_000 }),
      fc.constantFrom('nl', 'en'),
      (cents, language) => {
        expect(typedCents(centsField(cents, language as 'nl'))).toBe(cents);
        if (cents >= 0) expect(typedCents(money(cents, 'EUR', language as 'nl'))).toBe(cents);
      },
    ),
  ));

test.each([
  ['12', 1200],
  ['12,5', 1250],
  ['12.50', 1250],
  ['1.234,56', 123456],
  ['1,234.56', 123456],
  ['1.234', 123400],
  ['0,125', undefined],
  ['1.234.567', 123456700],
  ['-5', -500],
  ['twelve', undefined],
  ['', undefined],
  [',', undefined],
  ['99999999999999999', undefined],
])('%s is %s cents', (text, cents) => expect(typedCents(text)).toBe(cents));

test.each([
  ['1,5', '1.5'],
  ['0.125', '0.125'],
  ['0,125', '0.125'],
  ['2', '2'],
  ['x', undefined],
])('%s is the number %s', (text, number) => expect(typedDecimal(text)).toBe(number));
