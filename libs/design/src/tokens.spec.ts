import { contrast } from './contrast';
import { stylesheet } from './stylesheet';
import { focusRing, palettes, type Palette } from './tokens';

const fonts = [
  { weight: 400, letters: 'U+0000-00FF', url: 'regular.woff2' },
  { weight: 600, letters: 'U+0000-00FF', url: 'semi-bold.woff2' },
] as const;
const TEXT = 4.5;
const SHAPE = 3;
const pairs: readonly (readonly [keyof Palette, keyof Palette, number])[] = [
  ...(['ground', 'surface', 'quiet'] as const).flatMap((behind) => [
    ['ink', behind, TEXT] as const,
    ['dim', behind, TEXT] as const,
    ['accentInk', behind, TEXT] as const,
    ['bad', behind, TEXT] as const,
  ]),
  ['control', 'ground', SHAPE],
  ['control', 'surface', SHAPE],
  // Around what has the focus.
  ...(['ground', 'surface', 'quiet'] as const).map((behind) => ['accentInk', behind, SHAPE] as const),
  ['onAccent', 'accent', TEXT],
  ['onAccent', 'accentStrong', TEXT],
  ['good', 'goodGround', TEXT],
  ['warning', 'warningGround', TEXT],
  ['bad', 'badGround', TEXT],
];

describe.each(Object.keys(palettes) as (keyof typeof palettes)[])('%s', (theme) => {
  test.each(pairs)('%s on %s has %d:1', (front, behind, ratio) => {
    expect(contrast(palettes[theme][front], palettes[theme][behind])).toBeGreaterThanOrEqual(ratio);
  });
});

test('the focus ring is seen: two pixels or more, of the accent, around every thing', () => {
  expect(focusRing.width).toBeGreaterThanOrEqual(2);
  const css = stylesheet(fonts);
  expect(css).toContain(':focus-visible {\n  outline: var(--focus-width) solid var(--accent-ink);');
});

test('the stylesheet has both themes and both weights, and names no colour that is no token', () => {
  const css = stylesheet(fonts);
  for (const theme of ['light', 'dark'] as const) expect(css).toContain(`--ground: ${palettes[theme].ground};`);
  for (const url of ['regular.woff2', 'semi-bold.woff2']) expect(css).toContain(`url('${url}')`);
  const components = css.slice(css.indexOf('*::before'));
  expect(components).not.toMatch(/#[0-9a-f]{3,6}\b/i);
  const known = new Set([...css.matchAll(/(--[a-z-]+):/g)].map(([, name]) => name));
  for (const [, name] of components.matchAll(/var\((--[a-z-]+)\)/g)) expect(known).toContain(name);
});
