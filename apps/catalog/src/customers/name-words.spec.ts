import { nameWords, wordsOf } from './name-words';

test('a name is found by each of its words, whatever their case and accents', () => {
  expect(nameWords({ name: 'José van den Bérg', companyName: "Bakkerij 't Hoekje B.V." })).toEqual([
    'jose',
    'van',
    'den',
    'berg',
    'bakkerij',
    't',
    'hoekje',
    'b',
    'v',
  ]);
  expect(nameWords({ name: 'Jansen & Jansen' })).toEqual(['jansen']);
  expect(wordsOf(' .* ')).toEqual([]);
  expect(nameWords({ name: Array.from({ length: 50 }, (_, n) => `w${n}`).join(' ') })).toHaveLength(16);
});
