import fc from 'fast-check';
import { brand } from './brand';
import { contrast, readableOn, withContrast } from './contrast';
import { palettes, type Color } from './tokens';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value): Color => `#${value.toString(16).padStart(6, '0')}`);

test('whatever colour a profile chooses, what is written on it and in it can be read, in both themes', () =>
  fc.assert(
    fc.property(color, (accentColor) => {
      const { light, dark } = brand({ name: 'De Zon', accentColor });
      for (const [theme, { accent, accentStrong, onAccent, accentInk }] of Object.entries({ light, dark })) {
        expect(accent).toBe(accentColor);
        expect(contrast(accent, onAccent)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(accentStrong, onAccent)).toBeGreaterThanOrEqual(4.5);
        const { ground, surface, quiet } = palettes[theme as 'light' | 'dark'];
        for (const behind of [ground, surface, quiet]) expect(contrast(accentInk, behind)).toBeGreaterThanOrEqual(4.5);
      }
    }),
  ));

test('a colour that has the contrast already stays as it is', () =>
  fc.assert(
    fc.property(color, color, (front, behind) => {
      const changed = withContrast(front, behind, 4.5);
      expect(contrast(changed, behind)).toBeGreaterThanOrEqual(4.5);
      if (contrast(front, behind) >= 4.5) expect(changed).toBe(front);
    }),
  ));

test('contrast is that of WCAG 2.2', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(readableOn('#ffff00')).toBe('#000000');
  expect(readableOn('#1d4ed8')).toBe('#ffffff');
});

test.each([
  ['Bakkerij De Zon', 'BD'],
  ['Élan', 'É'],
  ['3M & zonen', '3Z'],
  ['—', '·'],
])('%s is shortened to %s', (name, initials) => expect(brand({ name }).initials).toBe(initials));

test.each([undefined, '', 'red', '#12', '#12345g'])('%s is no colour: the house has its own', (accentColor) =>
  expect(brand({ name: 'x', accentColor }).light.accent).toBe(palettes.light.accent),
);

test('a logo is known by its first byte; an empty one is none', () => {
  expect(brand({ name: 'x', logo: Uint8Array.of(0x89, 0x50) }).logo?.type).toBe('image/png');
  expect(brand({ name: 'x', logo: Uint8Array.of(0xff, 0xd8) }).logo?.type).toBe('image/jpeg');
  for (const logo of [undefined, null, new Uint8Array()]) expect(brand({ name: 'x', logo }).logo).toBeNull();
});
