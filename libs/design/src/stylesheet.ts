import components from './components.css';
import { focusRing, fontStack, palettes, radii, typeScale, type Palette } from './tokens';

/** Where a page finds the weights of the font. */
export type FontUrls = Readonly<Record<400 | 600, string>>;

/** The stylesheet that every page begins with: tokens as custom properties, in both themes, and the shared components. */
export function stylesheet(fonts: FontUrls): string {
  const faces = ([400, 600] as const).map(
    (weight) =>
      `@font-face { font-family: Inter; font-style: normal; font-weight: ${weight}; font-display: swap; src: url('${fonts[weight]}') format('truetype'); }`,
  );
  const { light, dark } = palettes;
  return [
    ...faces,
    `:root { color-scheme: light dark; ${colors(light)} ${sizes()} }`,
    `@media (prefers-color-scheme: dark) { :root { ${colors(dark)} } }`,
    components,
  ].join('\n');
}

const property = (name: string, value: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`;

const colors = (palette: Palette): string =>
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
