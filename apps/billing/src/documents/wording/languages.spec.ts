import { LANGUAGES, languageOfCountry, formatDate, formatMoney, formatPeriod, formatRate } from '@invoicing/design';
import { WORDING } from './wording';

test('every language has every word, and says each in its own', () => {
  const keys = Object.keys(WORDING.nl).sort();
  for (const language of LANGUAGES) {
    expect(Object.keys(WORDING[language]).sort()).toEqual(keys);
    const empty = Object.entries(WORDING[language]).filter(([, word]) => word === '');
    expect(empty).toEqual([]);
  }
  const dutch = new Set(
    [WORDING.en, WORDING.de, WORDING.fr].map(({ invoice, toPay, dueDate }) => `${invoice} ${toPay} ${dueDate}`),
  );
  expect(dutch.size).toBe(3);
});

test.each([
  ['de', '−1.234,56\u00a0€', '21. November 2026', '9,5\u00a0%', '1. – 31. Oktober 2026'],
  ['fr', '−1\u202f234,56\u00a0€', '21 novembre 2026', '9,5\u00a0%', '1er – 31 octobre 2026'],
  ['nl', '€\u00a0−1.234,56', '21 november 2026', '9,5%', '1 – 31 oktober 2026'],
  ['en', '−€1,234.56', '21 November 2026', '9.5%', '1 – 31 October 2026'],
] as const)('amounts, days, rates and periods in %s', (language, money, date, rate, period) => {
  expect(formatMoney(-123_456, language)).toBe(money);
  expect(formatDate('2026-11-21', language)).toBe(date);
  expect(formatRate(950, language)).toBe(rate);
  expect(formatPeriod('2026-10-01', '2026-10-31', language)).toBe(period);
});

test.each([
  ['2026-10-01', '2026-10-01', '1 oktober 2026'],
  ['2026-10-01', '2026-11-30', '1 oktober – 30 november 2026'],
  ['2026-12-15', '2027-01-14', '15 december 2026 – 14 januari 2027'],
])('a period from %s to %s', (from, to, shown) => {
  expect(formatPeriod(from, to, 'nl')).toBe(shown);
});

test.each([
  ['', 'nl'],
  ['NL', 'nl'],
  ['BE', 'nl'],
  ['DE', 'de'],
  ['AT', 'de'],
  ['FR', 'fr'],
  ['GB', 'en'],
  ['JP', 'en'],
])('a customer in "%s" reads %s', (country, language) => {
  expect(languageOfCountry(country)).toBe(language);
});
