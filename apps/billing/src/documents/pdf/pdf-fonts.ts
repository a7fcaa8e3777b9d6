import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import regular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf';
import medium from '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf';
import bold from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf';
import { create, type Font, type GlyphRun } from 'fontkit';

export type Weight = 'regular' | 'medium' | 'bold';

const MAX_CACHED = 5_000;

/**
 * A font for pdfkit, which asks for the same layout up to four times. Without contextual alternates: they cost most of
 * the time of a page, and would turn "->" into an arrow that nobody wrote.
 */
function plainly(font: Font): Font {
  const runs = new Map<string, GlyphRun>();
  const layout = (text: string, features: readonly string[] = []): GlyphRun => {
    const key = `${features.join()}|${text}`;
    let run = runs.get(key);
    if (!run) {
      const wanted = Object.fromEntries(features.map((name) => [name, true]));
      run = font.layout(text, { ...wanted, calt: false });
      if (runs.size >= MAX_CACHED) runs.clear();
      runs.set(key, run);
    }
    // pdfkit scales the positions that it gets in place, and then asks for their sum.
    const positions = run.positions.map((position) => ({ ...position }));
    return Object.create(run, { positions: { value: positions } }) as GlyphRun;
  };
  return Object.assign(Object.create(font) as Font, { layout });
}

const open = (path: string): Font => plainly(create(readFileSync(resolve(__dirname, path))) as Font);

/**
 * Inter, parsed once a process: parsing costs more than drawing. Load this module with `import()`: it is heavy. (Not the
 * fonts themselves: a bundle would turn each of their bytes into a property.)
 */
export const fonts: Readonly<Record<Weight, Font>> = { regular: open(regular), medium: open(medium), bold: open(bold) };
export type Fonts = typeof fonts;
