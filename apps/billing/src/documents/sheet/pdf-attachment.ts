import { inflateSync } from 'node:zlib';

/**
 * The file of this name that goes along in a PDF as the renderer writes it (Typst 0.14: plain objects and a plain table of them; followed
 * from the catalog on, where nothing is what somebody typed); undefined when none does.
 */
export function attachmentOf(pdf: Uint8Array, name: string): Uint8Array | undefined {
  const bytes = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length);
  const objects = objectsOf(bytes);
  if (!objects) return undefined;
  const listed = /\/EmbeddedFiles <<\s*\/Names \[([^\]]*)\]/.exec(objects.text(objects.root))?.[1] ?? '';
  const file = [...listed.matchAll(/\(([^)]*)\) (\d+) 0 R/g)].find(([, each]) => each === name);
  const stream = file && /\/EF <<\s*\/F (\d+) 0 R/.exec(objects.text(Number(file[2])))?.[1];
  return stream === undefined ? undefined : objects.stream(Number(stream));
}

/** As much of an object as its dictionary can take: the ones that are read here are short. */
const DICTIONARY_BYTES = 4_096;

function objectsOf(bytes: Buffer) {
  const xref = Number(/startxref\n(\d+)\n%%EOF\s*$/.exec(bytes.toString('latin1', bytes.length - 64))?.[1]);
  if (!(xref < bytes.length)) return undefined;
  const table = bytes.toString('latin1', xref);
  const entries = table.split('\n').slice(2);
  const root = Number(/\/Root (\d+) 0 R/.exec(table)?.[1]);
  const at = (number: number): number => Number(entries[number]?.slice(0, 10));
  const text = (number: number): string => bytes.toString('latin1', at(number), at(number) + DICTIONARY_BYTES);
  return {
    root,
    text,
    stream: (number: number): Uint8Array | undefined => {
      const dictionary = text(number);
      const begin = dictionary.indexOf('stream\n') + 'stream\n'.length;
      const length = Number(/\/Length (\d+)/.exec(dictionary)?.[1]);
      const isDeflated = /\/Filter \/FlateDecode/.test(dictionary.slice(0, begin));
      if (begin < 'stream\n'.length || !Number.isInteger(length)) return undefined;
      const raw = bytes.subarray(at(number) + begin, at(number) + begin + length);
      return isDeflated ? inflateSync(raw) : raw;
    },
  };
}
