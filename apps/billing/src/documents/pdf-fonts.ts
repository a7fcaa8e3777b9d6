import regular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf';
import medium from '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf';
import bold from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf';
import { create, type Font } from 'fontkit';

export type Weight = 'regular' | 'medium' | 'bold';

const open = (bytes: Uint8Array): Font => create(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)) as Font;

/**
 * Inter, parsed once a process: parsing costs more than drawing. Load this module with `import()`: it is heavy. (Not the
 * fonts themselves: a bundle would turn each of their bytes into a property.)
 */
export const fonts: Readonly<Record<Weight, Font>> = { regular: open(regular), medium: open(medium), bold: open(bold) };
export type Fonts = typeof fonts;
