import type { Brand, BrandColors } from './brand';
import components from './components.css';
import type { FontFile } from './fonts';
import { focusRing, fontStack, palettes, radii, typeScale, type Palette } from './tokens';

/** A file of the font, and where a page finds it. */
export type FontUrl = Pick<FontFile, 'weight' | 'letters'> & { readonly url: string };

/** The stylesheet that every page begins with: tokens as custom properties, in both themes, and the shared components. */
export function stylesheet(fonts: readonly FontUrl[]): string {
  const faces = fonts.map(
    ({ weight, letters, url }) =>
      `@font-face { font-family: Inter; font-style: normal; font-weight: ${weight}; font-display: swap; src: url('${url}') format('woff2'); unicode-range: ${letters}; }`,
  );
  const { light, dark } = palettes;
  return [
    ...faces,
    `:root { color-scheme: light dark; ${colors(light)} ${sizes()} }`,
    `@media (prefers-color-scheme: dark) { :root { ${colors(dark)} } }`,
    components,
  ].join('\n');
}

/** What a brand's pages have after the stylesheet: its colours instead of the house's, in both themes. */
export const brandStyle = ({ light, dark }: Pick<Brand, 'light' | 'dark'>): string =>
  `:root{${colors(light)}}@media (prefers-color-scheme: dark){:root{${colors(dark)}}}`;

const property = (name: string, value: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`;

const colors = (palette: Palette | BrandColors): string =>
  Object.entries(palette)
    .map(([name, value]) => property(name, value))
    .join(' ');

const sizes = (): string =>
  [
    ...Object.entries(typeScale).map(([name, rem]) => property(`text-${name}`, `${rem}rem`)),
    ...Object.entries(radii).map(([name, px]) => property(`radius-${name}`, `${px}px`)),
    property('font', fontStack),
    property('focus-width', `${focusRing.width}px`),
    property('focus-offset', `${focusRing.offset}px`),
  ].join(' ');
