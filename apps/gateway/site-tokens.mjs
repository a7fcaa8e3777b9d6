// libs/design for the pages that the gateway serves itself: its tokens as custom properties, the names that Scalar has for colours, and Inter.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/** What Scalar calls the colours of a theme, in ours. */
const scalarColors = ({ surface, ground, quiet, ink, dim, line, accent, onAccent, good, warning, bad }) => ({
  'background-1': surface,
  'background-2': ground,
  'background-3': quiet,
  'background-accent': quiet,
  'color-1': ink,
  'color-2': ink,
  'color-3': dim,
  'color-accent': accent,
  'border-color': line,
  'link-color': accent,
  'color-green': good,
  'color-red': bad,
  'color-yellow': warning,
  'color-orange': warning,
  'color-blue': accent,
  'color-purple': accent,
  'button-1': accent,
  'button-1-color': onAccent,
});

/** Writes `tokens.css` and the font's files into `folder`, for pages that lie there. */
export async function writeTokens(root, folder) {
  const { outputFiles } = await build({
    stdin: {
      contents: "export * from './tokens'; export * from './fonts';",
      resolveDir: join(root, 'libs/design/src'),
    },
    bundle: true,
    write: false,
    format: 'esm',
    outdir: folder,
    loader: { '.ttf': 'file', '.woff2': 'file' },
  });
  const code = outputFiles.find(({ path }) => path.endsWith('.js'));
  const design = await import(`data:text/javascript,${encodeURIComponent(code.text)}`);
  for (const { path, contents } of outputFiles.filter((each) => each !== code))
    writeFileSync(join(folder, basename(path)), contents);
  writeFileSync(join(folder, 'tokens.css'), tokensStyle(design));
}

function tokensStyle({ palettes: { light, dark }, radii, focusRing, fontStack, fontFiles }) {
  const faces = fontFiles.map(
    ({ weight, letters, path }) =>
      `@font-face { font-family: Inter; font-weight: ${weight}; font-display: swap; src: url('${path}');${letters ? ` unicode-range: ${letters};` : ''} }`,
  );
  const sizes = {
    ...named('radius-', radii, 'px'),
    ...named('focus-', focusRing, 'px'),
    font: fontStack,
    'scalar-font': fontStack,
    'scalar-radius': `${radii.control}px`,
  };
  return [
    ...faces,
    `:root { color-scheme: light dark; ${properties({ ...light, ...sizes })} }`,
    `@media (prefers-color-scheme: dark) { :root { ${properties(dark)} } }`,
    `.light-mode { ${properties(named('scalar-', scalarColors(light)))} }`,
    `.dark-mode { ${properties(named('scalar-', scalarColors(dark)))} }`,
    '',
  ].join('\n');
}

const named = (prefix, values, unit = '') =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, `${value}${unit}`]));

const properties = (values) =>
  Object.entries(values)
    .map(([name, value]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}: ${value};`)
    .join(' ');
