import { readableOn, withContrast } from './contrast';
import { palettes, type Color } from './tokens';

/** What a profile says of its looks. */
export interface ProfileLooks {
  readonly name: string;
  /** `#rrggbb`; anything else, or nothing, is the house's own accent. */
  readonly accentColor?: string | undefined;
  readonly footer?: string | undefined;
}

/** A profile's colours in one theme. */
export interface BrandColors {
  /** Areas: buttons, marks. */
  readonly accent: Color;
  /** Text on them, at least 4.5:1. */
  readonly onAccent: Color;
  /** The accent as text on the theme's surface, at least 4.5:1. */
  readonly ink: Color;
}

/** How a profile shows itself on every surface. */
export interface Brand {
  readonly name: string;
  /** One or two letters for where there is no logo. */
  readonly initials: string;
  readonly light: BrandColors;
  readonly dark: BrandColors;
  readonly footer: string;
}

const COLOR = /^#[0-9a-f]{6}$/i;
const TEXT_CONTRAST = 4.5;

/** The one reading of a profile's house style, with its contrasts guaranteed whatever colour it chose. */
export function brand({ name, accentColor = '', footer = '' }: ProfileLooks): Brand {
  const chosen = COLOR.test(accentColor) ? (accentColor.toLowerCase() as Color) : undefined;
  const colors = (theme: 'light' | 'dark'): BrandColors => {
    const { accent: own, surface } = palettes[theme];
    const accent = chosen ?? own;
    return { accent, onAccent: readableOn(accent), ink: withContrast(accent, surface, TEXT_CONTRAST) };
  };
  return { name, initials: initialsOf(name), light: colors('light'), dark: colors('dark'), footer };
}

function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0]!, words[1]!] : words;
  return letters.map((word) => [...word][0]!.toUpperCase()).join('') || '·';
}
