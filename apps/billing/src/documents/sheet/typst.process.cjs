'use strict';
// A Typst compiler in a process of its own (see typst-process.ts for what it is asked and answers): native code that aborts, grows or
// never ends takes nobody along. Plain JavaScript, because it runs beside the bundles as it is.
const { resolve } = require('node:path');
const { NodeCompiler } = require('@myriaddreamin/typst-ts-node-compiler');

const root = resolve('/sheet');
const inRoot = (name) => resolve(root, name);
const MISSING = '□';
const ATTEMPTS = 3;
let compiler;

process.on('message', (message) => {
  if (message.open) return open(message.open);
  const before = process.cpuUsage();
  let answer;
  try {
    answer = render(message);
  } catch (error) {
    answer = { error: String(error?.message ?? error).slice(0, 300) };
  }
  // What one document leaves is of little use to the next, and is what makes a compiler grow: only the last one's is kept.
  compiler.evictCache(1);
  const { user, system } = process.cpuUsage(before);
  process.send({ id: message.id, rss: process.memoryUsage.rss(), cpuMs: (user + system) / 1_000, ...answer });
});
process.on('disconnect', () => process.exit(0));

function open({ fonts, templates }) {
  compiler = NodeCompiler.create({ workspace: root, fontArgs: [{ fontPaths: fonts }] });
  for (const [name, source] of Object.entries(templates)) compiler.addSource(inRoot(name), source);
}

/** Sets the view, with a box for each character that no font has; without its logo when that is no image. */
function render({ format, view, logo, files, createdAt }) {
  const inputs = {
    view,
    files: JSON.stringify(
      files.map(({ name, mimeType, relationship, description }, at) => {
        return { name, mimeType, relationship, description, path: `file-${at}` };
      }),
    ),
  };
  files.forEach(({ content }, at) => compiler.mapShadow(inRoot(`file-${at}`), Buffer.from(content)));
  if (logo) {
    inputs.logo = logo[0] === 0x89 ? 'logo.png' : 'logo.jpg';
    compiler.mapShadow(inRoot(inputs.logo), Buffer.from(logo));
  }
  try {
    for (let attempt = 1; ; attempt++) {
      const outcome = compile(inputs, createdAt, format);
      if (outcome.content) return outcome;
      if (attempt === ATTEMPTS) throw new Error(outcome.error);
      if (outcome.missing.length > 0) inputs.view = withoutCharacters(inputs.view, outcome.missing);
      else if (inputs.logo) delete inputs.logo;
      else throw new Error(outcome.error);
    }
  } finally {
    files.forEach((_, at) => compiler.unmapShadow(inRoot(`file-${at}`)));
    for (const name of logo ? ['logo.png', 'logo.jpg'] : []) compiler.unmapShadow(inRoot(name));
  }
}

function compile(inputs, createdAt, format) {
  const compiled = compiler.compile({ mainFilePath: inRoot('sheet.typ'), inputs });
  if (!compiled.result) return failed(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics));
  const pages = compiled.result.numOfPages;
  try {
    // An SVG is made from what has passed as a PDF/A: the same characters are missing in both.
    const pdf = compiler.pdf(compiled.result, { pdfStandard: 'a-3a', creationTimestamp: createdAt });
    return { pages, content: format === 'svg' ? svgOf(compiled.result) : pdf };
  } catch (error) {
    return failed(String(error?.message ?? error));
  }
}

const svgOf = (document) => Buffer.from(compiler.plainSvg(document).replace(/>\s+</g, '><'));

/** The compiler names each text that no font has: `PDF/A-3a error: the text `"x"` could not be displayed with font …`. */
function failed(error) {
  const texts = [...error.matchAll(/the text `\\?"(.+?)\\?"` could not be displayed/g)].map(([, text]) =>
    text.replace(/\\u\{([0-9a-f]+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16))),
  );
  return { error, missing: [...new Set(texts.join(''))].filter((character) => character > '\u007f') };
}

function withoutCharacters(view, characters) {
  const missing = new Set(characters);
  return Array.from(view, (character) => (missing.has(character) ? MISSING : character)).join('');
}
