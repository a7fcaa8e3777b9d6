import { formatNumber, formatOfKind, numberFormatFault } from './number-format';

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
