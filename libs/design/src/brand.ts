import { mix, readableOn, withContrast } from './contrast';
import { palettes, type Color } from './tokens';

/** What a profile and its organisation say of themselves. */
export interface ProfileLooks {
  readonly name: string;
  /** `#rrggbb`; anything else, or nothing, is the house's own accent. */
  readonly accentColor?: string | undefined;
  readonly footer?: string | undefined;
  /** PNG or JPEG. */
  readonly logo?: Uint8Array | null | undefined;
  readonly seller?: Partial<Seller> | undefined;
}

/** Who is behind the profile, by law. */
export interface Seller {
  readonly name: string;
  readonly kvkNumber: string;
  readonly btwId: string;
  readonly email: string;
  readonly phone: string;
}

/** A profile's colours in one theme. */
export interface BrandColors {
  /** Areas: buttons, marks. */
  readonly accent: Color;
  /** The same under the pointer. */
  readonly accentStrong: Color;
  /** Text on them, at least 4.5:1. */
  readonly onAccent: Color;
  /** The accent as text on the theme's surfaces, at least 4.5:1. */
  readonly accentInk: Color;
}

/** How a profile shows itself on every surface. */
export interface Brand {
  readonly name: string;
  /** One or two letters for where there is no logo. */
  readonly initials: string;
  readonly logo: { readonly content: Uint8Array; readonly type: 'image/png' | 'image/jpeg' } | null;
  readonly light: BrandColors;
  readonly dark: BrandColors;
  readonly footer: string;
  readonly seller: Seller;
}

const COLOR = /^#[0-9a-f]{6}$/i;
const TEXT_CONTRAST = 4.5;
const STRONGER = 0.16;

/** The one reading of a profile's house style, with its contrasts guaranteed whatever colour it chose. */
export function brand({ name, accentColor = '', footer = '', logo, seller = {} }: ProfileLooks): Brand {
  const chosen = COLOR.test(accentColor) ? (accentColor.toLowerCase() as Color) : undefined;
  return {
    name,
    initials: initialsOf(name),
    logo: logo?.length ? { content: logo, type: logo[0] === 0x89 ? 'image/png' : 'image/jpeg' } : null,
    light: colorsOf(chosen, 'light'),
    dark: colorsOf(chosen, 'dark'),
    footer: footer.trim(),
    seller: { name: '', kvkNumber: '', btwId: '', email: '', phone: '', ...seller },
  };
}

function colorsOf(chosen: Color | undefined, theme: 'light' | 'dark'): BrandColors {
  const { accent: own, accentStrong, onAccent, quiet } = palettes[theme];
  if (!chosen) return { accent: own, accentStrong, onAccent, accentInk: own };
  const on = readableOn(chosen);
  // Away from what is written on it: never less readable than before.
  const away = on === '#ffffff' ? '#000000' : '#ffffff';
  return {
    accent: chosen,
    accentStrong: mix(chosen, away, STRONGER),
    onAccent: on,
    // Of the theme's three surfaces the nearest to the text.
    accentInk: withContrast(chosen, quiet, TEXT_CONTRAST),
  };
}

function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const letters = words.length > 1 ? [words[0]!, words[1]!] : words;
  return letters.map((word) => [...word][0]!.toUpperCase()).join('') || '·';
}
