import latinSemiBold from '@fontsource/inter/files/inter-latin-600-normal.woff2';
import latinRegular from '@fontsource/inter/files/inter-latin-400-normal.woff2';
import wideSemiBold from '@fontsource/inter/files/inter-latin-ext-600-normal.woff2';
import wideRegular from '@fontsource/inter/files/inter-latin-ext-400-normal.woff2';

/** A weight of Inter (SIL Open Font License) for some letters, as a file beside the bundle (absolute under jest). */
export interface FontFile {
  readonly weight: 400 | 600;
  /** CSS `unicode-range`: a browser fetches the file only for a page that has such a letter. */
  readonly letters: string;
  readonly path: string;
}

// As the package's own stylesheet has them.
const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD';
const WIDE =
  'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+0304,U+0308,U+0329,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF';

/** What pages use: two weights, of 24 kB each for western Europe. */
export const fontFiles: readonly FontFile[] = [
  { weight: 400, letters: WIDE, path: wideRegular },
  { weight: 600, letters: WIDE, path: wideSemiBold },
  { weight: 400, letters: LATIN, path: latinRegular },
  { weight: 600, letters: LATIN, path: latinSemiBold },
];
