import semiBold from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf';
import regular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf';

/** A weight of Inter (SIL Open Font License), as a file beside the bundle (absolute under jest). */
export interface FontFile {
  readonly weight: 400 | 600;
  readonly path: string;
}

/** The two weights that pages use. */
export const fontFiles: readonly FontFile[] = [
  { weight: 400, path: regular },
  { weight: 600, path: semiBold },
];
