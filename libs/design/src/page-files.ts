import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { fontFiles } from './fonts';
import { stylesheet } from './stylesheet';

/** A file that pages load. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  /** The same, compressed; made once. */
  readonly brotli: () => Promise<Buffer>;
}

/** The files of one part's pages, by name; a name changes with the content, so that browsers may keep it for ever. */
export interface PageFiles {
  readonly files: ReadonlyMap<string, PageFile>;
  readonly css: string;
  readonly js: string;
}

const compress = promisify(brotliCompress);

/** The house's fonts and stylesheet followed by the part's own, and its script; all to be served from one folder. */
export function pageFiles({ css, js }: { readonly css: string; readonly js: string }): PageFiles {
  const files = new Map<string, PageFile>();
  const add = (type: string, suffix: string, content: Buffer): string => {
    const name = `${createHash('sha256').update(content).digest('hex').slice(0, 12)}.${suffix}`;
    let brotli: Promise<Buffer> | undefined;
    files.set(name, { type, content, brotli: () => (brotli ??= compress(content)) });
    return name;
  };
  const fonts = fontFiles.map(({ path, ...face }) => ({
    ...face,
    // Beside the stylesheet, which names it so.
    url: add('font/woff2', 'woff2', readFileSync(isAbsolute(path) ? path : join(__dirname, path))),
  }));
  return {
    files,
    css: add('text/css', 'css', Buffer.from(`${stylesheet(fonts)}\n${css}`)),
    js: add('text/javascript', 'js', Buffer.from(js)),
  };
}
