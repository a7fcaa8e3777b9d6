// UN/ECE Recommendation 20, for the units that people write.
const UNITS: readonly (readonly [code: string, words: string])[] = [
  ['HUR', 'uur uren hour hours hr hrs h u'],
  ['MIN', 'minuut minuten minute minutes min'],
  ['DAY', 'dag dagen day days'],
  ['WEE', 'week weken weeks'],
  ['MON', 'maand maanden month months mnd'],
  ['ANN', 'jaar jaren year years'],
  ['H87', 'stuk stuks piece pieces st pcs pc'],
  ['KMT', 'km kilometer kilometers'],
  ['KGM', 'kg kilo kilogram'],
  ['GRM', 'g gram'],
  ['LTR', 'l liter litre litres'],
  ['MTR', 'm meter metre metres'],
  ['MTK', 'm2 m²'],
  ['MTQ', 'm3 m³'],
];
const CODE_OF_UNIT = new Map(UNITS.flatMap(([code, words]) => words.split(' ').map((word) => [word, code] as const)));

/** `C62` ("one") for a unit that the list does not know. */
export const unitCode = (unit: string): string =>
  CODE_OF_UNIT.get(unit.trim().toLowerCase().replace(/\.$/, '')) ?? 'C62';
