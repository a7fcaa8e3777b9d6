import type { Font } from 'fontkit';

export type Weight = 'regular' | 'medium' | 'bold';
export type Fonts = Readonly<Record<Weight, Font>>;

let fonts: Promise<Fonts> | undefined;

/** Inter, parsed at the first document and kept: parsing costs more than drawing. */
export const loadFonts = (): Promise<Fonts> => (fonts ??= parse());

async function parse(): Promise<Fonts> {
  const [{ create }, regular, medium, bold] = await Promise.all([
    import('fontkit'),
    import('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    import('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf'),
    import('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ]);
  const open = (bytes: Uint8Array): Font => create(Buffer.from(bytes)) as Font;
  return { regular: open(regular.default), medium: open(medium.default), bold: open(bold.default) };
}
