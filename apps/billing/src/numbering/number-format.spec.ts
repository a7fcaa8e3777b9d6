import fc from 'fast-check';
import {
  DEFAULT_NUMBER_FORMAT,
  formatNumber,
  formatOfKind,
  formatsCollide,
  freeNumberFormat,
  numberFormatFault,
} from './number-format';

test.each([
  ['{YYYY}-{SEQ:4}', 1, '2026-0001'],
  ['{YYYY}-{SEQ:4}', 12_345, '2026-12345'],
  ['F-{YYYY}-{SEQ:5}', 7, 'F-2026-00007'],
  ['{YY}{SEQ:6}', 1, '26000001'],
  ['{SEQ}/{YYYY}', 3, '3/2026'],
])('%s, %d is %s', (format, seq, expected) => {
  expect(numberFormatFault(format)).toBeUndefined();
  expect(formatNumber(format, '2026', seq)).toBe(expected);
});

test('credit notes are told apart', () => {
  expect(formatNumber(formatOfKind('{YYYY}-{SEQ:4}', 'credit_note'), '2026', 1)).toBe('C-2026-0001');
});

test.each([
  '',
  '2026-1',
  '{SEQ:4}',
  '{YYYY}',
  '{YYYY}-{SEQ}-{SEQ}',
  '{YYYY}{YY}-{SEQ}',
  '{YYYY}-{SEQ:0}',
  '{YYYY}-{seq}',
])('%p cannot be a format', (format) => {
  expect(numberFormatFault(format)).toBeDefined();
});

test.each([
  '{YYYY}-{SEQ:4}<b>',
  '{YYYY}-{SEQ:4}\n',
  '{YYYY}-{SEQ:4}{X}',
  ` {YYYY}-{SEQ}`,
  `{YYYY}-{SEQ}${'x'.repeat(40)}`,
])('%p has what a number must not have', (format) => {
  expect(numberFormatFault(format)).toBeDefined();
});

test.each([
  ['{YYYY}-{SEQ:4}', '{YYYY}-{SEQ:4}', true],
  ['{YYYY}-{SEQ:4}', '{YYYY}-{SEQ:5}', true],
  ['{YYYY}-{SEQ:4}', '2026-{SEQ}{YY}', true],
  ['{YYYY}-{SEQ:4}', 'C-{YYYY}-{SEQ:4}', true],
  ['{YYYY}-{SEQ:4}', '{YY}-{SEQ:4}', false],
  ['{YYYY}-{SEQ:4}', 'P2-{YYYY}-{SEQ:4}', false],
  ['A{YYYY}{SEQ:4}', 'a{YYYY}{SEQ:4}', false],
])('whether %s and %s could print the same: %s', (one, other, expected) => {
  expect([formatsCollide(one, other), formatsCollide(other, one)]).toEqual([expected, expected]);
});

const formats = fc
  .tuple(
    fc.stringMatching(/^[A-C0-2-]{0,3}$/),
    fc.constantFrom('{YYYY}', '{YY}'),
    fc.stringMatching(/^[-0-2]{0,2}$/),
    fc.constantFrom('{SEQ}', '{SEQ:2}', '{SEQ:4}'),
    fc.boolean(),
  )
  .map(([prefix, year, middle, seq, yearFirst]) => prefix + (yearFirst ? year + middle + seq : seq + middle + year));

test('numbers that read the same come only from formats that are said to collide', () => {
  const years = fc.integer({ min: 2000, max: 2100 }).map(String);
  const places = fc.integer({ min: 1, max: 200_000 });
  fc.assert(
    fc.property(formats, formats, years, years, places, places, (one, other, year, otherYear, seq, otherSeq) => {
      if (formatNumber(one, year, seq) === formatNumber(other, otherYear, otherSeq))
        expect(formatsCollide(one, other)).toBe(true);
    }),
    { numRuns: 5_000 },
  );
});

test('a free format collides with none that is taken', () => {
  fc.assert(
    fc.property(fc.array(formats, { maxLength: 4 }), (taken) => {
      const free = freeNumberFormat(taken);
      expect(numberFormatFault(free)).toBeUndefined();
      expect(taken.some((each) => formatsCollide(each, free))).toBe(false);
    }),
  );
  expect(freeNumberFormat([])).toBe(DEFAULT_NUMBER_FORMAT);
  expect(freeNumberFormat([DEFAULT_NUMBER_FORMAT])).toBe('P2-{YYYY}-{SEQ:4}');
});
