import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export interface ReadText {
  readonly text: string;
  /** Points from the left. */
  readonly x: number;
  /** Points from the bottom: the baseline. */
  readonly y: number;
  readonly width: number;
}

export interface ReadPage {
  readonly texts: readonly ReadText[];
  readonly links: readonly string[];
  /** RGBA; only when a scale was asked for. */
  readonly image?: { readonly width: number; readonly height: number; readonly data: string };
}

export interface ReadPdf {
  readonly pages: readonly ReadPage[];
  readonly attachments: readonly { readonly name: string; readonly text: string }[];
  readonly title: string;
  readonly author: string;
  readonly xmp: string;
}

/** What pdf.js reads in these documents; with `scale` (1 = 72 dpi) the painted pages too. */
export async function readPdfs(pdfs: readonly Uint8Array[], scale = 0): Promise<ReadPdf[]> {
  const child = spawn(process.execPath, [join(__dirname, 'pdf-reader-process.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 60_000,
  });
  const closed = once(child, 'close');
  child.stdin.end(JSON.stringify({ pdfs: pdfs.map((pdf) => Buffer.from(pdf).toString('base64')), scale }));
  const answer = await text(child.stdout);
  const [code] = (await closed) as [number];
  if (code !== 0) throw new Error(`pdf.js stopped with ${code}`);
  return JSON.parse(answer) as ReadPdf[];
}

/** All texts of a document as one string. */
export const textOf = ({ pages }: ReadPdf): string =>
  pages.flatMap(({ texts }) => texts.map(({ text: each }) => each)).join('\n');
