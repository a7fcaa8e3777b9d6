import fc from 'fast-check';
import { accentOf, contrast, inkOn, readableOn } from './accent-color';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('whatever colour a profile has, its texts can be read on paper, on the dark card and on the colour itself', () => {
  fc.assert(
    fc.property(color, (accent) => {
      expect(contrast(readableOn('#ffffff', accent), '#ffffff')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(readableOn('#171b21', accent), '#171b21')).toBeGreaterThanOrEqual(4.5);
      expect(contrast(inkOn(accent), accent)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('a colour that is readable stays as it is; what is no colour becomes ours', () => {
  expect(readableOn('#ffffff', '#0f766e')).toBe('#0f766e');
  expect(accentOf('red;}body{display:none')).toMatch(/^#[0-9a-f]{6}$/);
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});
