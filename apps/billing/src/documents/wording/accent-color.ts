type Rgb = readonly [number, number, number];

const DEFAULT_ACCENT = '#1f3a5f';

const parse = (hex: string): Rgb => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const print = (rgb: Rgb): string => `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

function luminance(rgb: Rgb): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2 contrast, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [dark = 0, light = 0] = [luminance(parse(first)), luminance(parse(second))].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** `share` of `color` in `base`, 0 to 1. */
export function mix(color: string, base: string, share: number): string {
  const [one, other] = [parse(color), parse(base)];
  return print(one.map((part, index) => part * share + other[index]! * (1 - share)) as unknown as Rgb);
}

/** A profile's colour, or ours when it is not "#rrggbb". */
export const accentOf = (color: string): string =>
  /^#[0-9a-f]{6}$/i.test(color) ? color.toLowerCase() : DEFAULT_ACCENT;

/** The accent, moved away from the background just far enough to be read on it (contrast 4.5). */
export function readableOn(background: string, accent: string): string {
  const away = luminance(parse(background)) > 0.18 ? '#000000' : '#ffffff';
  for (let share = 1; share > 0; share -= 0.04) {
    const candidate = mix(accent, away, share);
    if (contrast(candidate, background) >= 4.6) return candidate;
  }
  return away;
}

/** White or black: whichever reads better on the accent; one of them always reaches 4.5. */
export const inkOn = (accent: string): string =>
  contrast(accent, '#ffffff') >= contrast(accent, '#000000') ? '#ffffff' : '#000000';
