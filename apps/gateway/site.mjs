// What the build puts beside the gateway's bundle: the landing page, the reference, and the guides of docs/ as pages.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { Marked } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { writeTokens } from './site-tokens.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/** Writes the pages that the gateway serves itself into `folder`: `index.html`, and what is under `/docs`. */
export async function writeSite(folder) {
  const docs = join(folder, 'docs');
  mkdirSync(docs, { recursive: true });
  cpSync(join(here, 'site/index.html'), join(folder, 'index.html'));
  cpSync(join(here, 'site/docs'), docs, { recursive: true });
  writeFileSync(join(docs, 'scalar.js'), scalarScript());
  await writeTokens(root, docs);
  cpSync(join(root, 'docs/pictures'), join(docs, 'pictures'), { recursive: true });
  const guides = readdirSync(join(root, 'docs')).filter((file) => file.endsWith('.md'));
  for (const file of guides)
    writeFileSync(join(docs, `${guideName(file)}.html`), guidePage(readFileSync(join(root, 'docs', file), 'utf8')));
}

// Scalar's server plugin carries the browser script as text; its own package would bring 185 others along.
function scalarScript() {
  const plugin = readFileSync(join(root, 'node_modules/@scalar/fastify-api-reference/dist/index.js'), 'utf8');
  const literal = /^var standalone_default = (".*");$/m.exec(plugin)?.[1];
  if (!literal) throw new Error('@scalar/fastify-api-reference does not carry the script of the reference as it did');
  // The map of its sources is not served.
  return runInNewContext(literal).replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

const guideName = (file) => (file === 'README.md' ? 'guides' : basename(file, '.md'));

// A guide is called by its name; what lies outside docs/ is not served and loses its link.
function linkTarget(href) {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [, file, anchor = ''] = /^([^#]*)(#.*)?$/.exec(href);
  return !file.includes('/') && file.endsWith('.md') ? `${guideName(file)}${anchor}` : null;
}

function guidePage(markdown) {
  const marked = new Marked(gfmHeadingId(), {
    renderer: {
      link({ href, tokens }) {
        const target = linkTarget(href);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${target.replaceAll('"', '%22')}">${text}</a>`;
      },
      // A wide table scrolls by itself, by keyboard too.
      table(token) {
        const rows = token.rows.map((row) => `<tr>${row.map((cell) => this.tablecell(cell)).join('')}</tr>`).join('');
        const head = token.header.map((cell) => (cell.text ? this.tablecell(cell) : '<td></td>')).join('');
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
      },
      code({ text, lang }) {
        return `<pre tabindex="0"${lang ? ` data-language="${lang.split(' ')[0]}"` : ''}><code>${escape(text)}\n</code></pre>`;
      },
    },
  });
  const title = /^# (.+)$/m.exec(markdown)?.[1].replaceAll('`', '') ?? 'Guide';
  return readFileSync(join(here, 'site/guide.html'), 'utf8')
    .replace('{{title}}', () => escape(title))
    .replace('{{article}}', () => marked.parse(markdown));
}

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
