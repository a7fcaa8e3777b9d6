/** A colour as `#rrggbb`. */
export type Color = `#${string}`;

/** The colours of one theme, by what they are for. */
export interface Palette {
  /** Behind everything. */
  readonly ground: Color;
  /** Cards, tables, fields. */
  readonly surface: Color;
  /** Heads of tables, rows under the pointer, neutral labels. */
  readonly quiet: Color;
  readonly ink: Color;
  /** Text that explains. */
  readonly dim: Color;
  /** Between things; carries no meaning. */
  readonly line: Color;
  /** Border of a field or of a plain button: 3:1 with what is beside it (WCAG 2.2, 1.4.11). */
  readonly control: Color;
  /** Main buttons, marks. */
  readonly accent: Color;
  readonly accentStrong: Color;
  readonly onAccent: Color;
  /** Links, the focus ring: the accent where it is read. */
  readonly accentInk: Color;
  /** What a state is written in, and what lies behind it. */
  readonly good: Color;
  readonly goodGround: Color;
  readonly warning: Color;
  readonly warningGround: Color;
  readonly bad: Color;
  readonly badGround: Color;
}

/** The house's own colours. Every pair that is read together has its contrast: tokens.spec.ts. */
export const palettes = {
  light: {
    ground: '#f5f6f8',
    surface: '#ffffff',
    quiet: '#eef1f5',
    ink: '#17202e',
    dim: '#525d6e',
    line: '#dde2e9',
    control: '#7a8596',
    accent: '#1d4ed8',
    accentStrong: '#1a3fae',
    onAccent: '#ffffff',
    accentInk: '#1d4ed8',
    good: '#11653c',
    goodGround: '#e3f5ea',
    warning: '#7c4a03',
    warningGround: '#fdf1d8',
    bad: '#a4161a',
    badGround: '#fdeaea',
  },
  dark: {
    ground: '#10151c',
    surface: '#182029',
    quiet: '#212b37',
    ink: '#e9edf3',
    dim: '#a8b3c2',
    line: '#2e3a48',
    control: '#7d8a9e',
    accent: '#8db4ff',
    accentStrong: '#b3ceff',
    onAccent: '#0c1627',
    accentInk: '#8db4ff',
    good: '#79d8a4',
    goodGround: '#143325',
    warning: '#f3c06b',
    warningGround: '#3a2c11',
    bad: '#ffa39b',
    badGround: '#421c1d',
  },
} as const satisfies Record<'light' | 'dark', Palette>;

/** Sizes of text in rem (16 px unless the reader wants another), a major third apart above the body's. */
export const typeScale = { small: 0.8125, body: 0.9375, lead: 1.0625, title: 1.3125, display: 1.75 } as const;

/** Corners in px. */
export const radii = { small: 4, control: 8, card: 12 } as const;

/** The ring around what has the keyboard's focus, in px. */
export const focusRing = { width: 3, offset: 2 } as const;

/** Families in the order in which they are tried. */
export const fontStack = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
