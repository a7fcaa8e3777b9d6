import type { Color } from './tokens';

const channel = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Relative luminance, 0 … 1 (WCAG 2.2). */
export function luminance(color: Color): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((value) => channel(value / 255));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colours, 1 … 21 (WCAG 2.2). */
export function contrast(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Black or white, whichever is easier to read on a colour: never below 4.5:1. */
export const readableOn = (color: Color): Color =>
  contrast(color, '#000000') > contrast(color, '#ffffff') ? '#000000' : '#ffffff';

/** The colour itself, or as near to it as has that contrast with what lies behind it; towards black or towards white. */
export function withContrast(color: Color, behind: Color, ratio: number): Color {
  const end = readableOn(behind);
  for (let step = 0; step < STEPS; step++) {
    const mixed = mix(color, end, step / STEPS);
    if (contrast(mixed, behind) >= ratio) return mixed;
  }
  return end;
}

const STEPS = 40;

const channels = (color: Color): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

/** `share` (0 … 1) of the way from one colour to another. */
export function mix(from: Color, to: Color, share: number): Color {
  const target = channels(to);
  const mixed = channels(from).map((value, index) => Math.round(value + (target[index]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
