import { palettes } from './tokens';

/** The light theme as Typst names it: what a printed document's template begins with. */
export function sheetTokens(): string {
  const colors = Object.entries(palettes.light).map(([name, color]) => {
    const dashed = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `  ${dashed}: rgb("${color}"),`;
  });
  return ['#let tokens = (', ...colors, ')', ''].join('\n');
}
