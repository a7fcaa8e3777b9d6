import { resolve } from 'node:path';
import { sheetTokens } from '@invoicing/design';
import interBold from '@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf';
import interMedium from '@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf';
import interRegular from '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf';
import emoji from '@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf';
import hebrew from '@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf';
import symbols from '@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf';
import thai from '@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf';
import latin from '@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf';
// These packages export their list of fonts only, not the files that they are there for.
/* eslint-disable @nx/enforce-module-boundaries */
import arabic from '../../../../../node_modules/@embedpdf/fonts-arabic/fonts/NotoNaskhArabic-Regular.ttf';
import hangul from '../../../../../node_modules/@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf';
import han from '../../../../../node_modules/@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf';
/* eslint-enable @nx/enforce-module-boundaries */
import cover from './template/cover.typ';
import heading from './template/heading.typ';
import lines from './template/lines.typ';
import panel from './template/panel.typ';
import sheet from './template/sheet.typ';
import style from './template/style.typ';
import sums from './template/sums.typ';
import process from './typst.process.cjs';

const beside = (path: string): string => resolve(__dirname, path);

/** The program of the compiler's process. */
export const PROCESS_FILE = beside(process);

/**
 * By path, not by content: the compiler looks at each once (what it can draw) and reads one when a document needs it, so that the
 * 13 MB of Chinese and Korean cost nothing until then. Their order of preference is the template's (style.typ).
 */
export const FONT_FILES = [
  ...[interRegular, interMedium, interBold],
  ...[latin, hebrew, arabic, thai, han, hangul, symbols, emoji],
].map(beside);

export const TEMPLATES: Readonly<Record<string, string>> = {
  'sheet.typ': sheet,
  'tokens.typ': sheetTokens(),
  'style.typ': style,
  'heading.typ': heading,
  'cover.typ': cover,
  'lines.typ': lines,
  'sums.typ': sums,
  'panel.typ': panel,
};
