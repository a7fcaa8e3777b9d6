import fc from 'fast-check';
import { settable, settableView } from './sheet-text';
import { widthAtMost } from './text-width';

test.each([
  ['composes', 'e\u0301', 'é'],
  ['one kind of line end', 'a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['a tab is a space', 'a\tb', 'a b'],
  ['no controls', 'a\u0000\u0007b', 'ab'],
  ['no half characters', 'a\ud83db', 'ab'],
  ['nothing that turns what follows', 'a\u202eb\u2066c\u200f', 'abc'],
  ['joiners stay', '👩‍👩‍👧 ❤️', '👩‍👩‍👧 ❤️'],
  ['words that fit stay whole', 'administratie@noorder.nl', 'administratie@noorder.nl'],
  [
    'a word that may not fit can break',
    'x'.repeat(30),
    `${'x'.repeat(12)}\u200b${'x'.repeat(12)}\u200b${'x'.repeat(6)}`,
  ],
])('%s', (_what, given, set) => {
  expect(settable(given)).toBe(set);
});

test('nothing is lost but what cannot be set, and nothing is added but places to break', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'é', 'ע', '你', '🎉', ' ', '-', '\n'), maxLength: 80 }),
      (text) => {
        expect(settable(text).replaceAll('\u200b', '')).toBe(text.normalize('NFC'));
      },
    ),
  );
});

test('links, pictures and names in the metadata are left alone', () => {
  const long = 'x'.repeat(40);
  expect(settableView({ url: long, svg: long, title: long, text: [long] })).toMatchObject({
    url: long,
    svg: long,
    title: long,
    text: [settable(long)],
  });
});

test('a width is known of letters that Inter has, and of no others', () => {
  expect(widthAtMost('Factuur 42')).toBeGreaterThan(4);
  expect(widthAtMost('你好')).toBeNull();
  expect(widthAtMost('regel\nregel')).toBeNull();
});
