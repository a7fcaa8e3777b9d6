import { importVerdict, numbersVerdict, vatVerdict } from './verdicts';

const whole = { count: 40, gapless: true, chainValid: true, numbersUnique: true };

test('numbers: how many, and what is wrong with them', () => {
  expect(numbersVerdict([whole, { ...whole, count: 13 }])).toBe('2 series, 53 numbers, no gaps');
  expect(numbersVerdict([{ ...whole, count: 1 }])).toBe('1 series, 1 number, no gaps');
  expect(numbersVerdict([whole, { ...whole, gapless: false, chainValid: false }])).toBe(
    '2 series, 80 numbers, 1 with gaps, 1 with a broken chain',
  );
});

test('an import: what became of its lines, and whether a statement is missing', () => {
  const done = { lines: 3, booked: 1, questions: [{}], moneyOut: 1, duplicates: 0, gaps: [] };
  expect(importVerdict(done)).toBe(
    '3 lines: 1 booked, 1 question for a person, 1 money out, 0 known before; no statement is missing',
  );
  const gap = { account: 'NL00', after: '2026-01-31', before: '2026-03-01', expectedCents: 1, foundCents: 2 };
  expect(importVerdict({ ...done, gaps: [gap] })).toContain('; statements are missing in 1 place');
});

test('a VAT return: what is due, and how many documents want a look', () => {
  const boxes = [
    { documents: 2, documentsWithWarnings: 0 },
    { documents: 1, documentsWithWarnings: 1 },
  ];
  expect(vatVerdict(boxes, 1_243)).toBe('€1,243 VAT on sales, in whole euros a box; 3 documents, 1 with a warning');
  expect(vatVerdict([boxes[0]!], -43)).toBe(
    '-€43 VAT on sales, in whole euros a box; 2 documents, none with a warning',
  );
});
